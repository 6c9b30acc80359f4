// Package price reads and writes amounts of money.
package price

import (
	"fmt"
	"strconv"
	"strings"
)

// Symbols maps a fruit to the sign that the shop window shows for it.
var Symbols = map[string]string{"apple": "🍎", "pear": "🍐"}

/* 🍎🍐 */ func fruitSign(name string) string { return Symbols[name] }

// ParsePrice reads an amount such as "12.50" and returns it in cents.
func ParsePrice(text string) (int64, error) {
	whole, fraction, _ := strings.Cut(strings.TrimSpace(text), ".")
	if len(fraction) > 2 {
		return 0, fmt.Errorf("parse price %q: more than two decimals", text)
	}
	units, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("parse price %q: %w", text, err)
	}
	cents, err := strconv.ParseInt((fraction + "00")[:2], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("parse price %q: %w", text, err)
	}
	return units*100 + cents, nil
}

// FormatPrice writes cents as an amount with its currency.
func FormatPrice(cents int64, currency string) string {
	return fmt.Sprintf("%d.%02d %s", cents/100, cents%100, currency)
}
