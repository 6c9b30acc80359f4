import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveSearch, type Token } from '../../src/search/live';

interface Call {
  query: string;
  cancelled: boolean;
  answer(result: string): void;
  fail(error: Error): void;
}

class Source implements Token {
  call: Call | undefined;
  cancel(): void {
    if (this.call) this.call.cancelled = true;
  }
}

function setup(): { live: LiveSearch<string, string, Source>; calls: Call[]; seen: string[]; called: () => Promise<Call>; settled: () => Promise<void> } {
  const calls: Call[] = [];
  const seen: string[] = [];
  let wake: (call: Call) => void = () => undefined;
  const live = new LiveSearch<string, string, Source>({
    newToken: () => new Source(),
    search: (query, token) =>
      new Promise((resolve, reject) => {
        const call: Call = { query, cancelled: false, answer: resolve, fail: reject };
        token.call = call;
        calls.push(call);
        wake(call);
      }),
    onBusy: (busy) => seen.push(busy ? 'busy' : 'idle'),
    onResult: (query, result) => seen.push(`${query}=${result}`),
    onError: (error) => seen.push((error as Error).message),
    debounceMs: 1,
  });
  const called = (): Promise<Call> => new Promise((resolve) => (wake = resolve));
  const settled = async (): Promise<void> => { for (let i = 0; i < 5; i++) await Promise.resolve(); };
  return { live, calls, seen, called, settled };
}

test('live: keys that come fast are one search', async () => {
  const { live, calls, seen, called, settled } = setup();
  const call = called();
  for (const query of ['a', 'ab', 'abc']) live.ask(query);
  (await call).answer('1');
  await settled();
  assert.deepEqual(calls.map((made) => made.query), ['abc']);
  assert.deepEqual(seen.slice(-3), ['busy', 'abc=1', 'idle']);
});

test('live: a newer query cancels the older, whose late answer is not shown', async () => {
  const { live, calls, seen, called, settled } = setup();
  let call = called();
  live.ask('old');
  const old = await call;
  call = called();
  live.ask('new');
  const recent = await call;
  assert.ok(old.cancelled);
  recent.answer('2');
  old.answer('1');
  await settled();
  assert.ok(seen.includes('new=2'));
  assert.ok(!seen.includes('old=1'));
  assert.equal(calls.length, 2);
});

test('live: after cancel nothing is told', async () => {
  const { live, seen, called, settled } = setup();
  const call = called();
  live.ask('a');
  const made = await call;
  live.cancel();
  made.fail(new Error('cancelled'));
  await settled();
  assert.ok(made.cancelled);
  assert.equal(seen.at(-1), 'idle');
  assert.ok(!seen.includes('cancelled'));
});

test('live: an error is told, and the next query works', async () => {
  const { live, seen, called, settled } = setup();
  let call = called();
  live.ask('a');
  (await call).fail(new Error('broken'));
  await settled();
  call = called();
  live.ask('b');
  (await call).answer('2');
  await settled();
  assert.ok(seen.includes('broken') && seen.includes('b=2'));
});
