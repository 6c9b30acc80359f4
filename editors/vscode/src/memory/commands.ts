// What can be done with a row of the memory view.
import * as vscode from 'vscode';
import { t } from '../l10n';
import type { Jumper } from '../jump';
import type { MemoryRecord } from '../protocol';
import { plain } from '../search/items';
import type { Sidecar } from '../sidecar';
import { time } from '../status';
import { uriOf } from './files';
import { placeOfRecord, titleOf } from './record';
import type { MemoryTree, RecordNode } from './tree';

/** How many forgotten records are listed, the most that the sidecar gives. */
const LISTED = 100;

export interface MemoryParts {
  sidecar: Sidecar;
  jumper: Jumper;
  tree: MemoryTree;
}

async function recall(parts: MemoryParts): Promise<void> {
  const words = await vscode.window.showInputBox({ title: t('AURORA: Recall'), prompt: t('Words of what was remembered') });
  if (words !== undefined) parts.tree.recall(words.trim());
}

/** Shows a record: the file of a note, else the record as a document, which may be edited. */
export async function openRecord(jumper: Jumper, record: MemoryRecord, preview = true): Promise<void> {
  jumper.used([record.hit], 'opened');
  const uri = record.file && record.hit.uri ? vscode.Uri.parse(record.hit.uri) : uriOf(record);
  await vscode.window.showTextDocument(uri, { preview });
}

async function openPlace(parts: MemoryParts, { record }: RecordNode): Promise<void> {
  const place = placeOfRecord(record);
  if (!place) return;
  parts.jumper.used([record.hit], 'opened');
  await parts.jumper.showPlace(vscode.Uri.parse(place.uri), place.line - 1);
}

async function copy(parts: MemoryParts, { record }: RecordNode): Promise<void> {
  await vscode.env.clipboard.writeText(record.content);
  parts.jumper.used([record.hit], 'copied');
}

async function pin(parts: MemoryParts, { record }: RecordNode, pinned: boolean): Promise<void> {
  await parts.sidecar.request('aurora/revise', { id: record.hit.id, pinned });
  parts.tree.refresh();
}

/** Takes a record for right as it is: it leaves the review. */
async function accept(parts: MemoryParts, { record }: RecordNode): Promise<void> {
  await parts.sidecar.request('aurora/revise', { id: record.hit.id, accept: true });
  parts.tree.refresh();
}

/** Forgets at once: nothing is lost for 30 days, and Undo is one click away. */
async function forget(parts: MemoryParts, { record }: RecordNode): Promise<void> {
  const { ids } = await parts.sidecar.request('aurora/forget', { ids: [record.hit.id] });
  parts.tree.refresh();
  if (ids.length === 0) return; // somebody else has
  const title = titleOf(record);
  const chosen = await vscode.window.showInformationMessage(t('AURORA: Forgotten: {0}', title.length > 100 ? `${title.slice(0, 100)}…` : title), t('Undo'));
  if (chosen === t('Undo')) await bringBack(parts, ids);
}

async function bringBack(parts: MemoryParts, ids: string[]): Promise<void> {
  const { restored } = await parts.sidecar.request('aurora/restore', { ids });
  parts.tree.refresh();
  vscode.window.setStatusBarMessage(restored > 0 ? t('AURORA: remembered again') : t('AURORA: it can not be brought back any more'), 5000);
}

/** Lists what was forgotten, and brings back what is chosen. */
async function restore(parts: MemoryParts): Promise<void> {
  const { forgotten = [], total = 0 } = await parts.sidecar.request('aurora/restore', { limit: LISTED });
  if (forgotten.length === 0) {
    void vscode.window.showInformationMessage(t('AURORA: Nothing was forgotten in the last 30 days.'));
    return;
  }
  const items = forgotten.map(({ id, type, title, forgottenAt, until }) => ({
    id, label: plain(title), description: type === 'reasoning' ? 'pattern' : 'note', detail: `forgotten ${time(forgottenAt)}, kept until ${until.slice(0, 10)}`,
  }));
  const title = total > items.length ? t('AURORA: Bring Back (the latest {0} of {1})', items.length, total) : t('AURORA: Bring Back');
  const chosen = await vscode.window.showQuickPick(items, { title, canPickMany: true, matchOnDescription: true });
  if (chosen && chosen.length > 0) await bringBack(parts, chosen.map(({ id }) => id));
}

/** The commands of the memory view by id. */
export function memoryCommands(parts: MemoryParts): Record<string, (...given: never[]) => unknown> {
  return {
    'aurora.memory.recall': () => recall(parts),
    'aurora.memory.clear': () => parts.tree.recall(''),
    'aurora.memory.refresh': () => parts.tree.refresh(),
    'aurora.memory.open': (node: RecordNode) => openRecord(parts.jumper, node.record),
    'aurora.memory.edit': (node: RecordNode) => openRecord(parts.jumper, node.record, false),
    'aurora.memory.source': (node: RecordNode) => openPlace(parts, node),
    'aurora.memory.copy': (node: RecordNode) => copy(parts, node),
    'aurora.memory.pin': (node: RecordNode) => pin(parts, node, true),
    'aurora.memory.unpin': (node: RecordNode) => pin(parts, node, false),
    'aurora.memory.accept': (node: RecordNode) => accept(parts, node),
    'aurora.memory.forget': (node: RecordNode) => forget(parts, node),
    'aurora.memory.restore': () => restore(parts),
  };
}
