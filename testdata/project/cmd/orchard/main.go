// Command orchard prints the total of a basket.
package main

import (
	"fmt"
	"os"

	"example.com/orchard/internal/basket"
	"example.com/orchard/internal/price"
)

func main() {
	b := basket.NewBasket("EUR")
	for _, arg := range os.Args[1:] {
		p, err := price.ParsePrice(arg)
		if err != nil {
			fmt.Fprintln(os.Stderr, "orchard:", err)
			os.Exit(1)
		}
		b.AddItem(arg, p)
	}
	fmt.Println(price.FormatPrice(b.TotalCents(), b.Currency))
}
