// AURORA: Remember Decisions from Commits, and from comments of the code.
import * as vscode from 'vscode';
import { t } from '../l10n';
import { offerRow, type OfferRow } from '../memory/offer';
import type { DecisionOffer } from '../protocol';
import type { Sidecar } from '../sidecar';

/** Most offers to choose from. */
const LIMIT = 50;

type OfferItem = OfferRow & vscode.QuickPickItem;

const dismiss: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('close'), tooltip: 'Never Offer This Again' };

/** Lists what commits and marked comments state and memory lacks; what the user picks is remembered, what is crossed out is not offered again. */
export async function captureDecisions(sidecar: Sidecar): Promise<void> {
  await sidecar.ready();
  const { offers: stated, commits } = await sidecar.request('aurora/decisions', { limit: LIMIT });
  const { offers: commented } = await sidecar.request('aurora/decisions', { limit: LIMIT, comments: true });
  const offers = [...stated, ...commented];
  if (offers.length === 0) {
    void vscode.window.showInformationMessage(t('AURORA: There is nothing to remember in your latest {0} commits and in the comments of the code.', commits));
    return;
  }
  const chosen = await choose(sidecar, offers);
  for (const { offer } of chosen) await sidecar.request('aurora/decisions', { accept: offer.commit });
  if (chosen.length > 0) vscode.window.setStatusBarMessage(t('AURORA: Remembered {0} of {1}', chosen.length, offers.length), 5000);
}

async function choose(sidecar: Sidecar, offers: DecisionOffer[]): Promise<readonly OfferItem[]> {
  const pick = vscode.window.createQuickPick<OfferItem>();
  pick.title = t('AURORA: Remember Decisions from Commits');
  pick.placeholder = t('Choose what to remember');
  pick.canSelectMany = true;
  pick.matchOnDetail = true;
  pick.items = offers.map((offer) => ({ ...offerRow(offer), buttons: [dismiss] }));
  pick.onDidTriggerItemButton(({ item }) => {
    const selected = pick.selectedItems.filter((other) => other !== item);
    pick.items = pick.items.filter((other) => other !== item);
    pick.selectedItems = selected;
    void sidecar.request('aurora/decisions', { dismiss: item.offer.commit });
  });
  try {
    return await new Promise<readonly OfferItem[]>((resolve) => {
      pick.onDidAccept(() => resolve(pick.selectedItems));
      pick.onDidHide(() => resolve([]));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}
