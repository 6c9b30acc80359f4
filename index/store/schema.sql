-- Schema 2 of the database of a workspace. Times end in their unit: _ms and _ns are since 1970 UTC.

CREATE TABLE files (
	folder        TEXT    NOT NULL, -- workspace folder, absolute
	path          TEXT    NOT NULL, -- relative to folder, with '/'
	size          INTEGER NOT NULL, -- bytes
	mtime_ns      INTEGER NOT NULL,
	hash          BLOB    NOT NULL, -- SHA-256 of the text
	language      TEXT    NOT NULL,
	indexed_at_ms INTEGER NOT NULL,
	PRIMARY KEY (folder, path)
) WITHOUT ROWID;

-- What could not be read or parsed, and is tried again by a refresh.
CREATE TABLE errors (
	folder         TEXT    NOT NULL,
	path           TEXT    NOT NULL,
	message        TEXT    NOT NULL,
	occurred_at_ms INTEGER NOT NULL, -- first
	retry_count    INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (folder, path)
) WITHOUT ROWID;

CREATE TABLE jobs (
	job_id          TEXT    NOT NULL PRIMARY KEY,
	job_type        TEXT    NOT NULL, -- rebuild_full, rebuild_partial
	status          TEXT    NOT NULL, -- in_progress, completed, failed, cancelled
	scope           TEXT    NOT NULL, -- 'all' or a JSON list of paths
	files_total     INTEGER NOT NULL DEFAULT 0,
	files_processed INTEGER NOT NULL DEFAULT 0,
	started_at_ms   INTEGER NOT NULL,
	completed_at_ms INTEGER,
	error_message   TEXT    NOT NULL DEFAULT ''
) WITHOUT ROWID;

CREATE INDEX idx_jobs_status ON jobs (status);
CREATE INDEX idx_jobs_created ON jobs (started_at_ms DESC);

CREATE TABLE meta (
	key   TEXT NOT NULL PRIMARY KEY,
	value TEXT NOT NULL
) WITHOUT ROWID;
