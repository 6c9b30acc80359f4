// Documents that are only shown: memory records, assembled context, explanations.
import * as vscode from 'vscode';
import { hitName, isRecord } from './hits';
import type { Hit } from './protocol';
import { time } from './status';

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

/** A memory record as a document. */
export function recordText(hit: Hit): string {
  const facts = [hit.type, hit.tags?.length ? `tags: ${hit.tags.join(', ')}` : '', hit.createdAt ? time(hit.createdAt) : '', hit.path ?? ''];
  return `${hit.snippet.trim()}\n\n---\n${facts.filter(Boolean).join(' · ')}\n`;
}

let views: Views | undefined;

/** The views of this window. */
export function sharedViews(): Views {
  return (views ??= new Views());
}

export async function showRecord(hit: Hit): Promise<void> {
  if (!isRecord(hit)) return;
  await sharedViews().show(`${hitName(hit).slice(0, 60) || 'Record'}.md`, recordText(hit));
}
