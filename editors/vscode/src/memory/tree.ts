// The memory view: what is remembered about the file in front, what was remembered lately, and what was recalled.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { hitIcon, hitLabel, hitName, isRecord, recordTitle } from '../hits';
import { isCancelled, problemOf } from '../notify';
import type { Hit } from '../protocol';
import type { Sidecar } from '../sidecar';
import { recordText } from '../views';
import type { Remembered, RememberedStore } from './remembered';

type Group = 'recalled' | 'file' | 'latest';

export type Node =
  | { kind: 'group'; group: Group; label: string }
  | { kind: 'record'; hit: Hit }
  | { kind: 'note'; note: Remembered }
  | { kind: 'message'; text: string };

const RECORDS = ['knowledge', 'reasoning'];
const LIMIT = 30;

export class MemoryTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private recalled = '';

  constructor(
    private readonly sidecar: Sidecar,
    private readonly remembered: RememberedStore,
  ) {}

  /** Lists what memory has for some words; '' lists nothing. */
  recall(words: string): void {
    this.recalled = words;
    void vscode.commands.executeCommand('setContext', 'aurora.memory.recalled', words !== '');
    this.refresh();
  }

  refresh(): void {
    this.changed.fire();
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'group':
        return groupItem(node.label, node.group);
      case 'record':
        return recordItem(node);
      case 'note':
        return noteItem(node);
      case 'message':
        return new vscode.TreeItem(node.text);
    }
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) return this.groups();
    if (node.kind !== 'group') return [];
    switch (node.group) {
      case 'recalled':
        return this.search(this.recalled);
      case 'file':
        return this.search(fileWords());
      case 'latest':
        return this.remembered.all().map((note): Node => ({ kind: 'note', note }));
    }
  }

  dispose(): void {
    this.changed.dispose();
  }

  private groups(): Node[] {
    if (this.sidecar.state.kind !== 'running') return [];
    const groups: Node[] = [];
    if (this.recalled !== '') groups.push({ kind: 'group', group: 'recalled', label: `Recalled: ${this.recalled}` });
    const file = vscode.window.activeTextEditor?.document;
    if (file?.uri.scheme === 'file') groups.push({ kind: 'group', group: 'file', label: `About ${path.basename(file.fileName)}` });
    if (this.remembered.all().length > 0) groups.push({ kind: 'group', group: 'latest', label: 'Remembered here' });
    if (groups.length === 0) groups.push({ kind: 'message', text: 'Open a file, or recall by words (the magnifier above).' });
    return groups;
  }

  private async search(query: string): Promise<Node[]> {
    if (query === '') return [];
    try {
      const result = await this.sidecar.request('aurora/search', { query, limit: LIMIT, scope: { types: RECORDS } });
      const records = result.hits.filter(isRecord);
      if (records.length > 0) return records.map((hit): Node => ({ kind: 'record', hit }));
      return [{ kind: 'message', text: 'Nothing remembered' }];
    } catch (error) {
      return isCancelled(error) ? [] : [{ kind: 'message', text: problemOf(error).message }];
    }
  }
}

/** The words that name the file in front: its name without extension, and its path. */
function fileWords(): string {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.uri.scheme !== 'file') return '';
  const name = path.parse(document.fileName).name;
  return `${name} ${vscode.workspace.asRelativePath(document.uri, false)}`;
}

function groupItem(label: string, group: Group): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `${group}:${label}`;
  item.contextValue = 'group';
  return item;
}

function recordItem(node: Extract<Node, { kind: 'record' }>): vscode.TreeItem {
  const { hit } = node;
  const item = new vscode.TreeItem(recordTitle(hit.snippet) || hitName(hit));
  item.iconPath = new vscode.ThemeIcon(hitIcon(hit));
  item.description = [hit.tags?.join(', ') ?? '', hit.path ? hitLabel(hit) : ''].filter(Boolean).join(' · ');
  item.tooltip = recordText(hit);
  item.contextValue = hit.uri ? 'record placed' : 'record';
  item.command = { command: 'aurora.memory.open', title: 'Open', arguments: [node] };
  return item;
}

function noteItem(node: Extract<Node, { kind: 'note' }>): vscode.TreeItem {
  const item = new vscode.TreeItem(recordTitle(node.note.content));
  item.iconPath = new vscode.ThemeIcon('note');
  item.description = node.note.source ?? '';
  item.tooltip = node.note.content;
  item.contextValue = 'record';
  item.command = { command: 'aurora.memory.open', title: 'Open', arguments: [node] };
  return item;
}
