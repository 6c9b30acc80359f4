/** One line of the shopping cart. */
export interface CartLine {
  name: string;
  cents: number;
}

/** The cart that the shop's page shows. */
export class ShoppingCart {
  private lines: CartLine[] = [];

  /** Puts a line into the cart. */
  addLine(line: CartLine): void {
    this.lines.push(line);
  }

  /** The sum of all lines in cents. */
  totalCents(): number {
    return this.lines.reduce((sum, line) => sum + line.cents, 0);
  }
}

/* 🍎🍏 */ export function renderTotal(cart: ShoppingCart): string {
  return `🍎 ${(cart.totalCents() / 100).toFixed(2)}`;
}
