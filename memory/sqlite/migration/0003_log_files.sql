-- The conversations that log_index was made from.
CREATE TABLE log_files (
    seq       INTEGER PRIMARY KEY,
    file      TEXT    NOT NULL UNIQUE, -- below the folder of conversations
    stamp     TEXT    NOT NULL,        -- tells whether it was changed
    topic     TEXT    NOT NULL DEFAULT '',
    query     TEXT    NOT NULL DEFAULT '',
    query_id  TEXT    NOT NULL DEFAULT '',
    workspace TEXT    NOT NULL DEFAULT '', -- absolute folder; '' belongs everywhere
    date_ms   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX log_index_by_file ON log_index (file);

CREATE INDEX usage_metrics_by_time ON usage_metrics (at_ms);
