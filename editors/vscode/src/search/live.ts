// Searches while somebody types: waits a moment for the next key, cancels what is no longer wanted, and never shows an
// older answer after a newer one.

/** Short enough to feel immediate, long enough to join the keys of a fast typist. */
export const DEBOUNCE_MS = 40;

export interface Token {
  cancel(): void;
}

export interface LiveOptions<Query, Result, T extends Token> {
  search(query: Query, token: T): Promise<Result>;
  newToken(): T;
  onBusy(busy: boolean): void;
  onResult(query: Query, result: Result): void;
  onError(error: unknown): void;
  debounceMs?: number;
}

export class LiveSearch<Query, Result, T extends Token> {
  private timer: NodeJS.Timeout | undefined;
  private token: T | undefined;

  constructor(private readonly options: LiveOptions<Query, Result, T>) {}

  /** Asks for a query; what was asked before is cancelled. */
  ask(query: Query): void {
    this.cancel();
    this.options.onBusy(true);
    this.timer = setTimeout(() => void this.run(query), this.options.debounceMs ?? DEBOUNCE_MS);
  }

  /** Drops what was asked; neither callback is called for it. */
  cancel(): void {
    clearTimeout(this.timer);
    this.token?.cancel();
    this.token = undefined;
    this.options.onBusy(false);
  }

  private async run(query: Query): Promise<void> {
    const token = (this.token = this.options.newToken());
    try {
      const result = await this.options.search(query, token);
      if (this.token === token) this.options.onResult(query, result);
    } catch (error) {
      if (this.token === token) this.options.onError(error);
    } finally {
      if (this.token === token) {
        this.token = undefined;
        this.options.onBusy(false);
      }
    }
  }
}
