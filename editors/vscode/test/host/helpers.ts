import assert from 'node:assert/strict';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Api } from '../../src/extension';
import type { SidecarState } from '../../src/status';

export const SCRIPTED = process.env['AURORA_TEST_SCRIPTED'] as string;

export const extension = (): vscode.Extension<Api> => vscode.extensions.getExtension<Api>('aurora-sidecar.aurora') as vscode.Extension<Api>;
export const api = (): Promise<Api> => Promise.resolve(extension().activate());

/** Resolves with what probe finds, asked again whenever one of the events fires. */
export function until<T>(what: string, events: vscode.Event<unknown>[], probe: () => T | undefined | false): Promise<T> {
  return new Promise((resolve, reject) => {
    const listeners: vscode.Disposable[] = [];
    const timer = setTimeout(() => { done(); reject(new Error(`never: ${what}`)); }, 90_000);
    const done = (): void => { clearTimeout(timer); listeners.forEach((listener) => { listener.dispose(); }); };
    const look = (): void => {
      const found = probe();
      if (found === undefined || found === false) return;
      done();
      resolve(found);
    };
    for (const event of events) listeners.push(event(look));
    look();
  });
}

/** Asks again and again: for what the sidecar does, but does not tell of. */
export async function eventually(what: string, probe: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (!(await probe())) {
    assert.ok(Date.now() < deadline, `never: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

export async function state<K extends SidecarState['kind']>(kind: K): Promise<Extract<SidecarState, { kind: K }>> {
  const { sidecar } = await api();
  const found = await until(`the state ${kind}, now ${sidecar.state.kind}`, [sidecar.onDidChangeState], () => sidecar.state.kind === kind && sidecar.state);
  return found as Extract<SidecarState, { kind: K }>;
}

/** Waits for a sidecar that has indexed everything; returns how many files. */
export async function indexed(): Promise<number> {
  await state('running');
  const { sidecar } = await api();
  return until('the index', [sidecar.onDidChangeStatus], () => sidecar.status.state === 'ready' && sidecar.status.files?.indexed);
}

/** Starts again with a setting; returns when the next state is entered that a start leads to. */
export async function withSetting(key: string, value: unknown, ended: SidecarState['kind'][] = ['running', 'failed']): Promise<SidecarState> {
  const { sidecar } = await api();
  let began = false;
  const settled = until(`an end of the start with ${key}`, [sidecar.onDidChangeState], () => {
    if (sidecar.state.kind === 'starting') began = true;
    return began && ended.includes(sidecar.state.kind) && sidecar.state;
  });
  await vscode.workspace.getConfiguration('aurora').update(key, value, vscode.ConfigurationTarget.Global);
  return settled;
}

export async function open(name: string): Promise<vscode.TextEditor> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  return vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, ...name.split('/')));
}

/** Puts the cursor on the first place of a text. */
export function cursorOn(editor: vscode.TextEditor, text: string): vscode.Position {
  const at = editor.document.positionAt(editor.document.getText().indexOf(text));
  editor.selection = new vscode.Selection(at, at);
  return at;
}

export const scripted = (mode: string): string => path.join(path.dirname(SCRIPTED), `aurora-${mode}`);
