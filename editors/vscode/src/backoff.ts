// When to start again a program that ended by itself.

/** Delays double from the first to the last; after that a person has to look. */
export const DELAYS_MS: readonly number[] = [1000, 2000, 4000, 8000, 16_000];

/** A run this long counts as healthy: what happens after it is no repetition of what happened before. */
export const HEALTHY_MS = 60_000;

export class Backoff {
  private attempts = 0;
  private startedAt = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /** The program answers. */
  started(): void {
    this.startedAt = this.now();
  }

  /** The program ended by itself; returns after how many milliseconds to start it again, undefined for never. */
  next(): number | undefined {
    if (this.startedAt > 0 && this.now() - this.startedAt >= HEALTHY_MS) this.attempts = 0;
    this.startedAt = 0;
    return DELAYS_MS[this.attempts++];
  }

  /** A person started the program. */
  reset(): void {
    this.attempts = 0;
    this.startedAt = 0;
  }
}
