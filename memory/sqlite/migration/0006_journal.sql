-- One journal of what was asked, answered, spent, used and learned, in place of the figures of usage, a folder of questions
-- and a file of costs. Lines are appended; nothing is changed but that the detail of old questions is dropped.
ALTER TABLE usage_metrics RENAME TO journal;
ALTER TABLE journal ADD COLUMN once       TEXT;              -- what is written once only
ALTER TABLE journal ADD COLUMN detail     BLOB;              -- of a question: all that is known of it
ALTER TABLE journal ADD COLUMN learned    TEXT;              -- JSON of what memory learned from it
ALTER TABLE journal ADD COLUMN charge_at_ms INTEGER;         -- when the amount counts; NULL for no amount
ALTER TABLE journal ADD COLUMN charge_usd REAL NOT NULL DEFAULT 0;
ALTER TABLE journal ADD COLUMN limit_usd  REAL NOT NULL DEFAULT 0;
ALTER TABLE journal ADD COLUMN settles    INTEGER;           -- seq of the reservation
DROP INDEX usage_metrics_by_day;
DROP INDEX usage_metrics_by_time;
CREATE INDEX journal_by_day ON journal (day, op);
CREATE INDEX journal_by_time ON journal (at_ms);
CREATE INDEX journal_by_query ON journal (query_id) WHERE query_id <> '';
CREATE INDEX journal_charges ON journal (charge_at_ms) WHERE charge_at_ms IS NOT NULL;
CREATE INDEX journal_resets ON journal (seq) WHERE op = 'reset';
CREATE INDEX journal_details ON journal (seq) WHERE detail IS NOT NULL;
CREATE UNIQUE INDEX journal_once ON journal (once) WHERE once IS NOT NULL;
CREATE UNIQUE INDEX journal_settled ON journal (settles) WHERE settles IS NOT NULL;

CREATE TRIGGER journal_is_appended BEFORE UPDATE ON journal
WHEN NEW.detail IS NOT NULL OR NEW.seq <> OLD.seq OR NEW.at_ms <> OLD.at_ms OR NEW.op <> OLD.op OR NEW.charge_usd <> OLD.charge_usd
    OR NEW.charge_at_ms IS NOT OLD.charge_at_ms OR NEW.settles IS NOT OLD.settles OR NEW.query_id <> OLD.query_id
BEGIN
    SELECT RAISE(ABORT, 'the journal is only appended to');
END;

-- The figures of usage, as exports have them.
CREATE VIEW usage_metrics AS
SELECT seq, at_ms, op, agent, task_id, tokens_input, tokens_output, notes, day, query_id, outcome, complexity, duration_ms, retrieval_ms,
    snippets, snippets_used, characters, context_tokens, useful_tokens, claims, unsupported, score, confidence, cost_usd, calls, cache_hits,
    record, phases, providers
FROM journal WHERE op NOT IN ('asked', 'left', 'logged', 'reserve', 'settle', 'carried', 'reset');
