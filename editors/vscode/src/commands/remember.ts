// AURORA: Remember This.
import * as vscode from 'vscode';
import type { Sidecar } from '../sidecar';
import { recordTitle } from '../hits';
import { placeOf, sourceRef, type ActionArgument, type Place } from './place';
import { t } from '../l10n';

/** A note that was typed and could not be stored: the next one begins with it. */
let draft = '';

/** What is stored of a note and the code that it is about. */
export function noteText(note: string, code: string): string {
  if (note.trim() === '') return code.trim();
  return code.trim() === '' ? note.trim() : `${note.trim()}\n\n${code.trim()}`;
}

async function askForNote(place: Place | undefined, shared: boolean): Promise<string | undefined> {
  const selected = place !== undefined && place.text.trim() !== '';
  return vscode.window.showInputBox({
    title: shared ? t("AURORA: Remember in the Project's Notes") : t('AURORA: Remember This'),
    prompt: selected ? t('A note on the selection; leave it empty to remember the selection alone') : t('A decision, a fact, a reason'),
    value: draft,
    ...(place && sourceRef(place) ? { placeHolder: t('About {0}', sourceRef(place) ?? '') } : {}),
  });
}

/** Asks who a note is for, where the person is in a team: true for the team, undefined when the question is left. */
async function askForTeam(sidecar: Sidecar): Promise<boolean | undefined> {
  const status = await sidecar.request('aurora/status', {});
  if (status.memory.team !== true) return false;
  const me = { label: t('For me'), description: t('in this project') };
  const team = { label: t('For the team'), description: t('everyone in it sees it, with your name') };
  const chosen = await vscode.window.showQuickPick([me, team], { title: t('AURORA: Who Is It For?') });
  return chosen && chosen === team;
}

/** Remembers the argument's content, else a note that the user types, with the selection and its place; shared in a file that a team may commit. */
export async function remember(sidecar: Sidecar, argument?: ActionArgument, shared = false): Promise<void> {
  await sidecar.ready();
  const place = placeOf(argument);
  const note = argument?.content ?? (await askForNote(place, shared));
  if (note === undefined) return;
  const content = argument?.content ?? noteText(note, place?.text ?? '');
  if (content === '') return;
  const source = argument?.content === undefined && place ? sourceRef(place) : undefined;
  if (argument?.content === undefined) draft = note;
  const team = !shared && argument?.content === undefined ? await askForTeam(sidecar) : false;
  if (team === undefined) return;
  const result = await sidecar.request('aurora/remember', {
    content,
    ...(source ? { sourceRef: source } : {}),
    ...(argument?.tags ? { tags: argument.tags } : {}),
    ...(shared ? { shared } : {}),
    ...(team ? { team } : {}),
  });
  draft = '';
  const where = result.path ? ` in ${vscode.workspace.asRelativePath(result.path)}` : '';
  const said = result.created ? t('Remembered{0}', where) : t('This was remembered before{0}', where);
  vscode.window.setStatusBarMessage(`AURORA: ${said}: ${recordTitle(content)}`, 5000);
}
