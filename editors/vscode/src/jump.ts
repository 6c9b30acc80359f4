// Takes the user to a hit, and tells the sidecar that it was used: activation learns from what people open.
import * as vscode from 'vscode';
import { hitLabel, hitStart, isRecord } from './hits';
import { uriOf } from './memory/files';
import { ofHit } from './memory/record';
import type { Hit, Range, Use } from './protocol';
import type { Sidecar } from './sidecar';

const highlight = (): vscode.TextEditorDecorationType =>
  vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.selectionHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.findMatchForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });

export function toRange(range: Range): vscode.Range {
  return new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}

export function fromRange(range: vscode.Range): Range {
  return {
    start: { line: range.start.line, character: range.start.character },
    end: { line: range.end.line, character: range.end.character },
  };
}

export interface JumpOptions {
  /** The active one without it. */
  column?: vscode.ViewColumn;
  /** Leaves the focus where it is, and the file as a preview. */
  preview?: boolean;
}

export class Jumper implements vscode.Disposable {
  private decoration: vscode.TextEditorDecorationType | undefined;
  private listener: vscode.Disposable | undefined;

  constructor(private readonly sidecar: Sidecar) {}

  /** Shows a hit, its lines highlighted until the cursor is moved; a record as a document. */
  async show(hit: Hit, options: JumpOptions = {}): Promise<vscode.TextEditor | undefined> {
    if (isRecord(hit) && !hit.uri) return this.showRecord(hit, options);
    if (hit.repository) return this.showElsewhere(hit, options);
    if (!hit.uri) return undefined;
    const at = hitStart(hit);
    const cursor = at ? toRange(at).start : new vscode.Position(0, 0);
    const editor = await vscode.window.showTextDocument(vscode.Uri.parse(hit.uri), {
      viewColumn: options.column ?? vscode.ViewColumn.Active,
      preview: options.preview ?? false,
      preserveFocus: options.preview ?? false,
      selection: new vscode.Range(cursor, cursor),
    });
    if (hit.range) this.mark(editor, toRange(hit.range), cursor);
    return editor;
  }

  /** Shows a line of a file, zero-based. */
  async showPlace(uri: vscode.Uri, line: number): Promise<void> {
    const at = new vscode.Position(line, 0);
    const editor = await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at) });
    this.mark(editor, new vscode.Range(at, at), at);
  }

  /** Shows a hit of the team's search server: the page of its file, else what the server sent of it. */
  private async showElsewhere(hit: Hit, options: JumpOptions): Promise<vscode.TextEditor | undefined> {
    if (options.preview) return undefined;
    if (hit.url) {
      await vscode.env.openExternal(vscode.Uri.parse(hit.url, true));
      return undefined;
    }
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: `${hitLabel(hit)}\n\n${hit.snippet}\n` }), { preview: true });
  }

  private async showRecord(hit: Hit, options: JumpOptions): Promise<vscode.TextEditor> {
    const { column: viewColumn = vscode.ViewColumn.Active, preview = true } = options;
    return vscode.window.showTextDocument(uriOf(ofHit(hit)), { viewColumn, preview, preserveFocus: options.preview ?? false });
  }

  /** Tells the sidecar what a person did with hits. */
  used(hits: readonly Hit[], action: Use['action'], queryId?: string, value?: number): void {
    const uses = hits.map((hit) => ({ id: hit.id, action, ...(value === undefined ? {} : { value }) }));
    if (uses.length > 0) this.sidecar.notify('aurora/didUse', { hits: uses, ...(queryId ? { queryId } : {}) });
  }

  clear(): void {
    this.listener?.dispose();
    this.decoration?.dispose();
    this.listener = this.decoration = undefined;
  }

  dispose(): void {
    this.clear();
  }

  private mark(editor: vscode.TextEditor, range: vscode.Range, cursor: vscode.Position): void {
    this.clear();
    this.decoration = highlight();
    editor.setDecorations(this.decoration, [range]);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    this.listener = vscode.window.onDidChangeTextEditorSelection((event) => {
      if (event.textEditor === editor && !event.selections[0]?.active.isEqual(cursor)) this.clear();
    });
  }
}
