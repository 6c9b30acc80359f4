package enginetest

// Shop is a small workspace in four languages. Line endings and characters are mixed on purpose.
var Shop = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.26\n",
	"cart/cart.go": `// Package cart keeps what a customer wants to buy.
package cart

import (
	"fmt"

	"example.com/shop/price"
)

// A Cart is a list of items with <b>prices</b> in [cents](http://example.com).
type Cart struct {
	items []Item
}

// An Item is one thing in a Cart.
type Item struct {
	Name  string
	Cents int
}

// AddItem puts an item into the cart.
//
// It never fails.
func (c *Cart) AddItem(item Item) {
	c.items = append(c.items, item)
}

// TotalPrice adds the prices of all items, taxes included.
func (c *Cart) TotalPrice() int {
	sum := 0
	for _, item := range c.items {
		sum += price.WithTax(item.Cents)
	}
	return sum
}

// Describe writes the cart for people.
func Describe(c *Cart) string {
	return fmt.Sprintf("%d cents", c.TotalPrice())
}
`,
	"cart/cart_test.go": `package cart

import "testing"

func TestTotalPrice(t *testing.T) {
	c := &Cart{}
	c.AddItem(Item{"pen", 100})
	if c.TotalPrice() != 119 {
		t.Fatal("wrong")
	}
}
`,
	"price/tax.go": "package price\r\n\r\n// WithTax adds the value added tax to a price. 🙂 größe\r\nfunc WithTax(cents int) int {\r\n\treturn cents * 119 / 100\r\n}\r\n",
	"report/report.py": `"""Reports about carts."""
from cart.loader import load_carts


class MonthlyReport:
    """Sums up the carts of one month."""

    def render(self, carts):
        """Write the report."""
        return "\n".join(describe_cart(c) for c in carts)


def describe_cart(cart):
    return str(cart)
`,
	"web/client.ts": `import { retryRequest } from "./retry";

/** Loads a cart from the server. */
export async function fetchCart(id: string): Promise<string> {
  return retryRequest(() => fetch("/cart/" + id));
}
`,
	"web/retry.ts": `/** Retries a request with exponential backoff after a failed call. */
export async function retryRequest<T>(send: () => Promise<T>): Promise<T> {
  return send();
}
`,
	"docs/pricing.md": "# Pricing\n\nWhy `WithTax` rounds down: the law says so.\n\n## Discounts\n\nThere are no discounts yet.\n",
}
