package config

// Metrics says which figures of the use of AURORA are kept. They stay on this machine, in memory's database, and hold no
// text of any question or answer.
type Metrics struct {
	// Whether anything is counted and kept.
	Enabled bool `json:"enabled" alias:"context.metrics.enabled"`
	// Whether times are kept.
	TrackLatency bool `json:"track_latency" alias:"context.metrics.track_latency"`
	// Whether numbers of tokens are kept.
	TrackTokenUsage bool `json:"track_token_usage" alias:"context.metrics.track_token_usage"`
	// Whether it is kept how often no model was needed.
	TrackCacheHits bool `json:"track_cache_hits" alias:"context.metrics.track_cache_hits"`
	// After how many minutes the counters are written to the export file again.
	ExportIntervalMinutes int `json:"export_interval_minutes" min:"1" max:"1440" alias:"context.metrics.export_interval_minutes"`
	// A file that a server writes its counters to, in the text format of Prometheus. Empty writes none.
	ExportFile string `json:"export_file" scope:"user" format:"path"`
}

// Reporting says which reports are made without being asked for.
type Reporting struct {
	Daily      Reports `json:"daily"`
	Cumulative Reports `json:"cumulative"`
	Monthly    Reports `json:"monthly"`
}

// Reports are reports of one kind.
type Reports struct {
	// Whether the process that editors share makes them by itself, when a day or month is over on which something was
	// asked.
	Enabled bool `json:"enabled" scope:"user"`
	// The folder that reports are written to. Empty writes none.
	OutputPath string `json:"output_path" scope:"user" format:"path"`
	// Which figures they have; empty means all. The others are left out, of reports that are asked for, too.
	Metrics []string `json:"metrics" scope:"user" format:"metric"`
}

// ReportMetrics are the values of reporting.*.metrics.
var ReportMetrics = []string{
	"queries", "total_queries", "accuracy", "accuracy_over_time", "cache_hits", "errors", "cost_analysis", "trends", "latency", "providers",
	"learning_improvement", "pattern_growth", "savings",
}

// HTTP says where "aurora serve --http" is the context engine of programs.
type HTTP struct {
	// The address, which must be one of this machine's own.
	Host string `json:"host" scope:"user" alias:"context.engine.host"`
	// The port; 0 takes a free one.
	Port int `json:"port" min:"0" max:"65535" scope:"user" alias:"context.engine.port"`
	// How many milliseconds a request may take.
	TimeoutMs int `json:"timeout_ms" min:"100" max:"600000" scope:"user" alias:"context.engine.timeout_ms"`
	// How often a Go program that asks through client.Local tries again what failed for want of a connection or of room.
	RetryAttempts int `json:"retry_attempts" min:"0" max:"10" scope:"user" alias:"context.engine.retry_attempts"`
}

func defaultHTTP() HTTP {
	return HTTP{Host: "localhost", Port: 9090, TimeoutMs: 60_000, RetryAttempts: 2}
}

func defaultMetrics() Metrics {
	return Metrics{Enabled: true, TrackLatency: true, TrackTokenUsage: true, TrackCacheHits: true, ExportIntervalMinutes: 5}
}

func defaultReporting(home string) Reporting {
	in := func(kind string) Reports {
		return Reports{Enabled: true, OutputPath: below(home, "reports", kind), Metrics: []string{}}
	}
	return Reporting{Daily: in("daily"), Cumulative: in("cumulative"), Monthly: in("monthly")}
}
