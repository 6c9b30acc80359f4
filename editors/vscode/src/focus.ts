// Looks for what other programs have changed when a person comes back: events of files can be missed, on network file
// systems they do not even come.
import * as vscode from 'vscode';
import type { Sidecar } from './sidecar';

/** How seldom that is done, in milliseconds. */
export const EVERY_MS = 60_000;

/** Looks when the window gets the focus, at most once a minute. */
export function watchFocus(sidecar: Pick<Sidecar, 'state' | 'request'>, log: vscode.LogOutputChannel, now: () => number = Date.now): vscode.Disposable {
  let last = now() - EVERY_MS; // the first time at once: much may have changed since the sidecar has looked
  let focused = vscode.window.state.focused;
  return vscode.window.onDidChangeWindowState((state) => {
    const came = state.focused && !focused;
    focused = state.focused;
    if (!came || sidecar.state.kind !== 'running' || now() - last < EVERY_MS) return;
    last = now();
    sidecar.request('aurora/refresh', { paths: [] }).catch((error: unknown) => log.warn(`refresh: ${String(error)}`));
  });
}
