// Package basket keeps what a customer picked.
package basket

// A Basket holds picked items in one currency.
type Basket struct {
	Currency string
	items    []item
}

type item struct {
	name  string
	cents int64
}

// NewBasket returns an empty basket.
func NewBasket(currency string) *Basket {
	return &Basket{Currency: currency}
}

// AddItem puts one item into the basket.
func (b *Basket) AddItem(name string, cents int64) {
	b.items = append(b.items, item{name: name, cents: cents})
}

// TotalCents is the sum of all items, with the discount of a full basket.
func (b *Basket) TotalCents() int64 {
	var sum int64
	for _, it := range b.items {
		sum += it.cents
	}
	return sum - volumeDiscount(len(b.items), sum)
}

// volumeDiscount takes a tenth off from the twelfth item on.
func volumeDiscount(items int, cents int64) int64 {
	if items < 12 {
		return 0
	}
	return cents / 10
}
