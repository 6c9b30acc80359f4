// Documents that are only shown: assembled context, explanations.
import * as vscode from 'vscode';

export const SCHEME = 'aurora-view';

/** Keeps the latest documents; a document that is closed is dropped. */
export class Views implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** What a preview shows: the editor closes a document that no tab shows, and reads it again for the preview. */
  private readonly previewed = new Set<string>();
  private readonly closed = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
    if (!this.previewed.has(uri.toString())) this.texts.delete(uri.toString());
  });
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? 'This view is no longer kept. Run the command again.\n';
  }

  /** Shows a text; one of the same name takes its place. */
  async show(name: string, text: string, column = vscode.ViewColumn.Active): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(await this.open(name, text), { viewColumn: column, preview: true });
  }

  /** Shows Markdown as it is read; one of the same name takes its place. */
  async preview(name: string, markdown: string): Promise<void> {
    const document = await this.open(name, markdown);
    this.previewed.add(document.uri.toString());
    await vscode.commands.executeCommand('markdown.showPreview', document.uri);
  }

  private open(name: string, text: string): Thenable<vscode.TextDocument> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name.replace(/[/\\?#]/g, '-')}` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    return vscode.workspace.openTextDocument(uri);
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
