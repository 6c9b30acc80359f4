// Calls a function at once, and then at most every so often: what comes in between becomes one call. Pure.

export class Throttle {
  private timer: NodeJS.Timeout | undefined;
  private last = -Infinity;

  constructor(
    private readonly everyMs: number,
    private readonly act: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Asks for a call: now, or as soon as the time since the last one is over. */
  ask(): void {
    if (this.timer) return;
    const wait = this.last + this.everyMs - this.now();
    if (wait <= 0) this.call();
    else this.timer = setTimeout(() => this.call(), wait);
  }

  /** Calls now, in place of a call that waits. */
  call(): void {
    this.cancel();
    this.last = this.now();
    this.act();
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
