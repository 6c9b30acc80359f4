// Messages to the user: one for each cause, and none for what the user has cancelled.
import * as vscode from 'vscode';
import type { Problem } from './binary';
import { ProblemError } from './process';
import type { ErrorData } from './protocol';
import type { Sidecar } from './sidecar';
import { t } from './l10n';

/** LSP's RequestCancelled, and what the client says of requests whose connection is gone. */
const CANCELLED = -32800;
const CONNECTION_GONE = [-32096, -32097, -32098, -32099];

interface ResponseError {
  message: string;
  code?: number;
  data?: Partial<ErrorData>;
}

export function isCancelled(error: unknown): boolean {
  return error instanceof vscode.CancellationError || (error as ResponseError | undefined)?.code === CANCELLED;
}

/** What a failed request says to a person. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  const { message, code, data } = error as ResponseError;
  if (code !== undefined && CONNECTION_GONE.includes(code)) {
    return { message: t('The program ended before it answered.'), remedy: t('Ask again in a moment.') };
  }
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return { message: sentence[0] === undefined ? t('The request failed.') : sentence[0].toUpperCase() + sentence.slice(1), remedy: data?.remedy ?? '' };
}

/** Shows why a command failed. */
export function showError(error: unknown): void {
  if (isCancelled(error)) return;
  const { message, remedy } = problemOf(error);
  void vscode.window.showErrorMessage(`AURORA: ${message}${remedy ? ` ${remedy}` : ''}`);
}

/** Tells of a sidecar that stopped for good: one message until it runs again. */
export function watchFailures(sidecar: Sidecar): vscode.Disposable {
  let told = '';
  return sidecar.onDidChangeState((state) => {
    if (state.kind === 'running') told = '';
    if (state.kind !== 'failed' || told === state.problem.message) return;
    told = state.problem.message;
    void offer(state.problem);
  });
}

async function offer(problem: Problem): Promise<void> {
  const commands: Record<string, () => Thenable<unknown>> = {
    [t('Try Again')]: () => vscode.commands.executeCommand('aurora.restart'),
    [t('Open Log')]: () => vscode.commands.executeCommand('aurora.openLog'),
    [t('Settings')]: () => vscode.commands.executeCommand('workbench.action.openSettings', 'aurora.server.path'),
  };
  const chosen = await vscode.window.showErrorMessage(`AURORA: ${problem.message} ${problem.remedy}`, ...Object.keys(commands));
  if (chosen) await commands[chosen]?.();
}
