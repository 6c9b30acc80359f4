// Package metrics counts what a process does, in the text format of Prometheus.
//
// It owns the names of the counters and histograms, and guarantees that counting never waits for anybody and never
// fails. Nothing is sent anywhere: the figures are read, from the debug page or from a file.
package metrics
