// Shows the hit that a picker is on, and what was shown before when the picker is left.
import * as vscode from 'vscode';
import { isRecord } from '../hits';
import type { Jumper } from '../jump';
import type { Hit } from '../protocol';

export class Preview {
  private readonly before = vscode.window.activeTextEditor;
  /** What is in front counts, too, when its editor is not ready yet. */
  private readonly front = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  private readonly selections = this.before?.selections;
  private readonly visible = this.before?.visibleRanges[0];
  private first: Hit | undefined;
  private moved = false;
  private latest: Hit | undefined;
  /** The previews that are being shown: what comes after them must not be overtaken. */
  private pending: Promise<unknown> = Promise.resolve();

  constructor(private readonly jumper: Jumper) {}

  /** New hits come, and the first becomes active though nobody chose it. */
  expect(first: Hit | undefined): void {
    this.first = first;
    this.moved = false;
  }

  /** The picker is on a hit. */
  onActive(hit: Hit | undefined): void {
    if (!hit || (hit === this.first && !this.moved)) return;
    this.moved = true;
    if ((!hit.uri && !isRecord(hit)) || !vscode.workspace.getConfiguration('aurora').get<boolean>('searchPicker.preview', true)) return;
    this.latest = hit;
    this.pending = this.pending
      .then(() => (this.latest === hit ? this.jumper.show(hit, { preview: true }) : undefined))
      .catch(() => undefined); // the file may be gone
  }

  /** Waits until no preview comes any more. */
  async settled(): Promise<void> {
    this.first = this.latest = undefined;
    await this.pending;
  }

  /** Brings back what was shown before. */
  async restore(): Promise<void> {
    if (!this.latest) return;
    await this.settled();
    this.jumper.clear();
    const uri = this.before?.document.uri ?? (this.front instanceof vscode.TabInputText ? this.front.uri : undefined);
    if (!uri) {
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      return;
    }
    const editor = await vscode.window.showTextDocument(uri, { viewColumn: this.before?.viewColumn ?? vscode.ViewColumn.Active });
    if (this.selections) editor.selections = [...this.selections];
    if (this.visible) editor.revealRange(this.visible, vscode.TextEditorRevealType.AtTop);
  }
}
