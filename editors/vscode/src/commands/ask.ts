// AURORA: Ask.
import * as vscode from 'vscode';
import type { AnswerPanels } from '../answer/panel';
import { placeOf, type ActionArgument } from './place';

/** Asks the argument's question, else the one that the user types; about the selection, where there is one. */
export async function ask(panels: AnswerPanels, argument?: ActionArgument): Promise<void> {
  const place = placeOf(argument);
  const about = place && (argument?.textDocument || place.text !== '') ? place : undefined;
  const query = argument?.query ?? (await askForQuestion(about !== undefined));
  if (query === undefined || query.trim() === '') return;
  await panels.ask({ query: query.trim(), ...(about ? { about: { uri: about.uri, range: about.range } } : {}) });
}

function askForQuestion(selected: boolean): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: 'Ask AURORA',
    placeHolder: selected ? 'What would you like to know about the selection?' : 'Where is … defined? Who calls …? Why is … here?',
    prompt: selected ? 'About the selection' : 'Answered from the code, git and what you remembered',
  });
}
