// AURORA: Write a Problem Report. Nothing is sent; the user reads it first.
import * as os from 'node:os';
import * as vscode from 'vscode';
import type { Sidecar } from '../sidecar';
import { statusRows } from '../status';

async function statusOf(sidecar: Sidecar): Promise<string[]> {
  const { state } = sidecar;
  if (state.kind === 'failed' || state.kind === 'waiting') return [`state: ${state.kind}: ${state.problem.message}`];
  if (state.kind !== 'running') return [`state: ${state.kind}`];
  const status = await sidecar.request('aurora/status', {});
  // The folders' names are nobody else's business.
  return statusRows(status).filter(([label]) => label !== 'Folders').map(([label, value]) => `${label}: ${value}`);
}

export async function report(context: vscode.ExtensionContext, sidecar: Sidecar): Promise<void> {
  const { version } = context.extension.packageJSON as { version: string };
  const lines = [
    '# AURORA: problem report',
    '',
    'What did you do, what did you expect, and what happened?',
    '',
    '## About',
    '',
    `Extension ${version}, ${vscode.env.appName} ${vscode.version}, ${os.type()} ${os.release()} ${process.arch}, Node ${process.version}`,
    '',
    ...(await statusOf(sidecar)).map((line) => `- ${line}`),
    '',
    'The log is under Output, AURORA; read it before you pass it on.',
  ];
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: `${lines.join('\n')}\n` });
  await vscode.window.showTextDocument(document);
}
