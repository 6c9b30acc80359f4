// The editor's own model, lent to the sidecar: a real one as far as VS Code knows, from an extension of the tests.
import assert from 'node:assert/strict';
import fs from 'node:fs';

const QUESTION = 'design a cache for the total of a basket';

/** Extensions may bring models since VS Code 1.104. */
export const supported = (world) => world.lends;

export async function open(bench) {
  await bench.openFolder();
  await bench.ready();
}

/** What the model has been through: asked, cancelled. */
const log = (bench) => (fs.existsSync(`${bench.world.chat}.log`) ? fs.readFileSync(`${bench.world.chat}.log`, 'utf8').trim().split('\n') : []);

/** Makes the editor have another model, and waits until it says so. */
async function offer(bench, name, model) {
  fs.rmSync(`${bench.world.chat}.log`, { force: true });
  fs.writeFileSync(`${bench.world.chat}.new`, JSON.stringify({ name, maxInputTokens: 100_000, behaviour: 'answer', ...model }));
  fs.renameSync(`${bench.world.chat}.new`, bench.world.chat); // all of it at once
  await bench.hasModel(name);
}

async function ask(bench, question = QUESTION) {
  await bench.runToAsk('AURORA: Ask AURORA', 'Ask AURORA');
  await bench.page.keyboard.type(question);
  await bench.page.keyboard.press('Enter');
}

const agree = (bench, answer) => bench.dialog.filter({ hasText: 'Answer with' }).locator('.monaco-button', { hasText: answer }).click();

/** Asks in the view that is there; returns the new turn. */
async function again(bench, question = QUESTION) {
  const view = bench.answer();
  const before = await view.locator('.turn').count();
  await view.locator('#question').fill(question);
  await view.locator('#question').press('Enter');
  return view.locator('.turn').nth(before);
}

export const tests = {
  'asks nobody while the editor has no model': async (bench) => {
    await ask(bench);
    await bench.answer().locator('.turn.answered .warning', { hasText: 'No model is configured' }).waitFor();
    assert.equal(await bench.dialog.count(), 0);
    await bench.closeAll();
  },

  'asks before it uses the model of the editor; who says nothing is not asked again, and nothing is sent': async (bench) => {
    await offer(bench, 'Quince', { url: 'http://127.0.0.1:9' });
    await ask(bench);
    await bench.dialog.filter({ hasText: 'are sent to its provider' }).waitFor();
    await bench.shot('consent');
    await agree(bench, 'Not Now');
    await bench.answer().locator('.turn.answered .warning', { hasText: 'No model is configured' }).waitFor();
    const turn = await again(bench);
    await turn.and(bench.answer().locator('.answered')).waitFor();
    assert.equal(await bench.dialog.count(), 0);
    assert.deepEqual(log(bench), []);
    await bench.closeAll();
  },

  'never means never': async (bench) => {
    bench.configure({ 'aurora.languageModel.use': 'never' });
    await ask(bench);
    await bench.answer().locator('.turn.answered .warning', { hasText: 'No model is configured' }).waitFor();
    assert.equal(await bench.dialog.count(), 0);
    assert.deepEqual(log(bench), []);
    bench.configure({});
    await bench.closeAll();
  },

  'answers @aurora in the chat of the editor, with sources that open': async (bench) => {
    bench.configure({ 'aurora.languageModel.use': 'never', 'chat.disableAIFeatures': false });
    bench.world.remember('A total never counts a ` of the label', 'internal/basket/basket.go:26'); // half a code span, which no link may be lost by
    try {
      const chat = await bench.openChat();
      await chat.locator('.chat-input-container', { hasText: 'Quince' }).waitFor(); // the chat asks for a model, whoever answers
      await bench.ready();
      await bench.page.keyboard.type('@aurora where is TotalCents defined?');
      const asked = chat.locator('.interactive-request', { hasText: 'where is TotalCents defined?' });
      await bench.until('the question in the chat', () => bench.page.keyboard.press('Enter'), (timeout) => asked.waitFor({ timeout }));
      const answer = chat.locator('.interactive-response', { hasText: 'No model is configured' });
      await answer.locator('.chat-inline-anchor-widget', { hasText: 'basket.go' }).first().click();
      await bench.at(26);
      await bench.shot('chat');
      assert.equal(await bench.dialog.count(), 0);
      assert.deepEqual(log(bench), []);
      bench.configure({});
      await chat.waitFor({ state: 'hidden' });
    } finally {
      bench.configure({});
    }
    await bench.closeAll();
  },

  'answers with the model of the editor, once a person has agreed': async (bench) => {
    const model = await bench.world.model();
    try {
      await open(bench); // a new window has forgotten "not now"
      await offer(bench, 'Medlar', { url: model.url });
      await ask(bench);
      await agree(bench, 'Always');
      const view = bench.answer();
      await view.locator('.turn.answered .facts', { hasText: /Medlar.*for \d+ calls/ }).waitFor();
      await view.locator('.phases summary').click();
      await view.locator('.part').first().waitFor();
      assert.ok(log(bench).length > 3, `${log(bench).length} calls`);
      await bench.shot('lent');
      const turn = await again(bench, 'How is a discount of the basket made, and why?');
      await turn.locator('.facts', { hasText: /Medlar/ }).waitFor();
      assert.equal(await bench.dialog.count(), 0, 'it is asked once');
    } finally {
      model.stop();
    }
  },

  'a question that is cancelled is cancelled in the model, too': async (bench) => {
    await offer(bench, 'Sorb', { behaviour: 'hang' });
    const turn = await again(bench, 'design a cache for the discounts of a basket');
    await bench.eventually('the question to the model', () => log(bench).includes('asked'));
    await turn.locator('button', { hasText: 'Cancel' }).click();
    await turn.and(bench.answer().locator('.cancelled')).waitFor();
    await bench.eventually('the end of it', () => log(bench).includes('cancelled'));
  },

  'a question that is too long for the model is not sent, and answered without it': async (bench) => {
    await bench.closeAll();
    await offer(bench, 'Sloe', { maxInputTokens: 20 });
    await ask(bench, 'design a cache for the prices of a basket');
    const view = bench.answer();
    await view.locator('.turn.answered .warning', { hasText: /have \d+ tokens, and Sloe takes 20/ }).waitFor();
    assert.deepEqual(log(bench), []);
    await bench.shot('lent-too-long');
  },

  'a model that fails is said to have failed, and the answer comes without it': async (bench) => {
    await offer(bench, 'Crab', { behaviour: 'fail' });
    const turn = await again(bench, 'design a cache for the parts of an order');
    await turn.and(bench.answer().locator('.answered')).locator('.warning', { hasText: /the orchard is closed/ }).waitFor();
    assert.ok(log(bench).includes('asked'));
    fs.rmSync(bench.world.chat);
    bench.configure({});
    await bench.closeAll();
  },
};
