// Package metrics counts what a process does, in the text format of Prometheus.
//
// It owns the names of the counters and histograms, and guarantees that counting never waits for anybody and never
// fails (MET-040). Nothing is sent anywhere: whoever wants the figures reads them, from the debug page or from a file.
package metrics
