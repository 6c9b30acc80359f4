// AURORA: Show Context for Selection.
import * as vscode from 'vscode';
import { t } from '../l10n';
import { fromRange, type Jumper } from '../jump';
import type { ContextResult } from '../protocol';
import type { Sidecar } from '../sidecar';
import { count } from '../status';
import { sharedViews } from '../views';
import { placeOf, type ActionArgument } from './place';

function summary(result: ContextResult): string {
  const left = result.omitted > 0 ? `, ${result.omitted} left out` : '';
  return `${count(result.snippets.length, 'snippet')}, about ${result.tokens.total} of ${result.budgetTokens} tokens${left}`;
}

const EXTENSIONS: Record<string, string> = { markdown: 'md', xml: 'xml', json: 'json' };

export async function showContext(sidecar: Sidecar, jumper: Jumper, argument?: ActionArgument): Promise<void> {
  const place = placeOf(argument);
  if (!place) {
    void vscode.window.showInformationMessage(t('AURORA: Open a file of the folder, and select what the context is for.'));
    return;
  }
  const config = vscode.workspace.getConfiguration('aurora');
  const format = config.get<string>('context.format', 'markdown');
  const result = await sidecar.request('aurora/context', {
    textDocument: { uri: place.uri.toString() },
    range: fromRange(place.range),
    budgetTokens: config.get<number>('context.budgetTokens', 4000),
    format,
  });
  const name = `Context for ${place.uri.path.split('/').pop() ?? ''} ${place.range.start.line + 1}.${EXTENSIONS[format] ?? 'md'}`;
  await sharedViews().show(name, result.text, vscode.ViewColumn.Beside);
  await offerCopy(result, jumper);
}

async function offerCopy(result: ContextResult, jumper: Jumper): Promise<void> {
  const notes = result.notes.length > 0 ? ` ${result.notes.join(' ')}` : '';
  const copy = t('Copy');
  const chosen = await vscode.window.showInformationMessage(`AURORA: ${summary(result)}.${notes}`, copy);
  if (chosen !== copy) return;
  await vscode.env.clipboard.writeText(result.text);
  jumper.used(result.snippets, 'copied');
}
