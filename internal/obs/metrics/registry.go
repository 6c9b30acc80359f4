package metrics

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
)

// A family is the counters or histograms of one name, by the values of its labels.
type family struct {
	counters   *prometheus.CounterVec
	histograms *prometheus.HistogramVec

	mu    sync.Mutex
	known map[string]bool // combinations of label values
}

// maxFigures bounds the figures of a family: names that clients give themselves must not fill the memory.
const maxFigures = 200

// other stands for label values beyond maxFigures.
const other = "other"

// bounded returns the values as they are counted.
func (f *family) bounded(values []string) []string {
	if len(values) == 0 {
		return nil
	}
	valid := make([]string, len(values))
	for i, v := range values {
		valid[i] = strings.ToValidUTF8(v, "?")
	}
	key := strings.Join(valid, "\x00")
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.known[key] && len(f.known) >= maxFigures {
		return slices.Repeat([]string{other}, len(values))
	}
	f.known[key] = true
	return valid
}

// count adds to a counter. What is negative or no number is left out.
func (f *family) count(by float64, values ...string) {
	if by >= 0 && !math.IsInf(by, 0) {
		f.counters.WithLabelValues(f.bounded(values)...).Add(by)
	}
}

// observe adds a value to a histogram.
func (f *family) observe(value float64, values ...string) {
	if !math.IsNaN(value) && !math.IsInf(value, 0) {
		f.histograms.WithLabelValues(f.bounded(values)...).Observe(value)
	}
}

func (s *Set) counters(name, help string, labels ...string) *family {
	f := &family{counters: prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels), known: map[string]bool{}}
	s.registry.MustRegister(f.counters)
	if len(labels) == 0 {
		f.counters.WithLabelValues() // there from the start, with zero
	}
	return f
}

func (s *Set) histogram(name, help string, buckets []float64, labels ...string) *family {
	options := prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}
	f := &family{histograms: prometheus.NewHistogramVec(options, labels), known: map[string]bool{}}
	s.registry.MustRegister(f.histograms)
	if len(labels) == 0 {
		f.histograms.WithLabelValues()
	}
	return f
}

func (s *Set) times(name, help string, labels ...string) *family {
	return s.histogram(name, help, millis, labels...)
}

// Gauge adds a figure that is asked for whenever somebody looks. Of several of a name, the first counts.
func (s *Set) Gauge(name, help string, now func() float64) {
	if s != nil {
		_ = s.registry.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, now))
	}
}

// Write writes the figures as text, sorted by name.
func (s *Set) Write(w io.Writer) error {
	if s == nil {
		return nil
	}
	families, err := s.registry.Gather()
	if err != nil {
		return fmt.Errorf("gather metrics: %w", err)
	}
	for _, f := range families {
		if _, err := expfmt.MetricFamilyToText(w, f); err != nil {
			return fmt.Errorf("write metrics: %w", err)
		}
	}
	return nil
}
