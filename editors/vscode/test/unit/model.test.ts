import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerText, meaning, newTurn, takeProgress, viewOf } from '../../src/answer/model';
import type { Hit, QueryResult } from '../../src/protocol';

const hit: Hit = {
  id: 'h', type: 'method', kind: 'CODE_FUNCTION', name: 'Total', container: 'Basket', path: 'a/b.go', uri: 'file:///w/a/b.go',
  range: { start: { line: 4, character: 0 }, end: { line: 9, character: 1 } }, snippet: 'func (b *Basket) Total() int {', score: 0.8,
  scores: { bm25: 2.5, final: 0.8 }, explanation: 'exact name', provenance: '', tokens: 9, source: 'disk',
};
const result: QueryResult = {
  queryId: 'q1', answer: 'It is [1].\n', format: 'markdown', confidence: 0.64, verified: false, complexity: 'SIMPLE', citations: [hit],
  warnings: ['No model'], phases: [{ phase: 'RETRIEVE', status: 'ok', durationMs: 1.25, percentage: 71.5 }, { phase: 'VERIFY', status: 'skipped', durationMs: 0, percentage: 0, detail: 'no model' }],
  cost: { usd: 0, promptTokens: 0, completionTokens: 0, calls: 0 }, cached: false, totalDurationMs: 1.75,
};
const report = (queryId: string, stage: string, status = 'in_progress') => ({ queryId, stage, status, detail: '' });

test('model: progress belongs to the turn whose query it names', () => {
  const turn = newTurn('Where?');
  const claimed = new Set<string>();
  assert.ok(takeProgress(turn, report('q1', 'assess'), claimed));
  assert.ok(takeProgress(turn, report('q1', 'assess', 'complete'), claimed));
  assert.ok(takeProgress(turn, report('q1', 'retrieve'), claimed));
  assert.ok(!takeProgress(turn, report('q2', 'assess'), claimed));
  assert.deepEqual(turn.reported.map(({ stage, status }) => `${stage} ${status}`), ['assess complete', 'retrieve in_progress']);
  assert.ok(!takeProgress(newTurn('Where else?'), report('q1', 'assess'), claimed), 'a query has one turn, in whatever view');
  turn.state = 'answered';
  assert.ok(!takeProgress(turn, report('q1', 'respond'), claimed));
});

test('model: an answer is shown while it is written, and begins again when it is void', () => {
  const turn = newTurn('Where?');
  const shown = (): string => viewOf(turn, (markdown, citations) => `${markdown}/${citations}`, false).html;
  const piece = (delta: string, isVoid = false): boolean => takeProgress(turn, { ...report('q1', 'synthesize'), data: { delta, void: isVoid } });
  assert.ok(piece('It is '));
  assert.ok(piece('[1]'));
  assert.equal(shown(), 'It is [1]/0', 'what is not finished cites nothing yet');
  assert.deepEqual(turn.reported, []);
  assert.ok(piece('', true));
  assert.equal(shown(), '/0');
  assert.ok(piece('No: '));
  assert.equal(shown(), 'No: /0');
  Object.assign(turn, { state: 'answered', result });
  assert.equal(shown(), 'It is [1].\n/1');
});

test('model: the phases so far stand on one line of time', () => {
  const turn = newTurn('Where?');
  takeProgress(turn, report('q1', 'ASSESS'), undefined, 1000);
  takeProgress(turn, report('q1', 'RETRIEVE'), undefined, 1030);
  const rows = viewOf(turn, () => '', false, 1120).phases;
  assert.deepEqual(rows.map(({ name, time, percentage, offset }) => ({ name, time, percentage, offset })), [
    { name: 'assess', time: '30 ms', percentage: 25, offset: 0 },
    { name: 'retrieve', time: '90 ms', percentage: 75, offset: 25 },
  ]);
});

test('model: what is shown of an answer', () => {
  const turn = newTurn('Where?', 'a/b.go:5');
  Object.assign(turn, { state: 'answered', result });
  const view = viewOf(turn, () => '<p>html</p>', false);
  assert.deepEqual(view.warnings, ['No model']);
  assert.equal(view.html, '<p>html</p>');
  assert.equal(view.meaning, 'confidence 64%: the sources point to it, check them');
  assert.deepEqual(view.facts, ['simple', 'no model', '1.8 ms', 'no cost']);
  assert.deepEqual(view.phases[0], { name: 'retrieve', status: 'ok', time: '1.3 ms', percentage: 71.5, offset: 0, detail: '' });
  assert.deepEqual(view.phases[1], { name: 'verify', status: 'skipped', time: '', percentage: 0, offset: 71.5, detail: 'no model' });
  assert.deepEqual(view.sources, [{ name: 'Basket.Total', place: 'a/b.go:5', icon: 'symbol-method', text: 'func (b *Basket) Total() int {' }]);
});

test('model: cost, parts and the times of an answer by a model', () => {
  const turn = newTurn('Where?');
  const phases = [
    { phase: 'ASSESS', status: 'ok', startedAt: '2026-11-21T10:00:00.000Z', durationMs: 10, percentage: 10 },
    { phase: 'COLLECT', status: 'ok', startedAt: '2026-11-21T10:00:00.050Z', durationMs: 50, percentage: 50 },
  ];
  const cost = { usd: 0.0123, promptTokens: 1200, completionTokens: 34, calls: 2 };
  const subgoals = [{ id: 'SG1', description: 'Find it', agent: 'code-search', status: 'success', score: 0.9, note: 'by name only' }];
  Object.assign(turn, { state: 'answered', result: { ...result, model: 'm', phases, cost, subgoals, overallScore: 0.9, verified: true, totalDurationMs: 100 } });
  const view = viewOf(turn, () => '', true);
  assert.equal(view.meaning, 'score 0.90: verified, its statements have their sources');
  assert.ok(view.facts.includes('$0.0123 for 2 calls, 1,234 tokens'), view.facts.join());
  assert.deepEqual(view.phases.map(({ offset, percentage }) => [offset, percentage]), [[0, 10], [50, 50]]);
  assert.deepEqual(view.parts, [{ text: 'Find it', status: 'success', detail: 'code-search · 0.90 · by name only' }]);
});

test('model: a failed turn says what to do', () => {
  const turn = newTurn('Where?');
  Object.assign(turn, { state: 'failed', problem: { message: 'No model.', remedy: 'Configure one.' } });
  assert.equal(viewOf(turn, () => '', false).headline, 'No model. Configure one.');
});

test('model: the copied answer names its sources', () => {
  const turn = newTurn('Where?');
  turn.result = result;
  assert.equal(answerText(turn), '# Where?\n\nIt is [1].\n\n[1] a/b.go:5 Basket.Total\n');
});

test('model: what a confidence means, and a score', () => {
  const said = (confidence: number, verified = false, overallScore?: number): string =>
    meaning({ confidence, verified, ...(overallScore === undefined ? {} : { overallScore }) });
  assert.match(said(0.9, true), /90%, verified/);
  assert.match(said(0.9), /the sources say it/);
  assert.match(said(0.2), /little supports it/);
  assert.match(said(0), /nothing supports it/);
  assert.match(said(0.9, true, 0.8), /score 0.80: verified/);
  assert.match(said(0.9, false, 0.75), /with a caveat/);
  assert.match(said(0.9, false, 0.6), /did not pass/);
  assert.match(said(0.9, false, 0.2), /not reliable/);
});

test('model: proposed changes end the answer, and no line of theirs ends their block', () => {
  const patch = 'diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-x\n+````\n';
  const turn = Object.assign(newTurn('Change it'), { state: 'answered', result: { ...result, changes: [{ path: 'a.md', uri: 'file:///w/a.md', patch, edits: [] }] } });
  const view = viewOf(turn, (markdown) => markdown, true);
  assert.equal(view.changes, 1);
  assert.equal(view.html, `It is [1].\n\n\`\`\`\`\`diff\n${patch}\`\`\`\`\`\n`);
  assert.ok(answerText(turn).includes('+````'));
});
