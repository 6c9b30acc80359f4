// The one answer view of a window.
import * as vscode from 'vscode';
import type { Jumper } from '../jump';
import type { ModelLender } from '../model/lender';
import type { Sidecar } from '../sidecar';
import { AnswerPanel, type Question } from './panel';

/** Opens the panel, and counts the questions that run. */
export class AnswerPanels implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<number>();
  readonly onDidChangeAsking = this.changed.event;
  /** The queries that a view, or the chat, shows. */
  readonly claimed = new Set<string>();
  private asking = 0;
  private latest: AnswerPanel | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly sidecar: Sidecar,
    private readonly jumper: Jumper,
    private readonly lender: Pick<ModelLender, 'offered' | 'consent'>,
  ) {}

  /** Asks in the panel that is open, else in a new one. */
  async ask(question: Question): Promise<void> {
    if (this.latest) {
      this.latest.reveal();
      return this.latest.begin(question);
    }
    const panel = vscode.window.createWebviewPanel(
      'aurora.answer',
      'AURORA',
      { viewColumn: vscode.ViewColumn.Beside },
      { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extensionUri, 'dist'), vscode.Uri.joinPath(this.extensionUri, 'media')] },
    );
    const onAsking = (change: 1 | -1): void => {
      this.asking += change;
      this.changed.fire(this.asking);
    };
    const answer = new AnswerPanel(panel, this.extensionUri, this.sidecar, this.jumper, this.lender, onAsking, this.claimed);
    this.latest = answer;
    panel.onDidDispose(() => {
      answer.dispose();
      if (this.latest === answer) this.latest = undefined;
    });
    await answer.begin(question);
  }

  dispose(): void {
    this.latest?.dispose();
    this.changed.dispose();
  }
}
