// What can be done with a row of the memory view.
import * as vscode from 'vscode';
import type { Jumper } from '../jump';
import type { MemoryRecord } from '../protocol';
import type { Sidecar } from '../sidecar';
import { uriOf } from './files';
import { placeOfRecord, tooltipOf } from './record';
import type { MemoryTree, RecordNode } from './tree';

export interface MemoryParts {
  sidecar: Sidecar;
  jumper: Jumper;
  tree: MemoryTree;
}

async function recall(parts: MemoryParts): Promise<void> {
  const words = await vscode.window.showInputBox({ title: 'AURORA: Recall', prompt: 'Words of what was remembered' });
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

async function forget(parts: MemoryParts, { record }: RecordNode): Promise<void> {
  const detail = `${tooltipOf(record)}\n\nFor 30 days "aurora mem restore" brings it back.`;
  const chosen = await vscode.window.showWarningMessage('Forget this?', { modal: true, detail }, 'Forget');
  if (chosen !== 'Forget') return;
  await parts.sidecar.request('aurora/forget', { ids: [record.hit.id] });
  parts.tree.refresh();
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
    'aurora.memory.forget': (node: RecordNode) => forget(parts, node),
  };
}
