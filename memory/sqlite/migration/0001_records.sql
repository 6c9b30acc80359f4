-- Times are milliseconds since 1970 in UTC.

CREATE TABLE records (
    seq           INTEGER PRIMARY KEY, -- the row of records_fts
    id            TEXT    NOT NULL UNIQUE,
    type          TEXT    NOT NULL,
    title         TEXT    NOT NULL,
    content       TEXT    NOT NULL,
    source_type   TEXT    NOT NULL DEFAULT '',
    source_ref    TEXT    NOT NULL DEFAULT '',
    workspace     TEXT    NOT NULL DEFAULT '',
    tags          TEXT    NOT NULL DEFAULT '[]', -- JSON array
    importance    REAL    NOT NULL DEFAULT 1,
    goal_id       TEXT    NOT NULL DEFAULT '',
    agent_name    TEXT    NOT NULL DEFAULT '',
    token_count   INTEGER NOT NULL DEFAULT 0,
    content_hash  TEXT    NOT NULL UNIQUE,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    deleted_at_ms INTEGER,
    CHECK (json_valid(tags))
) STRICT;
CREATE INDEX records_by_source  ON records (source_ref) WHERE source_ref <> '';
CREATE INDEX records_by_deleted ON records (deleted_at_ms) WHERE deleted_at_ms IS NOT NULL;

-- Holds tokens that were already split, so its own tokenizer only has to find the blanks between them. The rows of
-- forgotten records are not in it.
CREATE VIRTUAL TABLE records_fts USING fts5 (
    title, content, tags, source,
    content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);

-- What people did with records and chunks of code: subject is the id of either.
CREATE TABLE access_events (
    seq     INTEGER PRIMARY KEY,
    subject TEXT    NOT NULL,
    action  TEXT    NOT NULL,
    weight  REAL    NOT NULL,
    at_ms   INTEGER NOT NULL
) STRICT;
CREATE INDEX access_events_by_subject ON access_events (subject, at_ms);

-- The sums over access_events that make the activation of a long history cheap.
CREATE TABLE activations (
    subject         TEXT    PRIMARY KEY,
    access_count    INTEGER NOT NULL,
    weight          REAL    NOT NULL,
    first_access_ms INTEGER NOT NULL,
    last_access_ms  INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
CREATE INDEX activations_by_last_access ON activations (last_access_ms);

CREATE TABLE properties (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID, STRICT;
