// The search picker: results while you type, a preview of the one you are on.
import * as vscode from 'vscode';
import { isCancelled, problemOf } from '../notify';
import type { Hit, SearchResult } from '../protocol';
import type { Jumper } from '../jump';
import type { Sidecar } from '../sidecar';
import { chooseFilters } from './filters';
import { emptyReason, hitItems, scopeOf, summary, type Filters } from './items';
import { LiveSearch } from './live';
import { Preview } from './preview';
import type { RecentQueries } from './recent';
import { t } from '../l10n';

export interface PickerItem extends vscode.QuickPickItem {
  hit?: Hit;
  query?: string;
}

interface Buttons {
  filter: vscode.QuickInputButton;
  explain: vscode.QuickInputButton;
  aside: vscode.QuickInputButton;
}

const buttons = (filtered: boolean, explain: boolean): Buttons => ({
  filter: { iconPath: new vscode.ThemeIcon(filtered ? 'filter-filled' : 'filter'), tooltip: t('Types and languages') },
  explain: { iconPath: new vscode.ThemeIcon(explain ? 'code' : 'question'), tooltip: explain ? t('Show the code') : t('Explain the scores') },
  aside: { iconPath: new vscode.ThemeIcon('split-horizontal'), tooltip: t('Open to the side') },
});

/** The latest search, for "Explain Last Ranking". */
export interface LastSearch {
  query: string;
  result: SearchResult;
}

export class SearchPicker {
  private filters: Filters = { types: [], languages: [] };
  private explain = false;
  last: LastSearch | undefined;

  constructor(
    private readonly sidecar: Sidecar,
    private readonly jumper: Jumper,
    private readonly recent: RecentQueries,
  ) {}

  /** Opens the picker; query is what is typed in it at first. */
  async open(query = ''): Promise<void> {
    await this.sidecar.ready();
    const pick = vscode.window.createQuickPick<PickerItem>();
    pick.title = t('AURORA: Search Code and Memory');
    pick.placeholder = t('Words, a name or a question; type:function, lang:go and path:internal/ narrow it');
    keepOrder(pick);
    const preview = new Preview(this.jumper);
    const live = this.liveSearch(pick, preview);
    const ask = (value: string): void => {
      if (value.trim() === '') {
        live.cancel();
        this.showRecent(pick);
      } else live.ask(value);
    };
    let kept = false;
    const keep = (): Promise<void> => {
      kept = true;
      return preview.settled();
    };
    this.showButtons(pick);
    pick.onDidChangeValue(ask);
    pick.onDidChangeActive(([item]) => preview.onActive(item?.hit));
    pick.onDidTriggerButton((button) => void this.onButton(pick, button, ask));
    pick.onDidTriggerItemButton(({ item }) => void this.accept(pick, item, true, keep));
    pick.onDidAccept(() => void this.accept(pick, pick.activeItems[0], false, keep));
    const news = this.sidecar.onDidChangeStatus((status) => {
      // What was found in half an index is found again in the whole one.
      if (status.state === 'ready' && this.last?.query === pick.value && this.last.result.index.state !== 'ready') ask(pick.value);
    });
    pick.onDidHide(() => {
      live.cancel();
      if (!this.choosing) news.dispose();
      if (!kept && !this.choosing) void preview.restore();
      if (!this.choosing) pick.dispose();
    });
    pick.value = query;
    pick.show();
    ask(query);
  }

  /** The filters are being chosen, in a picker of their own that hides this one. */
  private choosing = false;

  private liveSearch(pick: vscode.QuickPick<PickerItem>, preview: Preview): LiveSearch<string, SearchResult, vscode.CancellationTokenSource> {
    return new LiveSearch({
      newToken: () => new vscode.CancellationTokenSource(),
      search: (query, source) => this.search(query, source.token),
      onBusy: (busy) => (pick.busy = busy),
      onResult: (query, result) => {
        preview.expect(result.hits[0]);
        this.show(pick, query, result);
      },
      onError: (error) => {
        if (isCancelled(error)) return;
        const { message, remedy } = problemOf(error);
        pick.items = [{ label: `$(error) ${message}`, detail: remedy, alwaysShow: true }];
      },
    });
  }

  private search(query: string, token: vscode.CancellationToken): Promise<SearchResult> {
    const limit = vscode.workspace.getConfiguration('aurora').get<number>('searchPicker.limit', 30);
    const scope = scopeOf(this.filters);
    return this.sidecar.request('aurora/search', { query, limit, explain: true, ...(scope ? { scope } : {}) }, token);
  }

  private show(pick: vscode.QuickPick<PickerItem>, query: string, result: SearchResult): void {
    this.last = { query, result };
    const aside = buttons(false, false).aside;
    const items: PickerItem[] = hitItems(result.hits, this.explain).map((item) => ({ ...item, buttons: [aside], alwaysShow: true }));
    if (items.length === 0) items.push({ label: `$(info) ${emptyReason(result)}`, alwaysShow: true });
    pick.title = `AURORA: ${summary(result, this.filters)}`;
    pick.items = items;
  }

  private showRecent(pick: vscode.QuickPick<PickerItem>): void {
    pick.title = t('AURORA: Search Code and Memory');
    pick.items = this.recent.all().map((query) => ({ label: `$(history) ${query}`, query, alwaysShow: true }));
  }

  private showButtons(pick: vscode.QuickPick<PickerItem>): void {
    const { filter, explain } = buttons(scopeOf(this.filters) !== undefined, this.explain);
    pick.buttons = [filter, explain];
  }

  private async onButton(pick: vscode.QuickPick<PickerItem>, button: vscode.QuickInputButton, ask: (value: string) => void): Promise<void> {
    if (button === pick.buttons[0]) {
      this.choosing = true;
      this.filters = await chooseFilters(this.filters, Object.keys(this.sidecar.status.languages ?? {}));
      this.choosing = false;
      pick.show();
    } else this.explain = !this.explain;
    this.showButtons(pick);
    ask(pick.value);
  }

  private async accept(pick: vscode.QuickPick<PickerItem>, item: PickerItem | undefined, aside: boolean, keep: () => Promise<void>): Promise<void> {
    if (item?.query !== undefined) {
      pick.value = item.query; // asks
      return;
    }
    if (!item?.hit) return;
    await keep();
    await this.recent.add(pick.value);
    this.jumper.used([item.hit], 'opened');
    pick.hide();
    await this.jumper.show(item.hit, aside ? { column: vscode.ViewColumn.Beside } : {});
  }
}

/**
 * Has the picker list the items in our order. VS Code sorts those whose label holds the typed text to the top unless
 * told otherwise, by a property that its API does not name yet.
 */
export function keepOrder(pick: vscode.QuickPick<PickerItem>): void {
  (pick as { sortByLabel?: boolean }).sortByLabel = false;
}
