package llm

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
)

// A Price is what a model takes, in US dollars for a million tokens.
type Price struct{ Prompt, Completion float64 }

// Prices are by model name. A name also stands for the names that it begins, so that dated versions need no entry.
type Prices map[string]Price

// DefaultPrices are the list prices that the program knows; see KnownModels for their day. Settings go before them, as
// providers change theirs.
func DefaultPrices() Prices {
	prices := Prices{}
	for name, m := range readModels().Models {
		if price, ok := parsePrice(m.Price); ok {
			prices[name] = price
		}
	}
	return prices
}

// parsePrice reads the price of the prompt and that of the completion.
func parsePrice(s string) (Price, bool) {
	prompt, completion, found := strings.Cut(s, "/")
	p, err1 := strconv.ParseFloat(strings.TrimSpace(prompt), 64)
	c, err2 := strconv.ParseFloat(strings.TrimSpace(completion), 64)
	return Price{p, c}, found && err1 == nil && err2 == nil && isAmount(p) && isAmount(c)
}

// ParsePrices reads prices as settings have them: "2.50/10" for the prompt and the completion of a model.
func ParsePrices(written map[string]string) (Prices, error) {
	prices := DefaultPrices()
	for model, s := range written {
		price, ok := parsePrice(s)
		if !ok {
			return nil, &Error{Fault: Setup, Message: fmt.Sprintf(
				"llm.prices: the price of %s must be two amounts in US dollars for a million tokens, such as 2.50/10, got %q", model, s)}
		}
		prices[model] = price
	}
	return prices, nil
}

func isAmount(f float64) bool { return f >= 0 && !math.IsInf(f, 0) && !math.IsNaN(f) }

// withFree returns the prices with a model that costs nothing, unless it has a price.
func (p Prices) withFree(model string) Prices {
	if _, ok := p[model]; ok {
		return p
	}
	p = maps.Clone(p)
	p[model] = Price{}
	return p
}

// Of returns a model's price; known is false for a model without one.
func (p Prices) Of(model string) (price Price, known bool) {
	best := -1
	for name, candidate := range p {
		if (model == name || strings.HasPrefix(model, name+"-")) && len(name) > best {
			price, best = candidate, len(name)
		}
	}
	return price, best >= 0
}

// What Anthropic takes for tokens of its cache, as a share of the price of a prompt: nobody else tells of them here.
const (
	cacheReadPrice  = 0.1
	cacheWritePrice = 1.25
)

// Cost is what a call took, in US dollars; 0 for a model without a price.
func (p Prices) Cost(model string, u Usage) float64 {
	price, _ := p.Of(model)
	prompt := float64(u.Prompt-u.CacheRead-u.CacheWrite) + cacheReadPrice*float64(u.CacheRead) + cacheWritePrice*float64(u.CacheWrite)
	return (prompt*price.Prompt + float64(u.Completion)*price.Completion) / 1e6
}
