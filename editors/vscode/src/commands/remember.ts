// AURORA: Remember This.
import * as vscode from 'vscode';
import type { Sidecar } from '../sidecar';
import { recordTitle } from '../hits';
import { placeOf, sourceRef, type ActionArgument, type Place } from './place';

/** What is stored of a note and the code that it is about. */
export function noteText(note: string, code: string): string {
  if (note.trim() === '') return code.trim();
  return code.trim() === '' ? note.trim() : `${note.trim()}\n\n${code.trim()}`;
}

async function askForNote(place: Place | undefined): Promise<string | undefined> {
  const selected = place !== undefined && place.text.trim() !== '';
  return vscode.window.showInputBox({
    title: 'AURORA: Remember This',
    prompt: selected ? 'A note on the selection; leave it empty to remember the selection alone' : 'A decision, a fact, a reason',
    ...(place && sourceRef(place) ? { placeHolder: `About ${sourceRef(place) ?? ''}` } : {}),
  });
}

/** Remembers the argument's content, else a note that the user types, with the selection and its place. */
export async function remember(sidecar: Sidecar, argument?: ActionArgument): Promise<void> {
  await sidecar.ready();
  const place = placeOf(argument);
  const note = argument?.content ?? (await askForNote(place));
  if (note === undefined) return;
  const content = argument?.content ?? noteText(note, place?.text ?? '');
  if (content === '') return;
  const source = argument?.content === undefined && place ? sourceRef(place) : undefined;
  const result = await sidecar.request('aurora/remember', {
    content,
    ...(source ? { sourceRef: source } : {}),
    ...(argument?.tags ? { tags: argument.tags } : {}),
  });
  const said = result.created ? 'Remembered' : 'This was remembered before';
  vscode.window.setStatusBarMessage(`AURORA: ${said}: ${recordTitle(content)}`, 5000);
}
