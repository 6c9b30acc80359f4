// Documents that are only shown: assembled context, explanations.
import * as vscode from 'vscode';

export const SCHEME = 'aurora-view';

/** Keeps the latest documents; a document that is closed is dropped. */
export class Views implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly closed = vscode.workspace.onDidCloseTextDocument((document) => this.texts.delete(document.uri.toString()));
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? 'This view is no longer kept. Run the command again.\n';
  }

  /** Shows a text; one of the same name takes its place. */
  async show(name: string, text: string, column = vscode.ViewColumn.Active): Promise<vscode.TextEditor> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name.replace(/[/\\?#]/g, '-')}` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    return vscode.window.showTextDocument(document, { viewColumn: column, preview: true });
  }

  dispose(): void {
    this.closed.dispose();
    this.changed.dispose();
  }
}

let views: Views | undefined;

/** The views of this window. */
export function sharedViews(): Views {
  return (views ??= new Views());
}
