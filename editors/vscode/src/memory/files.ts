// Memory records as documents: reading one shows it, saving one revises it.
import * as vscode from 'vscode';
import { t } from '../l10n';
import { problemOf } from '../notify';
import type { MemoryRecord } from '../protocol';
import type { Sidecar } from '../sidecar';
import { titleOf } from './record';

export const SCHEME = 'aurora-memory';

/** The document of a record: the id is in its path, for a document is known by nothing else. */
export function uriOf(record: MemoryRecord): vscode.Uri {
  const title = titleOf(record).replace(/[^\p{L}\p{N} ._-]/gu, ' ').replace(/\s+/g, ' ').trim().slice(0, 60).trim() || 'record';
  return vscode.Uri.from({ scheme: SCHEME, path: `/${encodeURIComponent(record.hit.id)}/${title}.md` });
}

function idOf(uri: vscode.Uri): string {
  return decodeURIComponent(uri.path.split('/')[1] ?? '');
}

interface Known {
  record: MemoryRecord;
  text: Uint8Array;
  mtime: number;
}

export class MemoryFiles implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly sidecar: Pick<Sidecar, 'request'>,
    private readonly onRevised: () => void,
  ) {}

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { record, text, mtime } = await this.look(uri);
    const stat: vscode.FileStat = { type: vscode.FileType.File, ctime: mtime, mtime, size: text.length };
    return record.editable ? stat : { ...stat, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.look(uri)).text;
  }

  async writeFile(uri: vscode.Uri, text: Uint8Array): Promise<void> {
    const id = idOf(uri);
    let kept: string;
    try {
      kept = (await this.sidecar.request('aurora/revise', { id, content: new TextDecoder().decode(text) })).id;
    } catch (error) {
      throw unavailable(error);
    }
    await this.look(uri, kept);
    this.onRevised();
    if (kept !== id) void vscode.window.showInformationMessage(t('AURORA: Another record said the same already; the two are one now.'));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions('Memory has no folders.');
  }

  delete(): void {
    throw vscode.FileSystemError.NoPermissions('Forget the record in the memory view.');
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions('A record is named by its first line.');
  }

  dispose(): void {
    this.changed.dispose();
  }

  /** Asks for the record; its time changes with its text only, so that VS Code knows when to read it again. */
  private async look(uri: vscode.Uri, id = idOf(uri)): Promise<Known> {
    let record: MemoryRecord | undefined;
    try {
      record = (await this.sidecar.request('aurora/records', { id })).records[0];
    } catch (error) {
      throw unavailable(error);
    }
    if (!record) throw vscode.FileSystemError.FileNotFound(uri);
    const key = uri.toString();
    const before = this.known.get(key);
    const text = new TextEncoder().encode(`${record.content}\n`);
    const same = before !== undefined && Buffer.compare(before.text, text) === 0;
    const now: Known = { record, text, mtime: same ? before.mtime : Date.now() };
    this.known.set(key, now);
    return now;
  }
}

function unavailable(error: unknown): vscode.FileSystemError {
  const { message, remedy } = problemOf(error);
  return vscode.FileSystemError.Unavailable(`${message} ${remedy}`.trim());
}
