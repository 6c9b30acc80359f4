// What was remembered from this workspace's windows lately, newest first: the sidecar can search memory, not list it.
import type { Memento } from 'vscode';

export interface Remembered {
  id: string;
  content: string;
  source?: string;
}

const KEY = 'aurora.memory.remembered';
const KEPT = 20;

export class RememberedStore {
  constructor(private readonly memento: Pick<Memento, 'get' | 'update'>) {}

  all(): Remembered[] {
    return this.memento.get<Remembered[]>(KEY, []);
  }

  async add(note: Remembered): Promise<void> {
    await this.memento.update(KEY, [note, ...this.without(note.id)].slice(0, KEPT));
  }

  async remove(id: string): Promise<void> {
    await this.memento.update(KEY, this.without(id));
  }

  private without(id: string): Remembered[] {
    return this.all().filter((known) => known.id !== id);
  }
}
