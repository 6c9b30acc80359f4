package metrics

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A registry keeps families of figures and writes them in the text format of Prometheus, version 0.0.4
// (https://prometheus.io/docs/instrumenting/exposition_formats/). Prometheus's own client would do the same at the price
// of 2.5 MB of a program that may have 80; its parser checks this writer in the tests.
type registry struct {
	mu       sync.Mutex
	families []*family
}

// A family is the counters or histograms of one name, by the values of its labels.
type family struct {
	registry   *registry
	name, help string
	kind       string // counter, gauge, histogram
	labels     []string
	buckets    []float64 // upper bounds, rising; of histograms
	now        func() float64
	figures    map[string]*figure
}

// A figure is one counter or histogram.
type figure struct {
	values []string // of the labels
	sum    float64
	counts []uint64 // by bucket, the last for what is above all bounds
}

// maxFigures bounds the figures of a family: names that clients give themselves must not fill the memory.
const maxFigures = 200

// other stands for label values beyond maxFigures.
const other = "other"

func (r *registry) add(f *family) *family {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.registry, f.figures = r, map[string]*figure{}
	r.families = append(r.families, f)
	if f.kind != "gauge" && len(f.labels) == 0 {
		f.of(nil) // there from the start, with zero
	}
	return f
}

// of returns the figure of label values; the registry is locked.
func (f *family) of(values []string) *figure {
	key := strings.Join(values, "\x00")
	v := f.figures[key]
	if v == nil && len(f.figures) >= maxFigures && len(values) > 0 {
		values = slices.Repeat([]string{other}, len(values))
		key = strings.Join(values, "\x00")
		v = f.figures[key]
	}
	if v == nil {
		v = &figure{values: slices.Clone(values), counts: make([]uint64, len(f.buckets)+1)}
		f.figures[key] = v
	}
	return v
}

// count adds to a counter. What is negative or no number is left out.
func (f *family) count(by float64, values ...string) {
	if by < 0 || math.IsNaN(by) || math.IsInf(by, 0) {
		return
	}
	f.registry.mu.Lock()
	defer f.registry.mu.Unlock()
	f.of(values).sum += by
}

// observe adds a value to a histogram.
func (f *family) observe(value float64, values ...string) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	f.registry.mu.Lock()
	defer f.registry.mu.Unlock()
	v := f.of(values)
	v.sum += value
	at, _ := slices.BinarySearch(f.buckets, value) // bounds are inclusive
	v.counts[at]++
}

// write writes all families by name, each with its figures by their labels.
func (r *registry) write(w io.Writer) error {
	r.mu.Lock()
	gauges := map[string]func() float64{}
	for _, f := range r.families {
		if f.now != nil {
			gauges[f.name] = f.now
		}
	}
	r.mu.Unlock()
	// Asked without the lock: the callback may count something itself.
	present := map[string]float64{}
	for name, now := range gauges {
		present[name] = now()
	}
	_, err := w.Write(r.text(present)) // without the lock, too: a slow reader must not keep anybody from counting
	return err
}

func (r *registry) text(gauges map[string]float64) []byte {
	out := &bytes.Buffer{}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range slices.SortedFunc(slices.Values(r.families), func(a, b *family) int { return strings.Compare(a.name, b.name) }) {
		fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", f.name, escape(f.help, false), f.name, f.kind)
		if f.now != nil {
			fmt.Fprintf(out, "%s %s\n", f.name, number(gauges[f.name]))
		}
		for _, key := range slices.Sorted(maps.Keys(f.figures)) {
			f.writeFigure(out, f.figures[key])
		}
	}
	return out.Bytes()
}

func (f *family) writeFigure(w io.Writer, v *figure) {
	if f.kind != "histogram" {
		fmt.Fprintf(w, "%s%s %s\n", f.name, f.labelled(v, ""), number(v.sum))
		return
	}
	total := uint64(0)
	for i, n := range v.counts {
		total += n
		bound := math.Inf(1)
		if i < len(f.buckets) {
			bound = f.buckets[i]
		}
		fmt.Fprintf(w, "%s_bucket%s %d\n", f.name, f.labelled(v, number(bound)), total)
	}
	fmt.Fprintf(w, "%s_sum%s %s\n%s_count%s %d\n", f.name, f.labelled(v, ""), number(v.sum), f.name, f.labelled(v, ""), total)
}

// labelled writes the labels of a figure; bound is that of a bucket, "" for none.
func (f *family) labelled(v *figure, bound string) string {
	var parts []string
	for i, label := range f.labels {
		parts = append(parts, label+`="`+escape(v.values[i], true)+`"`)
	}
	if bound != "" {
		parts = append(parts, `le="`+bound+`"`)
	}
	if len(parts) == 0 {
		return ""
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func escape(s string, quoted bool) string {
	s = strings.ReplaceAll(strings.ReplaceAll(strings.ToValidUTF8(s, "?"), `\`, `\\`), "\n", `\n`)
	if quoted {
		s = strings.ReplaceAll(s, `"`, `\"`)
	}
	return s
}

func number(v float64) string {
	if math.IsInf(v, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
