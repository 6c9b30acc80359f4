// AURORA: Why This Line.
import * as vscode from 'vscode';
import { t } from '../l10n';
import type { Sidecar } from '../sidecar';
import { sharedViews } from '../views';
import { placeOf, type ActionArgument } from './place';

/** Shows the commits, pull requests and notes behind the selected lines as a Markdown preview. */
export async function showWhy(sidecar: Sidecar, argument?: ActionArgument): Promise<void> {
  const place = placeOf(argument);
  if (!place) {
    void vscode.window.showInformationMessage(t('AURORA: Open a file of the folder, and put the cursor on a line.'));
    return;
  }
  const { start, end } = place.range;
  const result = await sidecar.request('aurora/why', {
    textDocument: { uri: place.uri.toString() },
    range: {
      start: { line: start.line, character: start.character },
      end: { line: end.line, character: end.character },
    },
  });
  await sharedViews().preview('Why this line.md', result.markdown);
}
