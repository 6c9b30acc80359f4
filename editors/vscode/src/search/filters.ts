// Which types and languages a search is for.
import * as vscode from 'vscode';
import { t } from '../l10n';
import type { Filters } from './items';

/** The types of the protocol's Hit. */
export const TYPES = ['function', 'method', 'class', 'code', 'reasoning', 'knowledge'] as const;

interface FilterItem extends vscode.QuickPickItem {
  filter?: 'types' | 'languages';
}

function items(known: readonly string[]): FilterItem[] {
  const separator = (label: string): FilterItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const types = TYPES.map((label): FilterItem => ({ label, filter: 'types' }));
  const languages = [...known].sort().map((label): FilterItem => ({ label, filter: 'languages' }));
  return [separator('types'), ...types, separator('languages'), ...languages];
}

/** Asks for the filters; the old ones when the user leaves without choosing. */
export async function chooseFilters(filters: Filters, languages: readonly string[]): Promise<Filters> {
  const all = items(languages).map((item) => ({ ...item, picked: item.filter !== undefined && filters[item.filter].includes(item.label) }));
  const chosen = await vscode.window.showQuickPick(all, {
    canPickMany: true,
    title: t('AURORA: Search only'),
    placeHolder: t('Nothing chosen means everything'),
  });
  if (!chosen) return filters;
  const of = (filter: FilterItem['filter']): string[] => chosen.filter((item) => item.filter === filter).map((item) => item.label);
  return { types: of('types'), languages: of('languages') };
}
