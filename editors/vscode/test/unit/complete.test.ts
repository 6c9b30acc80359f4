import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal, choose, complete, messagesOf, type Chat, type Say } from '../../src/model/complete';
import type { CompleteParams } from '../../src/protocol';

const say: Say<string> = { user: (text) => `U:${text}`, assistant: (text) => `A:${text}` };
const params = (more: Partial<CompleteParams> = {}): CompleteParams => ({
  messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Why?' }, { role: 'assistant', content: 'Because.' }],
  tier: 'reasoning', maxTokens: 10, temperature: 0.2, ...more,
});

/** A model that counts a character as a token, and says the pieces. */
function model(pieces: string[], maxInputTokens = 1000): Chat<string, string> & { asked: { messages: string[]; options: object }[]; read: number } {
  const chat = {
    name: 'Quince', family: 'quince', maxInputTokens, read: 0, asked: [] as { messages: string[]; options: object }[],
    countTokens: (text: string) => Promise.resolve(text.length),
    sendRequest: (messages: string[], options: object) => {
      chat.asked.push({ messages, options });
      // eslint-disable-next-line @typescript-eslint/require-await -- as a model's stream is
      async function* text(): AsyncGenerator<string> { for (const piece of pieces) { chat.read++; yield piece; } }
      return Promise.resolve({ text: text() });
    },
  };
  return chat;
}

test('complete: the messages of a model without a system role, the schema as the last one', () => {
  assert.deepEqual(messagesOf(params(), say), ['U:Be brief.', 'U:Why?', 'A:Because.']);
  const last = messagesOf(params({ schema: { type: 'object' } }), say)[3] ?? '';
  assert.match(last, /^U:Reply with one JSON value/);
  assert.match(last, /\{"type":"object"\}$/);
});

test('complete: joins the pieces, and counts both sides', async () => {
  const chat = model(['It ', 'is.']);
  assert.deepEqual(await complete(params(), chat, say, 'token', 'because'), { text: 'It is.', model: 'Quince', usage: { promptTokens: 27, completionTokens: 6 } });
  assert.deepEqual(chat.asked[0]?.options, { justification: 'because', modelOptions: { max_tokens: 10, temperature: 0.2 } });
});

test('complete: a prompt that is too long is not sent', async () => {
  const chat = model(['never'], 20);
  await assert.rejects(complete(params(), chat, say, 'token', ''), (error) => error instanceof Refusal && /27 tokens, and Quince takes 20/.test(error.message));
  assert.equal(chat.asked.length, 0);
});

test('complete: a reply without end is cut, an empty one refused', async () => {
  const chat = model(Array<string>(100).fill('0123456789'));
  const { text } = await complete(params(), chat, say, 'token', '');
  assert.equal(text.length, 90);
  assert.equal(chat.read, 9, 'the model is not listened to any longer');
  await assert.rejects(complete(params(), model([' ', '\n']), say, 'token', ''), /replied with nothing/);
});

test('complete: a failure in the middle is passed on', async () => {
  const chat = model([]);
  chat.sendRequest = () => Promise.reject(new Error('quota'));
  await assert.rejects(complete(params(), chat, say, 'token', ''), /quota/);
});

test('complete: a small model for what must be fast', () => {
  const all = [{ family: 'gpt-4o' }, { family: 'gpt-4o-mini' }];
  assert.equal(choose(all, 'fast')?.family, 'gpt-4o-mini');
  assert.equal(choose(all, 'best')?.family, 'gpt-4o');
  assert.equal(choose(all.slice(0, 1), 'fast')?.family, 'gpt-4o');
  assert.equal(choose(all.slice(1), 'best')?.family, 'gpt-4o-mini');
  assert.equal(choose([], 'fast'), undefined);
});
