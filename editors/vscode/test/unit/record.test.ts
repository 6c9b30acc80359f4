import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, contextOf, descriptionOf, iconOf, ofHit, placeOfRecord, titleOf, tooltipOf } from '../../src/memory/record';
import type { Hit, MemoryRecord } from '../../src/protocol';

const hit = (more: Partial<Hit> = {}): Hit => ({
  id: 'know:cents-1', type: 'knowledge', kind: '', name: 'Cents', snippet: '# We chose cents\nnot floats', score: 1, scores: { final: 1 }, explanation: '',
  provenance: '', tokens: 4, source: 'memory', tags: ['money', 'pinned'], createdAt: '2026-11-20T10:00:00Z', ...more,
});
const cited = (state: string): Hit => hit({ citations: [{ state, uri: 'file:///w/a.go', path: 'a.go', line: 7, name: 'Total', was: 'old.go:3 Sum' }] });
const record = (more: Partial<MemoryRecord> = {}): MemoryRecord => ({ ...ofHit(hit()), content: 'We chose cents\nnot floats', editable: true, uses: 3, ...more });

test('record: what its row says', () => {
  assert.equal(titleOf(record()), 'We chose cents');
  assert.equal(descriptionOf(record()), 'money');
  assert.equal(iconOf(record()), 'pinned');
  assert.equal(iconOf(record({ pinned: false, decision: true })), 'law');
  assert.equal(contextOf(record()), 'record pinned');
  assert.equal(contextOf(record({ pinned: false, file: true, hit: hit({ uri: 'file:///w/.aurora/notes/a.md', path: '.aurora/notes/a.md' }) })), 'record loose placed file');
  assert.match(tooltipOf(record()), /^We chose cents\nnot floats\n\npinned note · tags: money, pinned · made 2026-11-20 10:00:00 UTC · used 3 times$/);
});

test('record: what has changed comes before all else', () => {
  assert.equal(changesOf(cited('valid')), '');
  assert.equal(changesOf(cited('changed')), 'Total (a.go:7) has changed since');
  assert.equal(changesOf(cited('gone')), 'old.go:3 Sum is gone');
  const stale = record({ hit: cited('changed'), stale: 'a.go:7 Total has changed since' });
  assert.equal(iconOf(stale), 'warning');
  assert.equal(descriptionOf(stale), 'a.go:7 Total has changed since');
  assert.deepEqual(placeOfRecord(stale), { uri: 'file:///w/a.go', line: 7, label: 'a.go:7' });
  assert.equal(placeOfRecord(record({ hit: cited('gone') })), undefined);
});

test('record: what speaks against it, and a weak match', () => {
  const doubted = record({ hit: hit({ weak: true, remarks: ['rated badly: -1.0 of -1 to 1, over the last 3'] }) });
  assert.equal(descriptionOf(doubted), 'weak · money');
  assert.match(tooltipOf(doubted), /⚠ rated badly: -1\.0 .*\n[^]*weak: may be about something else/);
});
