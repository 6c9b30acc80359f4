// The language client: the only module that loads vscode-languageclient, which takes longer than all others together.
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LSPErrorCodes,
  LanguageClient,
  ResponseError,
  RevealOutputChannelOn,
  State,
  type CloseHandlerResult,
  type DynamicFeature,
  type InitializeResult,
  type LanguageClientOptions,
  type StaticFeature,
} from 'vscode-languageclient/node';
import { answerQuestion } from './agentQuestion';
import { answerMessage } from './serverMessage';
import { ProblemError, describeEnd, type SidecarProcess } from './process';
import type { CompleteParams, CompleteResult, ProgressParams, Status } from './protocol';
import { Refusal } from './model/complete';
import { servedElsewhere } from './elsewhere';

/** The version of the protocol that this extension speaks. */
export const PROTOCOL = 1;

export interface ClientEvents {
  onStatus(changed: Partial<Status>): void;
  onProgress(progress: ProgressParams): void;
  /** The sidecar asks the editor's model. */
  onComplete(params: CompleteParams, token: vscode.CancellationToken): Promise<CompleteResult>;
}

/**
 * Leaves the server's commands alone: the client would register every one of them, though this extension answers the
 * same names with its own views.
 */
class AuroraClient extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ('registrationType' in feature && feature.registrationType.method === 'workspace/executeCommand') return;
    super.registerFeature(feature);
  }

  /** Only logs: Sidecar tells the user what happened, once. */
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  /** A client that failed to start stops itself, which fails, too, with nobody to notice. */
  override async stop(timeoutMs?: number): Promise<void> {
    if (this.state !== State.Starting) await super.stop(timeoutMs);
  }
}

export interface ClientSetup {
  log: vscode.LogOutputChannel;
  live: Record<string, unknown>;
  /** Whether the editor's model may be asked. */
  lends: boolean;
  events: ClientEvents;
  timeoutMs: number;
}

function options(setup: ClientSetup & { closed: () => CloseHandlerResult | Promise<CloseHandlerResult> }): LanguageClientOptions {
  return {
    documentSelector: [{ scheme: 'file' }],
    initializationOptions: { aurora: { client: { ask: true, progress: true, status: true, complete: setup.lends, editNote: true, restricted: !vscode.workspace.isTrusted, servedElsewhere: servedElsewhere() }, ...setup.live } },
    outputChannel: setup.log,
    traceOutputChannel: setup.log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    // Sidecar says what happened, once; the client's own messages would be a second one.
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => setup.closed(),
    },
    initializationFailedHandler: () => false,
    middleware: {
      // The status bar item shows it, from aurora/didChangeStatus.
      handleWorkDoneProgress: () => undefined,
    },
  };
}

/** Fails unless the program speaks our protocol. */
function checkVersion(result: InitializeResult | undefined): void {
  const announced = result?.capabilities.experimental as { aurora?: { protocol?: number } } | undefined;
  const protocol = announced?.aurora?.protocol;
  if (protocol === PROTOCOL) return;
  const server = result?.serverInfo ? `${result.serverInfo.name} ${result.serverInfo.version ?? ''}`.trim() : 'The program';
  throw new ProblemError(
    protocol === undefined
      ? { message: `${server} is not AURORA.`, remedy: 'Correct the setting aurora.server.path.' }
      : {
          message: `${server} speaks version ${protocol} of the protocol, this extension version ${PROTOCOL}.`,
          remedy: protocol > PROTOCOL ? 'Update the extension.' : 'Update the program aurora.',
        },
  );
}

/** Rejects when the process ends or stays silent for too long. */
function unlessItEnds(started: SidecarProcess, timeoutMs: number): { failed: Promise<never>; settle: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new ProblemError({
          message: `The program did not answer within ${timeoutMs / 1000} s.`,
          remedy: 'See the log, and try again; the setting aurora.server.startTimeoutSeconds gives it more time.',
        }),
      );
    }, timeoutMs);
    void started.ended.then((ended) => {
      reject(new ProblemError({ message: `The program ended when it started (${describeEnd(ended)}).`, remedy: 'See the log, and try again.' }));
    });
  });
  failed.catch(() => undefined); // it may reject when nobody waits any more
  return { failed, settle: () => clearTimeout(timer) };
}

/** What the client itself answers when messages can't be read, written or answered any more. */
const CONNECTION_CODES = [-32096, -32097, -32098, -32099];

/** Waits for the answer to initialize. A connection that closes instead says less than how the process ended. */
async function initialized(client: LanguageClient, failed: Promise<never>): Promise<void> {
  try {
    await client.start();
  } catch (error) {
    if (!(error instanceof ResponseError) || CONNECTION_CODES.includes(error.code)) await failed;
    throw error;
  }
}

/** Answers aurora/complete; a refusal is an answer, too, and no fault. */
async function answer(setup: ClientSetup, params: CompleteParams, token: vscode.CancellationToken): Promise<CompleteResult> {
  try {
    return await setup.events.onComplete(params, token);
  } catch (error) {
    if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof Refusal)) setup.log.error(`aurora/complete: ${message}`);
    throw new ResponseError(LSPErrorCodes.RequestFailed, message);
  }
}

/** Makes a client of a process that runs. Rejects with a ProblemError, and leaves the process to the caller. */
export async function connect(started: SidecarProcess, setup: ClientSetup): Promise<LanguageClient> {
  const streams = { reader: started.child.stdout, writer: started.child.stdin };
  const closed = (): CloseHandlerResult | Promise<CloseHandlerResult> => {
    // While it starts, an answer would make the client forget the promise that start has given.
    return client.state === State.Starting ? new Promise(() => undefined) : { action: CloseAction.DoNotRestart, handled: true };
  };
  const client = new AuroraClient('aurora', 'AURORA', () => Promise.resolve(streams), options({ ...setup, closed }));
  client.onNotification('aurora/didChangeStatus', (changed: Partial<Status>) => setup.events.onStatus(changed));
  client.onNotification('aurora/progress', (progress: ProgressParams) => setup.events.onProgress(progress));
  client.onRequest('aurora/ask', answerQuestion);
  client.onRequest('aurora/complete', (params: CompleteParams, token: vscode.CancellationToken) => answer(setup, params, token));
  const watch = unlessItEnds(started, setup.timeoutMs);
  try {
    await Promise.race([initialized(client, watch.failed), watch.failed]);
    checkVersion(client.initializeResult);
    client.onRequest('window/showMessageRequest', answerMessage); // in the place of the library's
  } finally {
    watch.settle();
  }
  return client;
}
