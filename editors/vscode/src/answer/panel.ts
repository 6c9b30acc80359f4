// The answer view: one panel for all questions; each that comes from outside of it begins a conversation.
import { randomBytes, randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Jumper } from '../jump';
import { isCancelled, problemOf, showError } from '../notify';
import type { ModelLender } from '../model/lender';
import type { FeedbackResult, QueryParams } from '../protocol';
import { count } from '../status';
import type { Sidecar } from '../sidecar';
import { applyChanges } from './changes';
import type { FromView, ToView } from './messages';
import { answerText, newTurn, takeProgress, viewOf, warningsAfter, type Turn } from './model';
import { renderMarkdown } from './markdown';
import { page } from './page';
import { Throttle } from './throttle';

/** How often what a model writes is shown: often enough to look steady, seldom enough to cost nothing. */
const SHOW_MS = 30;

/** A question, and what it is about. */
export interface Question {
  query: string;
  about?: { uri: vscode.Uri; range?: vscode.Range };
  deeper?: boolean;
  /** The answer may end in a change of the code. */
  changes?: boolean;
}

/** The waves of AURORA, for a light and for a dark theme. */
export function icons(extensionUri: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  return { light: vscode.Uri.joinPath(extensionUri, 'media/tab-light.svg'), dark: vscode.Uri.joinPath(extensionUri, 'media/tab-dark.svg') };
}

/** A file: address is opened only inside of the workspace. */
export function fileInWorkspace(address: string): vscode.Uri | undefined {
  if (!address.startsWith('file:')) return undefined;
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(address, true);
  } catch {
    return undefined; // no address at all
  }
  if (uri.authority !== '' || /%2e|\\/i.test(address)) return undefined;
  return vscode.workspace.getWorkspaceFolder(uri) ? uri : undefined;
}

export class AnswerPanel implements vscode.Disposable {
  private readonly turns: { turn: Turn; params: QueryParams }[] = [];
  private conversationId = randomUUID();
  private readonly disposables: vscode.Disposable[] = [];
  private running: vscode.CancellationTokenSource | undefined;
  private disposed = false;
  /** The first turn that the view does not show as it is. */
  private stale = 0;
  private readonly showing = new Throttle(SHOW_MS, () => this.show());

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly extensionUri: vscode.Uri,
    private readonly sidecar: Sidecar,
    private readonly jumper: Jumper,
    private readonly lender: Pick<ModelLender, 'offered' | 'consent'>,
    private readonly onAsking: (change: 1 | -1) => void,
    claimed: Set<string>,
  ) {
    panel.iconPath = icons(extensionUri);
    panel.webview.html = this.html();
    this.disposables.push(
      panel.webview.onDidReceiveMessage((message: FromView) => void this.take(message).catch(showError)),
      sidecar.onProgress((report) => {
        const index = this.turns.findIndex(({ turn }) => takeProgress(turn, report, claimed));
        if (index < 0) return;
        this.stale = Math.min(this.stale, index);
        this.showing.ask();
      }),
    );
  }

  /** Asks a question that does not follow up what was asked before. */
  begin(question: Question): Promise<void> {
    this.conversationId = randomUUID();
    return this.ask(question);
  }

  /** Asks a question as the next turn; one that still runs is cancelled. */
  private async ask(question: Question): Promise<void> {
    const params: QueryParams = { query: question.query, conversationId: this.conversationId };
    if (question.about) {
      params.textDocument = { uri: question.about.uri.toString() };
      const range = question.about.range;
      if (range) params.range = { start: { ...position(range.start) }, end: { ...position(range.end) } };
    }
    if (question.deeper) params.mode = 'soar';
    if (question.changes) params.changes = true;
    await this.run(newTurn(question.query, question.about && place(question.about)), params);
  }

  reveal(): void {
    this.panel.reveal(undefined, false);
  }

  dispose(): void {
    this.disposed = true;
    this.showing.cancel();
    this.running?.cancel();
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async run(turn: Turn, params: QueryParams): Promise<void> {
    this.running?.cancel();
    const source = (this.running = new vscode.CancellationTokenSource());
    this.turns.push({ turn, params });
    this.panel.title = `AURORA: ${turn.question.length > 40 ? `${turn.question.slice(0, 40)}…` : turn.question}`;
    this.showFrom(this.turns.length - 1);
    this.onAsking(1);
    try {
      await this.sidecar.ready();
      if (!this.sidecar.status.llm?.configured) await this.lender.consent();
      turn.result = await this.sidecar.request('aurora/query', params, source.token);
      turn.state = 'answered';
    } catch (error) {
      turn.state = isCancelled(error) || source.token.isCancellationRequested ? 'cancelled' : 'failed';
      if (turn.state === 'failed') turn.problem = problemOf(error);
    } finally {
      this.onAsking(-1);
      if (this.running === source) this.running = undefined;
      this.showFrom(this.turns.findIndex((other) => other.turn === turn));
    }
  }

  private show(): void {
    if (this.disposed) return;
    const canReason = (this.sidecar.status.llm?.configured ?? false) || this.lender.offered;
    const first = this.stale;
    const all = this.turns.map(({ turn }) => turn);
    const turns = all.slice(first).map((turn, i) => {
      const view = viewOf(turn, render, canReason);
      return { ...view, warnings: warningsAfter(all.slice(0, first + i), view.warnings) };
    });
    this.stale = this.turns.length;
    const message: ToView = { type: 'turns', first, turns };
    void this.panel.webview.postMessage(message);
  }

  /** Shows the turns from one on, at once. */
  private showFrom(index: number): void {
    this.stale = Math.min(this.stale, index);
    this.showing.call();
  }

  private async take(message: FromView): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.showFrom(0);
      case 'ask':
        return this.ask({ query: message.question });
      case 'cancel':
        return this.running?.cancel();
      case 'open':
        return this.open(message.turn, message.citation, message.aside);
      case 'openFile':
        return this.openFile(message.address);
      case 'copy':
        return this.copy(message.turn);
      case 'remember':
        return this.remember(message.turn);
      case 'retry':
        return this.retry(message.turn, message.deeper);
      case 'propose':
        return this.propose(message.turn);
      case 'apply':
        return applyChanges(this.turns[message.turn]?.turn.result?.changes ?? []);
      case 'chooseModel':
        return vscode.commands.executeCommand('aurora.chooseModel');
      case 'rate':
        return this.rate(message.turn, message.good);
    }
  }

  private async open(turn: number, citation: number, aside: boolean): Promise<void> {
    const result = this.turns[turn]?.turn.result;
    const hit = result?.citations[citation];
    if (!result || !hit) return;
    this.jumper.used([hit], 'opened', result.queryId);
    await this.jumper.show(hit, { column: aside ? vscode.ViewColumn.Beside : columnForCode(this.panel) });
  }

  private async openFile(address: string): Promise<void> {
    const uri = fileInWorkspace(address);
    if (!uri) return;
    const line = /^L?(\d+)/.exec(uri.fragment)?.[1];
    const at = new vscode.Position(line ? Number(line) - 1 : 0, 0);
    await vscode.window.showTextDocument(uri.with({ fragment: '' }), {
      selection: new vscode.Range(at, at),
      viewColumn: columnForCode(this.panel),
    });
  }

  private async copy(index: number): Promise<void> {
    const turn = this.turns[index]?.turn;
    if (!turn?.result) return;
    await vscode.env.clipboard.writeText(answerText(turn));
    this.jumper.used(turn.result.citations, 'copied', turn.result.queryId);
    vscode.window.setStatusBarMessage('AURORA: copied', 3000);
  }

  private async remember(index: number): Promise<void> {
    const turn = this.turns[index]?.turn;
    if (turn?.result) await vscode.commands.executeCommand('aurora.remember', { content: answerText(turn), tags: ['answer'] });
  }

  private async retry(index: number, deeper: boolean): Promise<void> {
    const old = this.turns[index];
    if (!old) return;
    const params: QueryParams = { ...old.params, force: true };
    if (deeper) params.mode = 'soar';
    await this.run(newTurn(old.turn.question, old.turn.about), params);
  }

  private async propose(index: number): Promise<void> {
    const old = this.turns[index];
    if (old) await this.run(newTurn(old.turn.question, old.turn.about), { ...old.params, changes: true });
  }

  private async rate(index: number, good: boolean): Promise<void> {
    const result = this.turns[index]?.turn.result;
    if (!result) return;
    const said = await this.sidecar.request('aurora/feedback', { queryId: result.queryId, signal: good ? 'positive' : 'negative' });
    vscode.window.setStatusBarMessage(`AURORA: ${thanks(said)}`, 5000);
  }

  private html(): string {
    const { webview } = this.panel;
    const file = (path: string): string => webview.asWebviewUri(vscode.Uri.joinPath(this.extensionUri, path)).toString();
    return page({
      nonce: randomBytes(16).toString('base64'),
      cspSource: webview.cspSource,
      script: file('dist/answer.js'),
      style: file('media/answer.css'),
      language: vscode.env.language,
      words: JSON.stringify(vscode.l10n.bundle ?? {}),
    });
  }
}

function render(markdown: string, citations: number): string {
  return renderMarkdown(markdown, citations, (address) => fileInWorkspace(address) !== undefined);
}

/** What a rating has changed. */
function thanks({ action, applied }: FeedbackResult): string {
  if (action === 'accepted') return `noted: ${count(applied, 'source')} will come earlier`;
  if (action === 'rejected') return `noted: ${count(applied, 'source')} will come later`;
  return 'noted; there is no source to learn about';
}

function position(at: vscode.Position): { line: number; character: number } {
  return { line: at.line, character: at.character };
}

function place(about: NonNullable<Question['about']>): string {
  const path = vscode.workspace.asRelativePath(about.uri, false);
  return about.range ? `${path}:${about.range.start.line + 1}` : path;
}

/** Where code is shown so that the answer stays in sight. */
function columnForCode(panel: vscode.WebviewPanel): vscode.ViewColumn {
  return panel.viewColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
}
