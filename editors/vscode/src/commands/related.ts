// AURORA: Related Code.
import * as vscode from 'vscode';
import { t } from '../l10n';
import { hitItems } from '../search/items';
import { Preview } from '../search/preview';
import { keepOrder, type PickerItem } from '../search/picker';
import type { Jumper } from '../jump';
import type { Edge } from '../protocol';
import { compareUses, useHit, usesBy, type Use } from '../references';
import type { Sidecar } from '../sidecar';
import { placeOf, type ActionArgument } from './place';

/** How long an answer of the language server is waited for where AURORA has none, in milliseconds. */
const WAIT_MS = 5000;
const CONFIRMED = 'also by the language server';
const CALLS: ReadonlySet<string> = new Set(['caller', 'reference', 'read', 'write', 'type']);

/** The edges as rows, each kind under a heading of its own, and, after those who use it, what only a language server knows. */
export function relatedItems(edges: readonly Edge[], uses: readonly Use[] = []): PickerItem[] {
  const { confirmed, others } = compareUses(edges, uses);
  const under = (heading: string, rows: PickerItem[]): PickerItem[] => (rows.length === 0 ? [] : [{ label: heading, kind: vscode.QuickPickItemKind.Separator }, ...rows]);
  const rowsOf = (kind: string): PickerItem[] => {
    const ofKind = edges.filter((edge) => edge.kind === kind);
    const sorted = [...ofKind.filter((edge) => confirmed.has(edge)), ...ofKind.filter((edge) => !confirmed.has(edge))];
    const items = hitItems(sorted.map((edge) => edge.to), false);
    return under(kind, items.map((item, i) => (confirmed.has(sorted[i] as Edge) ? { ...item, description: `${item.description} · ${CONFIRMED}` } : item)));
  };
  const kinds = [...new Set(edges.map((edge) => edge.kind))];
  const hits = others.map((use) => useHit(use, vscode.workspace.asRelativePath(vscode.Uri.parse(use.uri), false)));
  return [
    ...kinds.filter((kind) => CALLS.has(kind)).flatMap(rowsOf),
    ...under('use, by the language server', hitItems(hits, false).map((item) => ({ ...item, detail: '' }))),
    ...kinds.filter((kind) => !CALLS.has(kind)).flatMap(rowsOf),
  ];
}

export async function showRelated(sidecar: Sidecar, jumper: Jumper, argument?: ActionArgument): Promise<void> {
  const place = placeOf(argument);
  if (!place) {
    void vscode.window.showInformationMessage(t('AURORA: Open a file of the folder, and put the cursor on a name.'));
    return;
  }
  const { start } = place.range;
  const direction = argument?.direction ?? 'all';
  const uses = direction === 'all' || direction === 'callers' ? usesBy(place.uri, start) : Promise.resolve([]);
  const result = await sidecar.request('aurora/related', {
    textDocument: { uri: place.uri.toString() },
    position: { line: start.line, character: start.character },
    direction,
  });
  for (const edge of result.edges) {
    if (edge.at) edge.to.nameRange = edge.at; // one goes to the call, not to who calls
  }
  const late = new Promise<Use[]>((resolve) => setTimeout(() => { resolve([]); }, WAIT_MS));
  if (result.edges.length === 0 && (await Promise.race([uses, late])).length === 0) {
    void vscode.window.showInformationMessage([t('AURORA: Nothing related was found.'), ...result.notes].join(' '));
    return;
  }
  pickRelated(result.edges, uses, jumper);
}

/** @param uses come when the language server has answered, into the list that is already there */
function pickRelated(edges: readonly Edge[], uses: Promise<Use[]>, jumper: Jumper): void {
  const pick = vscode.window.createQuickPick<PickerItem>();
  const preview = new Preview(jumper);
  let opened = false;
  let hidden = false;
  const show = (items: PickerItem[]): void => {
    const at = pick.activeItems[0]?.hit;
    preview.expect(items.find((item) => item.hit)?.hit);
    pick.items = items;
    const same = items.find((item) => item.hit && item.hit === at);
    if (same) pick.activeItems = [same];
  };
  pick.title = `AURORA: Related to ${edges[0]?.from.split(':').pop() ?? 'this'}`; // from an id: code:path:name
  pick.placeholder = t('Type to narrow');
  pick.matchOnDescription = true;
  keepOrder(pick);
  show(relatedItems(edges));
  pick.busy = true;
  void uses.then((found) => {
    if (hidden) return;
    pick.busy = false;
    if (found.length > 0) show(relatedItems(edges, found));
  });
  pick.onDidChangeActive(([item]) => preview.onActive(item?.hit));
  pick.onDidAccept(() => {
    const hit = pick.activeItems[0]?.hit;
    if (!hit) return;
    opened = true;
    if (hit.id !== '') jumper.used([hit], 'opened');
    pick.hide();
    void preview.settled().then(() => jumper.show(hit));
  });
  pick.onDidHide(() => {
    hidden = true;
    if (!opened) void preview.restore();
    pick.dispose();
  });
  pick.show();
}
