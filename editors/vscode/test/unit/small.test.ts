import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askReply } from '../../src/agents';
import { trustQuestion } from '../../src/trustQuestion';
import { decodeHTML } from '../../src/answer/entities';
import { Backoff, DELAYS_MS, HEALTHY_MS } from '../../src/backoff';
import { hitLabel, hitName, hitSummary, scoreExplanation } from '../../src/hits';
import { folderOf, offerRow, spoken } from '../../src/memory/offer';
import type { Hit, SearchResult } from '../../src/protocol';
import { emptyReason, hitItems, plain, scopeOf, summary } from '../../src/search/items';
import { RecentQueries } from '../../src/search/recent';
import { declaredKeys, environmentName, liveSettings, sidecarEnvironment } from '../../src/settings';
import { count, duration, size, spent, statusText } from '../../src/status';
import manifest from '../../package.json';

const hit = (given: Partial<Hit>): Hit => ({
  id: 'x', type: 'function', kind: '', name: 'parse', snippet: '\n  func parse()\n', score: 0.5, scores: { final: 0.5 }, explanation: '',
  provenance: '', tokens: 1, source: 'disk', ...given,
});

class Memo {
  private readonly values = new Map<string, unknown>();
  get<T>(key: string, missing?: T): T { return (this.values.get(key) as T | undefined) ?? (missing as T); }
  update(key: string, value: unknown): Promise<void> { this.values.set(key, value); return Promise.resolve(); }
}

test('backoff: doubles, ends, and starts from the beginning after a healthy run', () => {
  let now = 1000;
  const backoff = new Backoff(() => now);
  const crash = (after: number): number | undefined => { backoff.started(); now += after; return backoff.next(); };
  assert.deepEqual(DELAYS_MS.map(() => crash(10)), [...DELAYS_MS]);
  assert.equal(crash(10), undefined);
  assert.equal(crash(HEALTHY_MS), DELAYS_MS[0]);
  assert.equal(crash(10), DELAYS_MS[1]);
  backoff.reset();
  assert.equal(crash(10), DELAYS_MS[0]);
});

test('hits: names, places and scores', () => {
  assert.equal(hitName(hit({ type: 'method', container: 'Basket' })), 'Basket.parse');
  assert.equal(hitName(hit({ name: '', path: 'a/b.md' })), 'b.md');
  assert.equal(hitName(hit({ name: '', type: 'knowledge', snippet: 'Prices are cents\nmore' })), 'Prices are cents');
  const nameRange = { start: { line: 6, character: 4 }, end: { line: 6, character: 9 } };
  assert.equal(hitLabel(hit({ path: 'a/b.go', nameRange })), 'a/b.go:7');
  assert.equal(hitLabel(hit({ source: 'memory' })), 'memory');
  assert.equal(hitSummary(hit({})), 'func parse()');
  assert.equal(scoreExplanation(hit({ scores: { bm25: 2.5, activation: 0.25, final: 0.5 }, explanation: 'exact name' })), '0.50 = words 2.50, activation 0.25; exact name');
});

test('items: text from files makes no icons', () => {
  const [item] = hitItems([hit({ name: '$(trash)', path: 'a.go' })], false);
  assert.equal(item?.label, '$(symbol-function) $\u200b(trash)');
  assert.equal(plain('cost $5 (five)'), 'cost $5 (five)');
  assert.equal(hitItems([hit({ source: 'memory', weak: true })], false)[0]?.description, 'memory · weak');
});

test('items: the summary says what is narrowed and what is missing', () => {
  const index = { state: 'indexing', files: 7, chunks: 1, snapshot: 1, pending: [] };
  const result: SearchResult = { hits: [hit({})], total: 9, mode: 'keyword', confidence: 1, notes: ['nothing passes the filters'], elapsedMs: 1.234, index };
  assert.equal(summary(result, { types: ['function'], languages: ['go'] }), '1 of 9 · 1.2 ms · only function, go · still indexing, 7 files so far');
  assert.equal(emptyReason(result), 'nothing passes the filters');
  assert.equal(scopeOf({ types: [], languages: [] }), undefined);
  assert.deepEqual(scopeOf({ types: ['method'], languages: [] }), { types: ['method'], languages: [] });
});

test('recent queries: newest first, each once, at most twenty', async () => {
  const recent = new RecentQueries(new Memo());
  for (let i = 0; i < 25; i++) await recent.add(`q${i}`);
  await recent.add(' q10 ');
  await recent.add('  ');
  assert.equal(recent.all().length, 20);
  assert.deepEqual(recent.all().slice(0, 3), ['q10', 'q24', 'q23']);
});

test('settings: the names of the environment are those of the sidecar', () => {
  assert.equal(environmentName('index.maxFileSizeMb'), 'AURORA_INDEX_MAX_FILE_SIZE_MB');
  assert.equal(environmentName('costBudgets.softLimitUsd'), 'AURORA_COST_BUDGETS_SOFT_LIMIT_USD');
});

test('settings: only what somebody changed goes to the sidecar, and never the editor\'s own', () => {
  const set: Record<string, { globalValue?: unknown; workspaceValue?: unknown }> = {
    'index.maxFileSizeMb': { globalValue: 2 },
    'index.ignorePatterns': { globalValue: ['a'], workspaceValue: ['b', 'c'] },
    'llm.model': { globalValue: 'm' },
    'server.path': { globalValue: '/bin/false' },
    'lsp.hover.enabled': { globalValue: false },
    'index.useGitignore': { globalValue: false },
    'index.workers': { globalValue: 3 }, // not on the page: config.json has it
  };
  const config = { inspect: (key: string) => ({ key, ...set[key] }) } as unknown as Parameters<typeof sidecarEnvironment>[0];
  assert.deepEqual(sidecarEnvironment(config, declaredKeys(manifest)), {
    AURORA_INDEX_MAX_FILE_SIZE_MB: '2',
    AURORA_INDEX_IGNORE_PATTERNS: '["b","c"]',
    AURORA_LLM_MODEL: 'm',
    AURORA_INDEX_USE_GITIGNORE: 'false',
  });
  const live = { 'lsp.hover.enabled': { workspaceValue: false }, 'lsp.codeLens.enabled': { globalValue: true } } as Record<string, object>;
  const inspect = ((key: string) => live[key]) as Parameters<typeof liveSettings>[0]['inspect'];
  assert.deepEqual(liveSettings({ inspect }), { 'lsp.hover.enabled': false, 'lsp.codeActions.enabled': null, 'lsp.codeLens.enabled': true, 'lsp.review': null });
});

test('settings: what names programs, files or addresses can not be set by a project', () => {
  const properties = manifest.contributes.configuration.flatMap((section) => Object.entries(section.properties)) as [string, { scope: string }][];
  const machine = properties.filter(([, property]) => property.scope === 'machine').map(([key]) => key);
  for (const key of ['aurora.server.path', 'aurora.server.args', 'aurora.index.disabledFolders', 'aurora.llm.baseUrl', 'aurora.llm.apiKeyEnv', 'aurora.embeddings.baseUrl']) {
    assert.ok(machine.includes(key), `${key} can be set by a project`);
  }
});

test('status: what the bar says', () => {
  const problem = { message: 'It broke.', remedy: 'Fix it.' };
  const status = { state: 'indexing', files: { indexed: 43, total: 100, failed: 0 }, chunks: 7 };
  assert.equal(statusText({ kind: 'off' }, {}, 0).text, '$(circle-slash) AURORA');
  assert.equal(statusText({ kind: 'running' }, status, 0).text, '$(sync~spin) AURORA: indexing 43%');
  assert.equal(statusText({ kind: 'running' }, { ...status, state: 'ready' }, 0).text, '$(check) AURORA');
  assert.equal(statusText({ kind: 'running' }, { ...status, state: 'ready' }, 1).text, '$(sync~spin) AURORA: asking');
  const degraded = statusText({ kind: 'running' }, { ...status, state: 'degraded', warnings: ['read only'] }, 0);
  assert.deepEqual([degraded.severity, degraded.tooltip], ['warning', '43 files, 7 chunks\n⚠ read only']);
  assert.equal(statusText({ kind: 'waiting', delayMs: 2000, problem }, {}, 0).tooltip, 'It broke. It is started again in 2.0 s.');
  assert.deepEqual(statusText({ kind: 'failed', problem }, {}, 0), { text: '$(error) AURORA: stopped', tooltip: 'It broke. Fix it.', severity: 'error' });
});

test('status: numbers for people', () => {
  assert.deepEqual([size(0), size(1023), size(1536), size(3 * 1024 ** 3)], ['0 B', '1023 B', '1.5 KiB', '3.0 GiB']);
  assert.deepEqual([duration(0), duration(0.01), duration(1.26), duration(42.4), duration(1500)], ['0 ms', '<0.1 ms', '1.3 ms', '42 ms', '1.5 s']);
  assert.deepEqual([count(1, 'file'), count(1234, 'file')], ['1 file', '1,234 files']);
});

test('entities: the few that answers have, and numbers', () => {
  assert.equal(decodeHTML('a &amp;&lt;&#65;&#x42;&quot; &copy; &#0; &#xd800;'), 'a &<AB" &copy; \ufffd \ufffd');
});

test('agents: what a question is answered with', () => {
  assert.deepEqual(['south', ' ', undefined].map(askReply), [{ answer: 'south' }, { cancelled: true }, { cancelled: true }]);
});

test('trust: the question of the server is told from others, and shown whole', () => {
  const actions = [{ title: "Don't trust" }, { title: 'Trust', nonce: 'N' }];
  assert.deepEqual(trustQuestion({ type: 2, message: 'Trust /shop? It brings along:\nagent a: runs x\nagent b: runs y', actions }), {
    question: 'Trust /shop? It brings along:',
    detail: 'agent a: runs x\nagent b: runs y',
    agree: actions[1],
  });
  assert.equal(trustQuestion({ type: 2, message: 'Trust me?', actions: [{ title: 'Trust' }] }), undefined);
  assert.equal(trustQuestion({ type: 3, message: 'Hello' }), undefined);
});

test('status: what was spent', () => {
  assert.equal(spent({ consumedUsd: 0, limitUsd: 100, queries: 0 }), '');
  assert.equal(spent({ consumedUsd: 0.416, limitUsd: 100, queries: 12 }), '$0.42 of $100.00, 12 questions');
  assert.equal(spent({ consumedUsd: 0, limitUsd: 0, queries: 1 }), '$0.00, 1 question');
});

test('offers: the title, the reason and what it is about, as one-line rows', () => {
  const offer = { commit: '0123456789abcdef', author: 'Ada', date: '', text: 'price: round down\n\nOn purpose, $(bug) because.', places: [{ path: 'a.go', name: 'WithTax', line: 4 }] };
  const row = offerRow(offer);
  assert.equal(row.label, 'price: round down');
  assert.equal(row.description, '01234567');
  assert.match(row.detail, /^On purpose, .*because\. — about WithTax \(a\.go:4\)$/);
  assert.doesNotMatch(row.detail, /\$\(bug\)/); // text is no icon
  assert.equal(offerRow({ ...offer, text: 'one line', places: [] }).detail, '');
  assert.equal(spoken({ ...offer, text: 'a\n\nb [c](command:d)' }), 'Remember what commit 01234567 says? “a — b [c] (command:d)”');
  assert.ok(spoken({ ...offer, text: '😀'.repeat(1000) }).endsWith('😀…”'));
});

test('offers: the folder of a repository', () => {
  assert.equal(folderOf('/a/b', ['/a/bc', '/a/b'], '/'), '/a/b');
  assert.equal(folderOf('/a', ['/ab', '/a/b'], '/'), '/a/b');
  assert.equal(folderOf('/a/b/c', ['/', '/a/b'], '/'), '/');
  assert.equal(folderOf('/a', ['/ab'], '/'), undefined);
});
