// What can be done with a row of the memory view.
import * as vscode from 'vscode';
import type { Jumper } from '../jump';
import type { Sidecar } from '../sidecar';
import { recordText, sharedViews, showRecord } from '../views';
import { recordTitle } from '../hits';
import type { RememberedStore } from './remembered';
import type { MemoryTree, Node } from './tree';

export interface MemoryParts {
  sidecar: Sidecar;
  jumper: Jumper;
  tree: MemoryTree;
  remembered: RememberedStore;
}

type RecordNode = Extract<Node, { kind: 'record' | 'note' }>;

const idOf = (node: RecordNode): string => (node.kind === 'record' ? node.hit.id : node.note.id);
const textOf = (node: RecordNode): string => (node.kind === 'record' ? node.hit.snippet : node.note.content);

async function recall(parts: MemoryParts): Promise<void> {
  const words = await vscode.window.showInputBox({ title: 'AURORA: Recall', prompt: 'Words of what was remembered' });
  if (words !== undefined) parts.tree.recall(words.trim());
}

async function open(parts: MemoryParts, node: RecordNode): Promise<void> {
  if (node.kind === 'note') {
    await sharedViews().show(`${recordTitle(node.note.content).slice(0, 60)}.md`, `${node.note.content}\n`);
    return;
  }
  parts.jumper.used([node.hit], 'opened');
  await showRecord(node.hit);
}

async function forget(parts: MemoryParts, node: RecordNode): Promise<void> {
  const detail = node.kind === 'record' ? recordText(node.hit) : node.note.content;
  const chosen = await vscode.window.showWarningMessage('Forget this?', { modal: true, detail }, 'Forget');
  if (chosen !== 'Forget') return;
  await parts.sidecar.request('aurora/forget', { ids: [idOf(node)] });
  await parts.remembered.remove(idOf(node));
  parts.tree.refresh();
}

/** The commands of the memory view by id. */
export function memoryCommands(parts: MemoryParts): Record<string, (...given: never[]) => unknown> {
  return {
    'aurora.memory.recall': () => recall(parts),
    'aurora.memory.clear': () => parts.tree.recall(''),
    'aurora.memory.refresh': () => parts.tree.refresh(),
    'aurora.memory.open': (node: RecordNode) => open(parts, node),
    'aurora.memory.source': (node: RecordNode) => (node.kind === 'record' ? parts.jumper.show(node.hit) : undefined),
    'aurora.memory.copy': (node: RecordNode) => vscode.env.clipboard.writeText(textOf(node)),
    'aurora.memory.forget': (node: RecordNode) => forget(parts, node),
  };
}
