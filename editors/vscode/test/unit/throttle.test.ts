import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Throttle } from '../../src/answer/throttle';

test('throttle: at once, then no more often than it may', () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let calls = 0;
  const throttle = new Throttle(50, () => calls++, () => Date.now());
  throttle.ask();
  assert.equal(calls, 1);
  throttle.ask();
  throttle.ask();
  assert.equal(calls, 1);
  mock.timers.tick(49);
  assert.equal(calls, 1);
  mock.timers.tick(1);
  assert.equal(calls, 2);
  throttle.ask();
  throttle.call();
  mock.timers.tick(100);
  assert.equal(calls, 3, 'a call takes the place of the one that waits');
  throttle.ask();
  throttle.ask();
  throttle.cancel();
  mock.timers.tick(100);
  assert.equal(calls, 4);
  mock.timers.reset();
});
