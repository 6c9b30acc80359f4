// AURORA: Show Status.
import * as vscode from 'vscode';
import { t } from '../l10n';
import type { Sidecar } from '../sidecar';
import { spent, statusRows } from '../status';

interface Row extends vscode.QuickPickItem {
  command?: string;
}

const actions = (paused: boolean): Row[] => [
  { label: 'actions', kind: vscode.QuickPickItemKind.Separator },
  { label: '$(refresh) Rebuild Index…', command: 'aurora.rebuild' },
  { label: '$(debug-restart) Restart', command: 'aurora.restart' },
  paused ? { label: '$(debug-start) Resume', command: 'aurora.resume' } : { label: '$(debug-pause) Pause', command: 'aurora.pause' },
  { label: '$(output) Open Log', command: 'aurora.openLog' },
  { label: '$(settings-gear) Settings', command: 'aurora.openSettings' },
];

/** @param lent what is to be said of the editor's own model */
async function rows(sidecar: Sidecar, lent: string): Promise<Row[]> {
  const { state } = sidecar;
  if (state.kind === 'failed' || state.kind === 'waiting') {
    return [{ label: `$(error) ${state.problem.message}`, detail: state.problem.remedy }];
  }
  if (state.kind === 'paused') return [{ label: '$(debug-pause) Paused' }];
  if (state.kind === 'off') return [{ label: '$(circle-slash) No folder is open' }];
  const status = await sidecar.request('aurora/status', {});
  const warnings = status.warnings.map((warning): Row => ({ label: `$(warning) ${warning}` }));
  const budget = status.llm.configured ? spent(await sidecar.request('aurora/budget', {})) : '';
  const extra: [string, string][] = budget === '' ? [] : [['Budget', budget]];
  return [...warnings, ...[...statusRows(status, lent), ...extra].map(([label, description]): Row => ({ label, description }))];
}

export async function showStatus(sidecar: Sidecar, lent: string): Promise<void> {
  const items = [...(await rows(sidecar, lent)), ...actions(sidecar.state.kind === 'paused')];
  const chosen = await vscode.window.showQuickPick(items, { title: t('AURORA: Status'), matchOnDescription: true });
  if (chosen?.command === 'aurora.openSettings') await vscode.commands.executeCommand('workbench.action.openSettings', 'aurora.');
  else if (chosen?.command) await vscode.commands.executeCommand(chosen.command);
}
