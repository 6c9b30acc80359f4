// What a command is about: the arguments that a code action brings, else the editor in front.
import * as vscode from 'vscode';
import { toRange } from '../jump';
import type { Position, Range } from '../protocol';

/** The argument of the server's code actions: the parameters of the method of the command's name. */
export interface ActionArgument {
  textDocument?: { uri: string };
  range?: Range;
  position?: Position;
  direction?: string;
  query?: string;
  content?: string;
  tags?: string[];
}

export interface Place {
  uri: vscode.Uri;
  range: vscode.Range;
  /** The text of the selection; empty for a cursor. */
  text: string;
}

function ofArgument(argument: ActionArgument): Place | undefined {
  if (!argument.textDocument) return undefined;
  const uri = vscode.Uri.parse(argument.textDocument.uri);
  const at = argument.position;
  const range = argument.range ? toRange(argument.range) : new vscode.Range(at?.line ?? 0, at?.character ?? 0, at?.line ?? 0, at?.character ?? 0);
  const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri.toString());
  return { uri, range, text: range.isEmpty ? '' : (document?.getText(range) ?? '') };
}

/** The place, undefined when nothing on disk is in front: an untitled file has no place in the index. */
export function placeOf(argument?: ActionArgument): Place | undefined {
  const given = argument && ofArgument(argument);
  if (given) return given;
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== 'file') return undefined;
  return { uri: editor.document.uri, range: editor.selection, text: editor.document.getText(editor.selection) };
}

/** path:line of a place in the workspace. */
export function sourceRef(place: Place): string | undefined {
  if (!vscode.workspace.getWorkspaceFolder(place.uri)) return undefined;
  return `${vscode.workspace.asRelativePath(place.uri, false)}:${place.range.start.line + 1}`;
}
