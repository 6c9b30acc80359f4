// AURORA: Trust This Workspace.
import * as vscode from 'vscode';
import { agentDoes } from '../agents';
import type { Sidecar } from '../sidecar';

/** Lets what this workspace brings along run programs and send data, once a person has seen what that is; or no longer. */
export async function trustWorkspace(sidecar: Sidecar): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    // VS Code's own question comes first: AURORA trusts nothing that the window does not.
    await vscode.commands.executeCommand('workbench.trust.manage');
    return;
  }
  await sidecar.ready();
  const { folders } = await sidecar.request('aurora/trust', {});
  const trusted = folders.length > 0 && folders.every((folder) => folder.trusted);
  const { agents } = await sidecar.request('aurora/agents', {});
  const brought = agents.filter((agent) => agent.origin === 'project').map(agentDoes);
  const question = trusted
    ? 'This workspace is trusted: its agents and settings may run programs and send data.'
    : 'Let what this workspace brings along, its agents and settings, run programs and send data?';
  const action = trusted ? 'Trust No Longer' : 'Trust';
  const detail = brought.length > 0 ? brought.join('\n') : 'It brings no agents along now; what it brings later will count, too.';
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, action)) !== action) return;
  await sidecar.request('aurora/trust', { trusted: !trusted });
  await sidecar.restart(); // settings of the project count, or no longer
  vscode.window.setStatusBarMessage(`AURORA: this workspace is ${trusted ? 'trusted no longer' : 'trusted'}`, 5000);
}
