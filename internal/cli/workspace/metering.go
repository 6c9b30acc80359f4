package workspace

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/aurora-sidecar/aurora/engine/report"
	"github.com/aurora-sidecar/aurora/internal/atomicfile"
	"github.com/aurora-sidecar/aurora/internal/obs/metrics"
	"github.com/aurora-sidecar/aurora/memory"
)

// metering is how a process counts what it does, by the settings.
type metering struct {
	set   *metrics.Set       // nil counts nothing
	store memory.MetricStore // nil keeps nothing
	agent string
}

func (p *Parts) Metering(w Wiring) metering {
	s := p.Settings.Metrics
	m := metering{agent: "cli"}
	if w.Server {
		m.agent = "editor"
	}
	if !s.Enabled {
		return m
	}
	if w.Server { // nobody reads the counters of a command
		m.set = metrics.New()
	}
	m.store, _ = p.Memory.(memory.MetricStore)
	return m
}

// exportEvery is how often counters are written to the export file.
const exportEvery = 5 * time.Minute

// reportEvery is how often a server looks whether a day is over.
const reportEvery = time.Hour

// keepReporting writes reports and counters, and backs memory up, from time to time until the parts are closed. Nobody waits for it.
func (p *Parts) keepReporting(m metering) {
	p.watchState(m.set)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	export := time.NewTicker(exportEvery)
	look := time.NewTicker(reportEvery)
	go func() {
		defer close(ended)
		defer export.Stop()
		defer look.Stop()
		first := time.After(time.Minute) // not while everything starts
		p.KeepWriting(ctx, m, export.C, first, look.C)
	}()
	p.closers = append(p.closers, func() error {
		cancel()
		<-ended
		p.exportMetrics(m.set)
		return nil
	})
}

// KeepWriting exports, reports and backs memory up whenever a clock says so, until ctx ends.
func (p *Parts) KeepWriting(ctx context.Context, m metering, export, first, look <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-export:
			p.exportMetrics(m.set)
		case <-first:
			p.writeDueReports(ctx, m.store, time.Now())
			p.backUp(ctx)
		case now := <-look:
			p.writeDueReports(ctx, m.store, now)
			p.backUp(ctx)
		}
	}
}

// watchState adds to the counters what the index is like at the moment somebody looks.
func (p *Parts) watchState(set *metrics.Set) {
	set.Gauge("aurora_index_files", "Indexed files.", func() float64 { return float64(p.Index.Status().Indexed) })
	set.Gauge("aurora_index_chunks", "Chunks in the index.", func() float64 { return float64(p.Index.Status().Chunks) })
	set.Gauge("aurora_index_pending", "Files whose changes are not in the index yet.", func() float64 { return float64(len(p.Index.Snapshot().Pending())) })
}

// exportMetrics writes the counters to the file of the settings, whole or not at all.
func (p *Parts) exportMetrics(set *metrics.Set) {
	path := p.Settings.Metrics.ExportFile
	if path == "" || set == nil {
		return
	}
	var text bytes.Buffer
	err := set.Write(&text)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = atomicfile.Write(path, text.Bytes(), atomicfile.Private)
	}
	if err != nil {
		p.Log.Warn("export the metrics", "file", path, "err", err)
	}
}

// writeDueReports writes the reports of yesterday and last month that are not there yet, unless nothing was asked then.
func (p *Parts) writeDueReports(ctx context.Context, store memory.MetricStore, now time.Time) {
	if store == nil {
		return
	}
	yesterday, err := report.Day(now.AddDate(0, 0, -1).Format(time.DateOnly), now)
	if err != nil {
		return
	}
	month, err := report.Month(time.Date(now.Year(), now.Month()-1, 1, 0, 0, 0, 0, time.UTC).Format("2006-01"), now)
	if err != nil {
		return
	}
	for _, due := range []report.Period{yesterday, month, report.AllTime(now)} {
		if err := p.writeDue(ctx, store, due, now); err != nil {
			p.Log.Warn("write a report", "kind", due.Kind, "err", err)
		}
	}
}

func (p *Parts) writeDue(ctx context.Context, store memory.MetricStore, period report.Period, now time.Time) error {
	folder := p.ReportFolder(period.Kind)
	if !p.Settings.Reporting.Enabled || folder == "" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(folder, period.Name+".html")); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	r, err := report.Make(ctx, store, period, now)
	if err != nil || r.Totals.Empty() {
		return err
	}
	_, err = r.Save(folder)
	return err
}

// ReportFolder is where reports of a kind are written, "" for nowhere.
func (p *Parts) ReportFolder(kind report.Kind) string {
	if p.Settings.Reporting.Dir == "" {
		return ""
	}
	return filepath.Join(p.Settings.Reporting.Dir, string(kind))
}
