// After a commit or a merge, offers the decision that it states. How often, and for which commits, the sidecar decides.
import * as vscode from 'vscode';
import { t } from './l10n';
import type { DecisionOffer } from './protocol';
import { folderOf, spoken } from './memory/offer';
import type { Sidecar } from './sidecar';

/** What is used of the git extension's API, version 1. */
interface GitApi {
  repositories: GitRepository[];
  onDidOpenRepository: vscode.Event<GitRepository>;
}

interface GitRepository {
  rootUri: vscode.Uri;
  state: { HEAD?: { commit?: string }; onDidChange: vscode.Event<void> };
}

interface GitExports {
  enabled: boolean;
  onDidChangeEnablement: vscode.Event<boolean>;
  getAPI: (version: 1) => GitApi;
}

/** Asks the sidecar for an offer whenever the newest commit of a repository is another one. */
export class CommitWatcher implements vscode.Disposable {
  private readonly listeners: vscode.Disposable[] = [];
  private disposed = false;

  constructor(
    private readonly sidecar: Pick<Sidecar, 'state' | 'request'>,
    private readonly log: vscode.LogOutputChannel,
    private readonly remembered: () => void,
  ) {
    void this.start().catch((error: unknown) => log.info(`commits: ${String(error)}`));
  }

  dispose(): void {
    this.disposed = true;
    vscode.Disposable.from(...this.listeners.splice(0)).dispose();
  }

  private async start(): Promise<void> {
    const git = await vscode.extensions.getExtension<GitExports>('vscode.git')?.activate();
    if (!git || this.disposed) return;
    if (git.enabled) this.follow(git.getAPI(1));
    this.listeners.push(git.onDidChangeEnablement((enabled) => enabled && this.follow(git.getAPI(1))));
  }

  private follow(api: GitApi): void {
    for (const repository of api.repositories) this.watch(repository);
    this.listeners.push(api.onDidOpenRepository((repository) => this.watch(repository)));
  }

  private watch(repository: GitRepository): void {
    let known = repository.state.HEAD?.commit;
    this.listeners.push(
      repository.state.onDidChange(() => {
        const head = repository.state.HEAD?.commit;
        if (!head || head === known) return;
        const first = known === undefined; // the editor has just read it
        known = head;
        if (!first) void this.offer(repository).catch((error: unknown) => this.log.info(`commits: ${String(error)}`));
      }),
    );
  }

  private async offer({ rootUri }: GitRepository): Promise<void> {
    const folder = folderOf(rootUri.fsPath, (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath));
    const wanted = vscode.workspace.getConfiguration('aurora').get<boolean>('capture.afterCommit', true);
    if (!folder || !wanted || this.sidecar.state.kind !== 'running') return;
    const { offers } = await this.sidecar.request('aurora/decisions', { folder, unasked: true });
    if (offers[0]) await this.ask(folder, offers[0]);
  }

  private async ask(folder: string, offer: DecisionOffer): Promise<void> {
    const [remember, notThis, never] = [t('Remember'), t('Not This'), t('Never Here')];
    const answer = await vscode.window.showInformationMessage(`AURORA: ${spoken(offer)}`, remember, notThis, never);
    if (answer === remember) {
      await this.sidecar.request('aurora/decisions', { folder, accept: offer.commit });
      this.remembered();
      vscode.window.setStatusBarMessage(t('AURORA: Remembered'), 5000);
    }
    if (answer === notThis) await this.sidecar.request('aurora/decisions', { folder, dismiss: offer.commit });
    if (answer === never) await this.sidecar.request('aurora/decisions', { folder, never: true });
  }
}
