// What an answer proposes for files, as an edit that the editor shows before it is made.
import * as vscode from 'vscode';
import type { FileChange, TextEdit } from '../protocol';

const lines = (text: string): string => text.replace(/\r\n/g, '\n');

const rangeOf = ({ range: { start, end } }: TextEdit): vscode.Range => new vscode.Range(start.line, start.character, end.line, end.character);

/** Whether what an edit is about stands where it stood. */
function stands(document: vscode.TextDocument, edit: TextEdit): boolean {
  return lines(document.getText(rangeOf(edit))) === lines(edit.oldText);
}

/** Opens the editor's preview of changes, in which each can be left out. Rejects where a text has changed since. */
export async function applyChanges(changes: FileChange[]): Promise<void> {
  const all = new vscode.WorkspaceEdit();
  for (const change of changes) {
    const uri = vscode.Uri.parse(change.uri, true);
    const shown = { needsConfirmation: true, label: change.path };
    if (change.created) {
      all.createFile(uri, { contents: Buffer.from(change.edits.map((edit) => edit.newText).join('')) }, shown);
      continue;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    if (!change.edits.every((edit) => stands(document, edit))) throw new Error(`${change.path} has changed since. Ask again.`);
    if (change.deleted) {
      all.deleteFile(uri, {}, shown);
      continue;
    }
    for (const edit of change.edits) all.replace(uri, rangeOf(edit), edit.newText, { ...shown, description: `line ${edit.range.start.line + 1}` });
  }
  await vscode.workspace.applyEdit(all);
}
