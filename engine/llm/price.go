package llm

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
)

// A Price is what a model takes, in US dollars for a million tokens. Cached is for those of a prompt that the provider has from
// an earlier call.
type Price struct{ Prompt, Completion, Cached float64 }

// Prices are by model name. A name also stands for the names that it begins, so that dated versions need no entry.
type Prices map[string]Price

// DefaultPrices are the list prices that the program knows; see KnownModels for their day. Settings go before them, as
// providers change theirs.
func DefaultPrices() Prices {
	prices := Prices{}
	for name, m := range readModels().Models {
		if price, ok := parsePrice(m.Price, wholePrice); ok {
			prices[name] = price
		}
	}
	return prices
}

// wholePrice is the share of a prompt's price that cached tokens take when nobody says.
const wholePrice = 1

// parsePrice reads the price of the prompt, that of the completion and, where it is there, that of cached tokens of a prompt,
// which is else a share of the first.
func parsePrice(s string, cachedShare float64) (Price, bool) {
	amounts := strings.Split(s, "/")
	if len(amounts) < 2 || len(amounts) > 3 {
		return Price{}, false
	}
	var read [3]float64
	for i, amount := range amounts {
		var err error
		if read[i], err = strconv.ParseFloat(strings.TrimSpace(amount), 64); err != nil || !isAmount(read[i]) {
			return Price{}, false
		}
	}
	if len(amounts) == 2 {
		read[2] = cachedShare * read[0]
	}
	return Price{Prompt: read[0], Completion: read[1], Cached: read[2]}, true
}

// cachedShare is what a model's cached tokens take as a share of the price of a prompt.
func (p Prices) cachedShare(model string) float64 {
	if price, ok := p.Of(model); ok && price.Prompt > 0 {
		return price.Cached / price.Prompt
	}
	return wholePrice
}

// ParsePrices reads prices as settings have them: "2.50/10" for the prompt and the completion of a model, or "2.50/10/1.25" with
// that of cached tokens of a prompt. Without it these take the share that the list price says.
func ParsePrices(written map[string]string) (Prices, error) {
	known, prices := DefaultPrices(), DefaultPrices()
	for model, s := range written {
		price, ok := parsePrice(s, known.cachedShare(model))
		if !ok {
			return nil, &Error{Fault: Setup, Message: fmt.Sprintf(
				"llm.prices: the price of %s must be two amounts in US dollars for a million tokens, such as 2.50/10, or three with that of cached tokens, got %q", model, s)}
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

// cacheWritePrice is what Anthropic takes for tokens that it puts into its cache, as a share of the price of a prompt: nobody else
// tells of them here.
const cacheWritePrice = 1.25

// Cost is what a call took, in US dollars; 0 for a model without a price.
func (p Prices) Cost(model string, u Usage) float64 {
	price, _ := p.Of(model)
	prompt := float64(u.Prompt-u.CacheRead-u.CacheWrite) + cacheWritePrice*float64(u.CacheWrite)
	return (prompt*price.Prompt + float64(u.CacheRead)*price.Cached + float64(u.Completion)*price.Completion) / 1e6
}
