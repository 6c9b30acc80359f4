// The questions that agents put to the user.
import * as vscode from 'vscode';
import { askReply } from './agents';
import type { AskParams, AskResult } from './protocol';

/** Answers aurora/ask: a choice by a quick pick, a text by an input box. The token closes both. */
export async function answerQuestion(params: AskParams, token: vscode.CancellationToken): Promise<AskResult> {
  const title = `AURORA: ${params.agentId} asks`;
  if (params.choices?.length) {
    const items = params.choices.map((label) => ({ label, ...(label === params.default ? { description: 'default' } : {}) }));
    const chosen = await vscode.window.showQuickPick(items, { title, placeHolder: params.question, ignoreFocusOut: true }, token);
    return askReply(chosen?.label);
  }
  const typed = await vscode.window.showInputBox({ title, prompt: params.question, value: params.default ?? '', ignoreFocusOut: true }, token);
  return askReply(typed);
}
