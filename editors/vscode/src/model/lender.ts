// The editor's own model, lent to the sidecar when a person has agreed: what is asked then leaves this machine.
import * as vscode from 'vscode';
import type { CompleteParams, CompleteResult } from '../protocol';
import { Refusal, choose, complete, type Say } from './complete';
import { t } from '../l10n';

type Use = 'ask' | 'always' | 'never';

const SETTING = 'languageModel.use';
const JUSTIFICATION = 'AURORA answers your question with it, from the snippets of your code that it has found.';

const say: Say<vscode.LanguageModelChatMessage> = {
  user: (text) => vscode.LanguageModelChatMessage.User(text),
  assistant: (text) => vscode.LanguageModelChatMessage.Assistant(text),
};

const setting = (): Use => vscode.workspace.getConfiguration('aurora').get<Use>(SETTING, 'ask');

/** What a person reads who has to agree. */
const detail = (model: string): string =>
  t('No model is set for AURORA, but this editor has {0}. Your question and the snippets of code and memory that answer it, secrets removed, are sent to its provider, and count against your subscription. Without it, the answer comes from the index, git and memory alone.', model);

export class ModelLender implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Whether a model is on offer has changed. */
  readonly onDidChange = this.changed.event;
  private readonly listeners: vscode.Disposable[];
  private models: readonly vscode.LanguageModelChat[] = [];
  private looks = 0;
  /** A person said "not now", which counts until the window is closed. */
  private declined = false;

  constructor(private readonly log: vscode.LogOutputChannel) {
    this.listeners = [
      vscode.lm.onDidChangeChatModels(() => void this.look()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(`aurora.${SETTING}`)) return;
        this.declined = false;
        this.changed.fire();
      }),
    ];
    void this.look();
  }

  /** Whether the sidecar may ask: a model is there, and nobody has said no. */
  get offered(): boolean {
    return this.models.length > 0 && setting() !== 'never' && !this.declined;
  }

  /** What the status says of the editor's model, '' when it has none. */
  get summary(): string {
    const name = choose(this.models, 'reasoning')?.name;
    if (name === undefined) return '';
    if (this.declined) return `${name} of this editor, not now`;
    return `${name} of this editor, ${{ ask: 'if you agree', always: 'as you agreed', never: 'not used (setting aurora.languageModel.use)' }[setting()]}`;
  }

  /** Asks a person once, before the first question that a model would answer. */
  async consent(): Promise<void> {
    if (!this.offered || setting() !== 'ask') return;
    const name = choose(this.models, 'reasoning')?.name ?? 'a model';
    const answers: (vscode.MessageItem & { use: Use })[] = [{ title: t('Always'), use: 'always' }, { title: t('Never'), use: 'never' }, { title: t('Not Now'), isCloseAffordance: true, use: 'ask' }];
    const chosen = await vscode.window.showInformationMessage(t('Answer with {0}?', name), { modal: true, detail: detail(name) }, ...answers);
    if (chosen === undefined || chosen.use === 'ask') {
      this.declined = true;
      this.changed.fire();
      return;
    }
    await vscode.workspace.getConfiguration('aurora').update(SETTING, chosen.use, vscode.ConfigurationTarget.Global);
  }

  /** Answers aurora/complete. */
  async complete(params: CompleteParams, token: vscode.CancellationToken): Promise<CompleteResult> {
    if (!this.offered || setting() !== 'always') throw new Refusal('nobody has agreed that the editor\'s model is used (setting aurora.languageModel.use)');
    const chat = choose(this.models, params.tier);
    if (!chat) throw new Refusal('the editor has no model any more');
    this.log.info(`asking ${chat.name} (${params.tier})`);
    try {
      return await complete(params, chat, say, token, JUSTIFICATION);
    } catch (error) {
      if (error instanceof vscode.LanguageModelError) throw new Refusal(explain(error, chat.name));
      throw error;
    }
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
    this.changed.dispose();
  }

  private async look(): Promise<void> {
    const before = this.offered;
    const turn = ++this.looks;
    const models = await this.select();
    if (turn !== this.looks) return; // a later look knows better
    this.models = models;
    if (this.offered !== before) this.changed.fire();
  }

  private async select(): Promise<vscode.LanguageModelChat[]> {
    try {
      return await vscode.lm.selectChatModels();
    } catch (error) {
      this.log.info(`no model of the editor: ${String(error)}`);
      return [];
    }
  }
}

function explain(error: vscode.LanguageModelError, name: string): string {
  switch (error.code) {
    case vscode.LanguageModelError.NoPermissions.name:
      return `${name} may not be used by AURORA: allow it under Manage Extension Language Model Access`;
    case vscode.LanguageModelError.Blocked.name:
      return `${name} refuses the request, perhaps because a quota is used up: ${error.message}`;
    case vscode.LanguageModelError.NotFound.name:
      return `${name} is gone`;
    default:
      return `${name} failed: ${error.message}`;
  }
}
