-- What one operation took. day is the day on the person's calendar at that moment, so that no report depends on where
-- it is read. Nothing that was asked or answered is kept.
ALTER TABLE usage_metrics ADD COLUMN day             TEXT    NOT NULL DEFAULT '';
ALTER TABLE usage_metrics ADD COLUMN query_id        TEXT    NOT NULL DEFAULT '';
ALTER TABLE usage_metrics ADD COLUMN outcome         TEXT    NOT NULL DEFAULT '';
ALTER TABLE usage_metrics ADD COLUMN complexity      TEXT    NOT NULL DEFAULT '';
ALTER TABLE usage_metrics ADD COLUMN duration_ms     REAL    NOT NULL DEFAULT 0;
ALTER TABLE usage_metrics ADD COLUMN retrieval_ms    REAL    NOT NULL DEFAULT 0;
ALTER TABLE usage_metrics ADD COLUMN snippets        INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_metrics ADD COLUMN snippets_used   INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_metrics ADD COLUMN characters      INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_metrics ADD COLUMN context_tokens  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_metrics ADD COLUMN useful_tokens   INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_metrics ADD COLUMN claims          INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_metrics ADD COLUMN unsupported     INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_metrics ADD COLUMN score           REAL; -- 0..1, of the verification
ALTER TABLE usage_metrics ADD COLUMN confidence      REAL    NOT NULL DEFAULT 0;
ALTER TABLE usage_metrics ADD COLUMN cost_usd        REAL    NOT NULL DEFAULT 0;
ALTER TABLE usage_metrics ADD COLUMN calls           INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_metrics ADD COLUMN cache_hits      INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_metrics ADD COLUMN record          TEXT    NOT NULL DEFAULT ''; -- that the answer became
ALTER TABLE usage_metrics ADD COLUMN phases          TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(phases));
ALTER TABLE usage_metrics ADD COLUMN providers       TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(providers));
UPDATE usage_metrics SET day = strftime('%Y-%m-%d', at_ms / 1000, 'unixepoch');
CREATE INDEX usage_metrics_by_day ON usage_metrics (day, op);
