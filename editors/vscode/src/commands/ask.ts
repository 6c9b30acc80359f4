// AURORA: Ask.
import * as vscode from 'vscode';
import type { AnswerPanels } from '../answer/panels';
import { placeOf, type ActionArgument } from './place';
import { t } from '../l10n';

/** Asks the argument's question, else the one that the user types; about the selection, where there is one. With changes the answer may end in one. */
export async function ask(panels: AnswerPanels, argument?: ActionArgument, changes = false): Promise<void> {
  const place = placeOf(argument);
  const about = place && (argument?.textDocument || place.text !== '') ? place : undefined;
  const query = argument?.query ?? (await (changes ? askForChange() : askForQuestion(about !== undefined)));
  if (query === undefined || query.trim() === '') return;
  await panels.ask({ query: query.trim(), ...(about ? { about: { uri: about.uri, range: about.range } } : {}), ...(changes ? { changes } : {}) });
}

function askForChange(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Propose a Change'),
    placeHolder: t('Retry the upload three times'),
    prompt: t('The model proposes it, and nothing is written before you have seen it'),
  });
}

function askForQuestion(selected: boolean): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Ask AURORA'),
    placeHolder: selected ? t('What would you like to know about the selection?') : t('Where is … defined? Who calls …? Why is … here?'),
    prompt: selected ? t('About the selection') : t('Answered from the code, git and what you remembered'),
  });
}
