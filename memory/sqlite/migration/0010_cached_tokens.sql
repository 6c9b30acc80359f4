-- Of the tokens of prompts, those that providers had from earlier calls.
ALTER TABLE journal ADD COLUMN tokens_cached INTEGER NOT NULL DEFAULT 0;
DROP VIEW usage_metrics;
CREATE VIEW usage_metrics AS
SELECT seq, at_ms, op, agent, task_id, tokens_input, tokens_output, notes, day, query_id, outcome, complexity, duration_ms, retrieval_ms,
    snippets, snippets_used, characters, context_tokens, useful_tokens, claims, unsupported, score, confidence, cost_usd, calls, cache_hits,
    record, phases, providers, tokens_cached
FROM journal WHERE op NOT IN ('asked', 'left', 'logged', 'reserve', 'settle', 'folded', 'carried', 'closed', 'reset');
