-- Lines of spending that figures of usage leave out: periods that another account had closed, and daily sums.
DROP VIEW usage_metrics;
CREATE VIEW usage_metrics AS
SELECT seq, at_ms, op, agent, task_id, tokens_input, tokens_output, notes, day, query_id, outcome, complexity, duration_ms, retrieval_ms,
    snippets, snippets_used, characters, context_tokens, useful_tokens, claims, unsupported, score, confidence, cost_usd, calls, cache_hits,
    record, phases, providers
FROM journal WHERE op NOT IN ('asked', 'left', 'logged', 'reserve', 'settle', 'folded', 'carried', 'closed', 'reset');

CREATE INDEX journal_calls ON journal (charge_at_ms) WHERE op IN ('reserve', 'settle');
