// AURORA: Trust This Workspace.
import * as vscode from 'vscode';
import type { Sidecar } from '../sidecar';

/**
 * Lets what this workspace brings along run programs and send data, or no longer. The sidecar itself asks, showing what that
 * is: nothing that this extension sends gives trust.
 */
export async function trustWorkspace(sidecar: Sidecar): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    // VS Code's own question comes first: AURORA trusts nothing that the window does not.
    await vscode.commands.executeCommand('workbench.trust.manage');
    return;
  }
  await sidecar.ready();
  const { folders } = await sidecar.request('aurora/trust', {});
  const trusted = folders.length > 0 && folders.every((folder) => folder.trusted);
  if (trusted) {
    const question = 'This workspace is trusted: its agents and settings may run programs and send data.';
    const action = 'Trust No Longer';
    if ((await vscode.window.showWarningMessage(question, { modal: true }, action)) !== action) return;
  }
  const after = await sidecar.request('aurora/trust', { trusted: !trusted });
  if (!after.folders.some((folder) => folder.changed)) return;
  await sidecar.restart(); // settings of the project count, or no longer
  vscode.window.setStatusBarMessage(`AURORA: this workspace is ${trusted ? 'trusted no longer' : 'trusted'}`, 5000);
}
