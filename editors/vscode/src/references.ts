// What the language servers of the editor know of a name, beside what AURORA's index says. Pure but for `usesBy`.
import * as vscode from 'vscode';
import { fromRange } from './jump';
import type { Edge, Hit, Position, Range } from './protocol';

/** A use of a name as a language server tells it: the line it is on, as a row of a picker can show it. */
export interface Use {
  uri: string;
  range: Range;
  /** The line, trimmed; empty when the file can't be read. */
  text: string;
}

/** The kinds of edges whose other end holds the use itself. */
const HOLDS_USE: ReadonlySet<string> = new Set(['caller', 'reference', 'read', 'write', 'type', 'test', 'subtype']);
/** More uses than a person looks through are left out. */
const MOST_USES = 200;

const before = (a: Position, b: Position): boolean => a.line < b.line || (a.line === b.line && a.character < b.character);

function holds(hit: Hit, use: Use): boolean {
  return hit.uri === use.uri && hit.range !== undefined && !before(use.range.start, hit.range.start) && before(use.range.start, hit.range.end);
}

/** Which edges hold a use that a language server knows, and which uses no edge holds. */
export function compareUses(edges: readonly Edge[], uses: readonly Use[]): { confirmed: ReadonlySet<Edge>; others: Use[] } {
  const users = edges.filter((edge) => HOLDS_USE.has(edge.kind));
  const confirmed = new Set(users.filter((edge) => uses.some((use) => holds(edge.to, use))));
  return { confirmed, others: uses.filter((use) => !users.some((edge) => holds(edge.to, use))) };
}

/** A use as a hit without an id, which is no part of the index and has no rank. */
export function useHit(use: Use, path: string): Hit {
  return {
    id: '', type: 'code', kind: 'reference', name: use.text || path, uri: use.uri, path, range: use.range, nameRange: use.range,
    snippet: '', score: 0, scores: { final: 0 }, explanation: '', provenance: '', tokens: 0, source: 'disk',
  };
}

const placeOf = (found: vscode.Location | vscode.LocationLink): vscode.Location =>
  'targetUri' in found ? new vscode.Location(found.targetUri, found.targetSelectionRange ?? found.targetRange) : found;

/** The lines of a file: as the editor has them, else as they are on disk. */
async function linesOf(uri: vscode.Uri): Promise<string[]> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) return open.getText().split(/\r?\n/);
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)).split(/\r?\n/);
  } catch {
    return []; // a file that is gone, or that belongs to a library without sources
  }
}

/**
 * The uses of the name at a place by the language servers of the editor, without its definition; none when no server answers.
 * AURORA itself provides no references.
 */
export async function usesBy(uri: vscode.Uri, position: vscode.Position): Promise<Use[]> {
  const ask = async <T>(command: string): Promise<T[]> => {
    try {
      return (await vscode.commands.executeCommand<T[] | undefined>(command, uri, position)) ?? [];
    } catch {
      return []; // a server that fails says so itself
    }
  };
  const [references, definitions] = await Promise.all([
    ask<vscode.Location>('vscode.executeReferenceProvider'),
    ask<vscode.Location | vscode.LocationLink>('vscode.executeDefinitionProvider'),
  ]);
  const defined = definitions.map(placeOf);
  const uses = references.filter((use) => !defined.some((definition) => definition.uri.toString() === use.uri.toString() && definition.range.intersection(use.range)));
  const texts = new Map<string, string[]>();
  const found: Use[] = [];
  for (const { uri: file, range } of uses.slice(0, MOST_USES)) {
    const key = file.toString();
    let lines = texts.get(key);
    if (!lines) texts.set(key, lines = await linesOf(file));
    found.push({ uri: key, range: fromRange(range), text: (lines[range.start.line] ?? '').trim() });
  }
  return found;
}
