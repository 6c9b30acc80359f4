// The one sidecar of a window: starts it when there is a folder, starts it again when it crashed, and asks it.
import * as os from 'node:os';
import * as path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { Backoff } from './backoff';
import { findBinary, type Problem } from './binary';
import { ProblemError, describeEnd, reap, startProcess, type Ended, type Launch, type SidecarProcess } from './process';
import type { ModelKeys } from './model/keys';
import type { ModelLender } from './model/lender';
import type { ProgressParams, Requests, Status } from './protocol';
import { declaredKeys, liveSettings, sidecarEnvironment } from './settings';
import type { SidecarState } from './status';
import { t } from './l10n';

interface Running {
  client: LanguageClient;
  process: SidecarProcess;
}

const paused = (): ProblemError => new ProblemError({ message: t('AURORA is paused.'), remedy: t('Run AURORA: Resume.') });
const noFolder = (): ProblemError =>
  new ProblemError({ message: t('AURORA works on the files of a folder, and none is open.'), remedy: t('Open a folder.') });

function asProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return { message: `The program could not be used: ${error instanceof Error ? error.message : String(error)}.`, remedy: 'See the log.' };
}

export class Sidecar implements vscode.Disposable {
  private current: SidecarState = { kind: 'off' };
  private running: Running | undefined;
  /** What the process was started with last. */
  private launched: Launch | undefined;
  /** Starting and stopping, one after the other. */
  private queue: Promise<unknown> = Promise.resolve();
  private retry: NodeJS.Timeout | undefined;
  private readonly backoff = new Backoff();
  private readonly settings: string[];
  private readonly stateEmitter = new vscode.EventEmitter<SidecarState>();
  private readonly statusEmitter = new vscode.EventEmitter<Partial<Status>>();
  private readonly progressEmitter = new vscode.EventEmitter<ProgressParams>();
  readonly onDidChangeState = this.stateEmitter.event;
  readonly onDidChangeStatus = this.statusEmitter.event;
  readonly onProgress = this.progressEmitter.event;
  /** What the sidecar told of itself so far. */
  status: Partial<Status> = {};

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly lender: Pick<ModelLender, 'offered' | 'complete'>,
    private readonly keys: Pick<ModelKeys, 'environment'>,
  ) {
    this.settings = declaredKeys(context.extension.packageJSON);
  }

  get state(): SidecarState {
    return this.current;
  }

  /** The sidecar's process id, for reports. */
  get pid(): number | undefined {
    return this.running?.process.child.pid;
  }

  /** Starts the sidecar unless it runs, there is no folder, or a person has paused it. */
  start(): Promise<void> {
    return this.enqueue(async () => {
      if (this.running || this.current.kind === 'paused' || !vscode.workspace.workspaceFolders?.length) return;
      await this.launch();
    });
  }

  /** Stops the sidecar; what starts it again is restart or resume. */
  pause(): Promise<void> {
    return this.enqueue(async () => {
      await this.end();
      this.enter({ kind: 'paused' });
    });
  }

  /** Starts the sidecar again, as a person asked for it. */
  restart(): Promise<void> {
    this.backoff.reset();
    return this.enqueue(() => this.startAgain());
  }

  /**
   * Starts the sidecar again, as the settings have changed; not when a person has paused it by the time of its turn, and
   * not when it was started with just these.
   */
  applySettings(): Promise<void> {
    this.backoff.reset();
    return this.enqueue(async () => {
      if (this.current.kind === 'paused') return;
      if (this.running && isDeepStrictEqual(this.launched, await this.toLaunch().catch(() => undefined))) return;
      await this.startAgain();
    });
  }

  /** Starts the sidecar again, as the editor trusts the folder by now; not when a person has paused it. */
  applyTrust(): Promise<void> {
    this.backoff.reset();
    return this.enqueue(() => (this.current.kind === 'paused' ? Promise.resolve() : this.startAgain()));
  }

  /** Changes several settings, none of which makes the sidecar start again before all are written. */
  changeSettings(change: () => Promise<void>): Promise<void> {
    return this.enqueue(change);
  }

  /** Sends a request, waiting for a sidecar that starts. */
  async request<M extends keyof Requests>(
    method: M,
    params: Requests[M]['params'],
    token?: vscode.CancellationToken,
  ): Promise<Requests[M]['result']> {
    const client = await this.ready();
    return token ? client.sendRequest<Requests[M]['result']>(method, params, token) : client.sendRequest<Requests[M]['result']>(method, params);
  }

  /** Tells the sidecar something; without one nobody needs to know. */
  notify(method: string, params: object): void {
    this.running?.client.sendNotification(method, params).catch((error: unknown) => this.log.warn(`${method}: ${String(error)}`));
  }

  /** The client, once it answers. Rejects with a ProblemError when there is none and none will be. */
  async ready(): Promise<LanguageClient> {
    await this.queue; // it may be starting or stopping for another reason
    if (!this.running && this.current.kind === 'off') await this.start();
    if (!this.running && (this.current.kind === 'starting' || this.current.kind === 'waiting')) {
      await this.settled();
    }
    if (this.running) return this.running.client;
    switch (this.current.kind) {
      case 'paused':
        throw paused();
      case 'failed':
        throw new ProblemError(this.current.problem);
      case 'off':
      case 'starting':
      case 'waiting':
      case 'running':
        throw noFolder();
    }
  }

  /** Sends the settings that the sidecar takes while it runs. */
  sendLiveSettings(): void {
    const live = liveSettings(vscode.workspace.getConfiguration('aurora'));
    this.notify('workspace/didChangeConfiguration', { settings: { aurora: { ...live, client: { complete: this.lender.offered } } } });
  }

  /** Ends the sidecar in order; the window closes. */
  shutdown(): Promise<void> {
    return this.enqueue(() => this.end());
  }

  dispose(): void {
    clearTimeout(this.retry);
    this.stateEmitter.dispose();
    this.statusEmitter.dispose();
    this.progressEmitter.dispose();
  }

  private enqueue(act: () => Promise<void>): Promise<void> {
    const done = this.queue.then(act);
    this.queue = done.catch((error: unknown) => this.log.error(String(error)));
    return done;
  }

  private enter(state: SidecarState): void {
    this.current = state;
    if (state.kind !== 'running') this.status = {};
    void vscode.commands.executeCommand('setContext', 'aurora.state', state.kind);
    this.log.info(`state: ${state.kind}`);
    this.stateEmitter.fire(state);
  }

  private settled(): Promise<void> {
    return new Promise((resolve) => {
      const listener = this.onDidChangeState((state) => {
        if (state.kind === 'starting' || state.kind === 'waiting') return;
        listener.dispose();
        resolve();
      });
    });
  }

  /** What to run, and with which settings and which key of a model in its environment. Rejects with a ProblemError when there is none. */
  async program(): Promise<Pick<Launch, 'path' | 'environment'>> {
    const { path: found, environment } = this.withoutKey();
    return { path: found, environment: { ...environment, ...(await this.keys.environment(vscode.workspace.getConfiguration('aurora'))) } };
  }

  /** The same without a key. Throws a ProblemError. */
  withoutKey(): Pick<Launch, 'path' | 'environment'> {
    const config = vscode.workspace.getConfiguration('aurora');
    const found = findBinary({
      setting: config.get<string>('server.path', ''),
      bundled: path.join(this.context.extensionPath, 'bin'),
      searchPath: process.env['PATH'] ?? '',
      home: os.homedir(),
      windows: process.platform === 'win32',
    });
    if (found.problem) throw new ProblemError(found.problem);
    return { path: found.path, environment: sidecarEnvironment(config, this.settings) };
  }

  private async launch(): Promise<void> {
    clearTimeout(this.retry);
    this.enter({ kind: 'starting' });
    let started: SidecarProcess | undefined;
    try {
      started = await this.spawn();
      const config = vscode.workspace.getConfiguration('aurora');
      const { connect } = await import('./client');
      const client = await connect(started, {
        log: this.log,
        live: liveSettings(config),
        lends: this.lender.offered,
        timeoutMs: config.get<number>('server.startTimeoutSeconds', 20) * 1000,
        events: {
          onStatus: (changed) => this.takeStatus(changed),
          onProgress: (progress) => this.progressEmitter.fire(progress),
          onComplete: (params, token) => this.lender.complete(params, token),
        },
      });
      this.running = { client, process: started };
      this.backoff.started();
      const process = started;
      void process.ended.then((ended) => this.onEnded(process, ended));
      this.enter({ kind: 'running' });
    } catch (error) {
      started?.child.kill('SIGKILL');
      const problem = asProblem(error);
      this.log.error(`${problem.message} ${problem.remedy}`);
      this.enter({ kind: 'failed', problem });
    }
  }

  private async toLaunch(): Promise<Launch> {
    return {
      ...(await this.program()),
      args: ['serve', ...vscode.workspace.getConfiguration('aurora').get<string[]>('server.args', [])],
      cwd: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
    };
  }

  private async spawn(): Promise<SidecarProcess> {
    const launch = await this.toLaunch();
    this.launched = launch;
    this.log.info(`starting ${[launch.path, ...launch.args].join(' ')} in ${launch.cwd ?? 'no folder'}`);
    return startProcess(launch, (line) => this.log.info(`[sidecar] ${line}`));
  }

  private takeStatus(changed: Partial<Status>): void {
    this.status = { ...this.status, ...changed };
    this.statusEmitter.fire(this.status);
  }

  /** A process ended that nobody had asked to. */
  private onEnded(process: SidecarProcess, ended: Ended): void {
    if (this.running?.process !== process) return;
    this.running = undefined;
    const delayMs = this.backoff.next();
    const message = `The program ended unexpectedly (${describeEnd(ended)}).`;
    if (delayMs === undefined) {
      this.enter({ kind: 'failed', problem: { message, remedy: t('It did so several times; see the log, and try again.') } });
      return;
    }
    this.log.error(`${message} It is started again in ${delayMs / 1000} s.`);
    this.enter({ kind: 'waiting', delayMs, problem: { message, remedy: 'See the log.' } });
    this.retry = setTimeout(() => void this.enqueue(() => (this.current.kind === 'waiting' ? this.launch() : Promise.resolve())), delayMs);
  }

  private async startAgain(): Promise<void> {
    await this.end();
    this.enter({ kind: 'off' });
    if (vscode.workspace.workspaceFolders?.length) await this.launch();
  }

  private async end(): Promise<void> {
    clearTimeout(this.retry);
    const running = this.running;
    this.running = undefined;
    if (!running) return;
    await running.client.stop().catch((error: unknown) => this.log.warn(`stop: ${String(error)}`));
    running.process.child.stdin.end();
    await reap(running.process);
  }
}
