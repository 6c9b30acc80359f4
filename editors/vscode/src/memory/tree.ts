// The memory view: what is to be reviewed, pinned, decided, noted and learnt here, what is remembered about the file in front,
// and what was recalled.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { isRecord } from '../hits';
import { isCancelled, problemOf } from '../notify';
import type { MemoryRecord } from '../protocol';
import type { Sidecar } from '../sidecar';
import { Throttle } from '../answer/throttle';
import { contextOf, descriptionOf, iconOf, ofHit, titleOf, tooltipOf } from './record';
import { t } from '../l10n';

type View = 'review' | 'pinned' | 'decisions' | 'notes' | 'patterns';
type Source = View | 'recalled' | 'file';

export type RecordNode = { kind: 'record'; record: MemoryRecord; source: Source };
export type Node = { kind: 'group'; source: Source; label: string; icon: string; children: Node[]; total: number } | RecordNode | { kind: 'message'; text: string };

const RECORDS = ['knowledge', 'reasoning'];
const LIMIT = 30;
/** Records that recalling shows, marked as weak, when none of them is plausible. */
const LEAST = 3;
/** How often the view may look again by itself. */
const REFRESH_MS = 1000;

const views = (): { view: View; label: string; icon: string }[] => [
  { view: 'review', label: t('To Review'), icon: 'checklist' },
  { view: 'pinned', label: t('Pinned'), icon: 'pinned' },
  { view: 'decisions', label: t('Recent Decisions'), icon: 'law' },
  { view: 'notes', label: t('Notes'), icon: 'note' },
  { view: 'patterns', label: t('Patterns'), icon: 'lightbulb' },
];

export class MemoryTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly looking = new Throttle(REFRESH_MS, () => this.changed.fire());
  private recalled = '';

  constructor(private readonly sidecar: Sidecar) {}

  /** Lists what memory has for some words; '' lists nothing. */
  recall(words: string): void {
    this.recalled = words;
    void vscode.commands.executeCommand('setContext', 'aurora.memory.recalled', words !== '');
    this.refresh();
  }

  /** Looks again, at once. */
  refresh(): void {
    this.looking.call();
  }

  /** Looks again, but not too often. */
  refreshSoon(): void {
    this.looking.ask();
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'group':
        return groupItem(node);
      case 'record':
        return recordItem(node);
      case 'message':
        return new vscode.TreeItem(node.text);
    }
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node) return node.kind === 'group' ? node.children : [];
    if (this.sidecar.state.kind !== 'running') return [];
    try {
      const found = await Promise.all([this.recalledGroup(), this.aboutFile(), ...views().map(({ view, label, icon }) => this.list(view, label, icon))]);
      const groups = found.filter((group) => group !== undefined);
      return groups.length > 0 ? groups : [{ kind: 'message', text: t('Nothing is remembered yet (Ctrl+K N remembers).') }];
    } catch (error) {
      return isCancelled(error) ? [] : [{ kind: 'message', text: problemOf(error).message }];
    }
  }

  dispose(): void {
    this.looking.cancel();
    this.changed.dispose();
  }

  private async list(view: View, label: string, icon: string): Promise<Node | undefined> {
    const { records, total } = await this.sidecar.request('aurora/records', { view, limit: LIMIT });
    return records.length > 0 ? group(view, label, icon, records, total) : undefined;
  }

  private async recalledGroup(): Promise<Node | undefined> {
    if (this.recalled === '') return undefined;
    const records = await this.search(this.recalled);
    const node = group('recalled', `Recalled: ${this.recalled}`, 'search', records, records.length);
    if (records.length === 0) node.children.push({ kind: 'message', text: t('Nothing remembered') });
    return node;
  }

  private async aboutFile(): Promise<Node | undefined> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.uri.scheme !== 'file') return undefined;
    const { records, total } = await this.sidecar.request('aurora/records', { uri: document.uri.toString(), limit: LIMIT });
    return records.length > 0 ? group('file', t('About {0}', path.basename(document.fileName)), 'file-code', records, total) : undefined;
  }

  private async search(query: string): Promise<MemoryRecord[]> {
    const { hits } = await this.sidecar.request('aurora/search', { query, limit: LIMIT, atLeast: LEAST, scope: { types: RECORDS } });
    return hits.filter(isRecord).map(ofHit);
  }
}

function group(source: Source, label: string, icon: string, records: MemoryRecord[], total: number): Extract<Node, { kind: 'group' }> {
  const children = records.map((record): Node => ({ kind: 'record', record, source }));
  return { kind: 'group', source, label, icon, children, total };
}

function groupItem(node: Extract<Node, { kind: 'group' }>): vscode.TreeItem {
  const item = new vscode.TreeItem(node.label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `${node.source}:${node.label}`;
  item.iconPath = new vscode.ThemeIcon(node.icon);
  const shown = node.children.filter((child) => child.kind === 'record').length;
  item.description = node.total > shown ? `${shown} of ${node.total}` : String(node.total);
  item.contextValue = 'group';
  return item;
}

function recordItem(node: RecordNode): vscode.TreeItem {
  const { record, source } = node;
  const item = new vscode.TreeItem(titleOf(record));
  item.id = `${source}:${record.hit.id}`;
  item.iconPath = new vscode.ThemeIcon(iconOf(record), record.stale ? new vscode.ThemeColor('list.warningForeground') : undefined);
  item.description = descriptionOf(record);
  item.tooltip = tooltipOf(record);
  item.contextValue = contextOf(record);
  item.command = { command: 'aurora.memory.open', title: 'Open', arguments: [node] };
  return item;
}
