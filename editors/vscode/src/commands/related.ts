// AURORA: Related Code.
import * as vscode from 'vscode';
import { hitItems } from '../search/items';
import { Preview } from '../search/preview';
import { keepOrder, type PickerItem } from '../search/picker';
import type { Jumper } from '../jump';
import type { Edge } from '../protocol';
import type { Sidecar } from '../sidecar';
import { placeOf, type ActionArgument } from './place';

/** The edges as rows, each kind under a heading of its own. */
export function relatedItems(edges: readonly Edge[]): PickerItem[] {
  const kinds = [...new Set(edges.map((edge) => edge.kind))];
  return kinds.flatMap((kind) => {
    const hits = edges.filter((edge) => edge.kind === kind).map((edge) => edge.to);
    return [{ label: kind, kind: vscode.QuickPickItemKind.Separator }, ...hitItems(hits, false)];
  });
}

export async function showRelated(sidecar: Sidecar, jumper: Jumper, argument?: ActionArgument): Promise<void> {
  const place = placeOf(argument);
  if (!place) {
    void vscode.window.showInformationMessage('AURORA: Open a file of the folder, and put the cursor on a name.');
    return;
  }
  const { start } = place.range;
  const result = await sidecar.request('aurora/related', {
    textDocument: { uri: place.uri.toString() },
    position: { line: start.line, character: start.character },
    direction: argument?.direction ?? 'all',
  });
  if (result.edges.length === 0) {
    void vscode.window.showInformationMessage(`AURORA: Nothing related was found. ${result.notes.join(' ')}`.trim());
    return;
  }
  pickRelated(result.edges, jumper);
}

function pickRelated(edges: readonly Edge[], jumper: Jumper): void {
  const pick = vscode.window.createQuickPick<PickerItem>();
  const preview = new Preview(jumper);
  const items = relatedItems(edges);
  let opened = false;
  pick.title = `AURORA: Related to ${edges[0]?.from.split(':').pop() ?? 'this'}`; // from an id: code:path:name
  pick.placeholder = 'Type to narrow';
  pick.matchOnDescription = true;
  keepOrder(pick);
  preview.expect(items.find((item) => item.hit)?.hit);
  pick.items = items;
  pick.onDidChangeActive(([item]) => preview.onActive(item?.hit));
  pick.onDidAccept(() => {
    const hit = pick.activeItems[0]?.hit;
    if (!hit) return;
    opened = true;
    jumper.used([hit], 'opened');
    pick.hide();
    void preview.settled().then(() => jumper.show(hit));
  });
  pick.onDidHide(() => {
    if (!opened) void preview.restore();
    pick.dispose();
  });
  pick.show();
}
