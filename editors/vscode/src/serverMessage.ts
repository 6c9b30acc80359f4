// What the server asks the user by window/showMessageRequest.
import * as vscode from 'vscode';
import { trustQuestion } from './trustQuestion';
import type { ServerMessage } from './trustQuestion';

/** Shows a message with its actions, and returns the one that the user chose as it came. What is about trust is shown whole. */
export async function answerMessage(params: ServerMessage): Promise<vscode.MessageItem | null> {
  const actions = params.actions ?? [];
  const trust = trustQuestion(params);
  if (trust) {
    const chosen = await vscode.window.showWarningMessage(trust.question, { modal: true, detail: trust.detail }, trust.agree.title);
    return chosen === trust.agree.title && vscode.workspace.isTrusted ? trust.agree : null;
  }
  const show = { 1: vscode.window.showErrorMessage, 2: vscode.window.showWarningMessage }[params.type] ?? vscode.window.showInformationMessage;
  return (await show(params.message, ...actions)) ?? null;
}
