// The latest queries of a workspace, newest first.
import type { Memento } from 'vscode';

const KEY = 'aurora.search.recent';
const KEPT = 20;

export class RecentQueries {
  constructor(private readonly memento: Pick<Memento, 'get' | 'update'>) {}

  all(): string[] {
    return this.memento.get<string[]>(KEY, []);
  }

  /** Puts a query first. */
  async add(query: string): Promise<void> {
    const trimmed = query.trim();
    if (trimmed === '') return;
    const others = this.all().filter((known) => known !== trimmed);
    await this.memento.update(KEY, [trimmed, ...others].slice(0, KEPT));
  }
}
