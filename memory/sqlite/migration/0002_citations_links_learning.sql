-- What queries learned of a record, and the chunk it was made from.
ALTER TABLE records ADD COLUMN is_pattern    INTEGER NOT NULL DEFAULT 0;
ALTER TABLE records ADD COLUMN success_score REAL; -- 0..1, of the run it comes from
ALTER TABLE records ADD COLUMN confidence    REAL; -- 0..1
ALTER TABLE records ADD COLUMN semantic_role TEXT NOT NULL DEFAULT '';
ALTER TABLE records ADD COLUMN domain        TEXT NOT NULL DEFAULT '';
ALTER TABLE records ADD COLUMN keywords      TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(keywords));
ALTER TABLE records ADD COLUMN chunk         TEXT NOT NULL DEFAULT '' CHECK (chunk = '' OR json_valid(chunk));
CREATE INDEX records_by_domain ON records (domain) WHERE domain <> '';
CREATE INDEX records_by_goal   ON records (goal_id) WHERE goal_id <> '';

-- Activity time is the time that somebody was at work: of a longer pause between two uses 15 minutes count. bonus is
-- what a query's outcome adds to the activation itself; such an event is no use.
ALTER TABLE access_events ADD COLUMN active_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE access_events ADD COLUMN bonus     REAL    NOT NULL DEFAULT 0;
UPDATE access_events SET active_ms = clock.active FROM (
    SELECT seq, sum(step) OVER (ORDER BY at_ms, seq) AS active FROM (
        SELECT seq, at_ms, max(0, min(900000, at_ms - lag(at_ms, 1, at_ms) OVER (ORDER BY at_ms, seq))) AS step
        FROM access_events)
) clock WHERE clock.seq = access_events.seq;

ALTER TABLE activations ADD COLUMN first_active_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE activations ADD COLUMN bonus           REAL    NOT NULL DEFAULT 0;
UPDATE activations SET first_active_ms = coalesce(
    (SELECT min(active_ms) FROM access_events WHERE access_events.subject = activations.subject), 0);

CREATE TABLE activity (
    one       INTEGER PRIMARY KEY CHECK (one = 1),
    at_ms     INTEGER NOT NULL,
    active_ms INTEGER NOT NULL
) STRICT;
INSERT INTO activity SELECT 1, at_ms, active_ms FROM access_events ORDER BY at_ms DESC, seq DESC LIMIT 1;

-- The code that a record cites as it was, and where it was seen last.
CREATE TABLE citations (
    seq          INTEGER PRIMARY KEY,
    record       TEXT    NOT NULL,
    folder       TEXT    NOT NULL, -- absolute
    path         TEXT    NOT NULL, -- relative to folder
    start_line   INTEGER NOT NULL, -- one-based, both inclusive
    end_line     INTEGER NOT NULL,
    chunk_id     TEXT    NOT NULL DEFAULT '',
    name         TEXT    NOT NULL DEFAULT '',
    signature    TEXT    NOT NULL DEFAULT '',
    text_hash    TEXT    NOT NULL, -- SHA-256 of the cited text in hex
    excerpt      TEXT    NOT NULL DEFAULT '', -- of the cited text, without secrets
    now_path     TEXT    NOT NULL DEFAULT '',
    now_chunk_id TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX citations_of_records ON citations (record, path, start_line, chunk_id);
CREATE INDEX citations_by_path ON citations (now_path);

CREATE TABLE relationships (
    seq           INTEGER PRIMARY KEY,
    from_id       TEXT    NOT NULL,
    to_id         TEXT    NOT NULL,
    type          TEXT    NOT NULL,
    weight        REAL    NOT NULL,
    created_at_ms INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX relationships_from ON relationships (from_id, to_id, type);
CREATE INDEX relationships_to ON relationships (to_id);

CREATE TABLE goals (
    seq           INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE,
    title         TEXT    NOT NULL,
    status        TEXT    NOT NULL,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE usage_metrics (
    seq           INTEGER PRIMARY KEY,
    at_ms         INTEGER NOT NULL,
    op            TEXT    NOT NULL,
    agent         TEXT    NOT NULL DEFAULT '',
    task_id       TEXT    NOT NULL DEFAULT '',
    tokens_input  INTEGER NOT NULL DEFAULT 0,
    tokens_output INTEGER NOT NULL DEFAULT 0,
    notes         TEXT    NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE log_index (
    seq        INTEGER PRIMARY KEY,
    keyword    TEXT    NOT NULL,
    topic      TEXT    NOT NULL DEFAULT '',
    file       TEXT    NOT NULL,
    section    TEXT    NOT NULL DEFAULT '',
    line_start INTEGER NOT NULL DEFAULT 0,
    line_end   INTEGER NOT NULL DEFAULT 0,
    phase      INTEGER NOT NULL DEFAULT 0,
    query_id   TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX log_index_by_keyword ON log_index (keyword);

-- Queries that went badly; signature is a digest of their words.
CREATE TABLE difficult_queries (
    seq        INTEGER PRIMARY KEY,
    signature  TEXT    NOT NULL UNIQUE,
    query      TEXT    NOT NULL,
    failures   INTEGER NOT NULL,
    last_score REAL    NOT NULL,
    last_at_ms INTEGER NOT NULL
) STRICT;
