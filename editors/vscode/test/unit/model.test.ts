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
  assert.ok(takeProgress(turn, report('q1', 'assess')));
  assert.ok(takeProgress(turn, report('q1', 'assess', 'complete')));
  assert.ok(takeProgress(turn, report('q1', 'retrieve')));
  assert.ok(!takeProgress(turn, report('q2', 'assess')));
  assert.ok(!takeProgress(turn, { ...report('q1', 'synthesize'), data: { delta: 'It is' } }));
  assert.deepEqual(turn.reported.map(({ stage, status }) => `${stage} ${status}`), ['assess complete', 'retrieve in_progress']);
  turn.state = 'answered';
  assert.ok(!takeProgress(turn, report('q1', 'respond')));
});

test('model: what is shown of an answer', () => {
  const turn = newTurn('Where?', 'a/b.go:5');
  Object.assign(turn, { state: 'answered', result });
  const view = viewOf(turn, () => '<p>html</p>', false);
  assert.deepEqual(view.warnings, ['No model']);
  assert.equal(view.html, '<p>html</p>');
  assert.deepEqual(view.facts, ['confidence 64%: the sources point to it, check them', 'simple', 'no model', '1.8 ms', 'no cost']);
  assert.deepEqual(view.phases[0], { name: 'retrieve', status: 'ok', time: '1.3 ms', percentage: 71.5, detail: '' });
  assert.deepEqual(view.phases[1], { name: 'verify', status: 'skipped', time: '', percentage: 0, detail: 'no model' });
  assert.deepEqual(view.sources, [{ name: 'Basket.Total', place: 'a/b.go:5', icon: 'symbol-method', text: 'func (b *Basket) Total() int {' }]);
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

test('model: what a confidence means', () => {
  assert.match(meaning(0.9, true), /90%, verified/);
  assert.match(meaning(0.9, false), /the sources say it/);
  assert.match(meaning(0.2, false), /little supports it/);
  assert.match(meaning(0, false), /nothing supports it/);
});
