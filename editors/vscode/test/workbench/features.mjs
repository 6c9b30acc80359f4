// What the extension is for, with the real sidecar.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const BASKET = 'internal/basket/basket.go';

export async function open(bench) {
  await bench.openFolder();
}

/** What the rows say first: a name, a query. */
async function labels(bench) {
  return (await bench.rowTexts()).map((text) => text.split('\n')[0]);
}

/** The names of the files that the rows are in, from the top. */
async function places(bench) {
  return (await bench.rowTexts()).map((text) => /(?:^|[\s/])([\w.-]+):\d+/.exec(text)?.[1] ?? '');
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** Opens the search picker by its keys and types. */
async function search(bench, words) {
  await bench.page.mouse.move(640, 799); // nothing is pointed at, so that no tooltip covers a button
  await bench.keysToAsk(['Control+k', 'a'], 'Search Code and Memory');
  if (words) await bench.page.keyboard.type(words);
}

const titled = (bench, text) => bench.titled(text).waitFor();

async function ask(bench, question) {
  await bench.keysToAsk(['Control+k', 'j'], 'Ask AURORA');
  await bench.page.keyboard.type(question);
  await bench.page.keyboard.press('Enter');
}

export const tests = {
  'indexes the folder and says so in the status bar': (bench) => bench.ready(),

  'has a walkthrough with pictures, whose steps are ticked': async (bench) => {
    const page = bench.page.locator('.gettingStartedContainer');
    const step = (title) => page.locator('.getting-started-step', { has: bench.page.locator('.step-title', { hasText: title }) });
    const ticked = (title) => (timeout) => step(title).locator('.codicon-getting-started-step-checked').first().waitFor({ state: 'attached', timeout });
    await bench.runToPick('Welcome: Open Walkthrough...', 'Get Started with AURORA', step('The program'));
    const button = (text) => page.locator('.monaco-button', { hasText: text });
    const leave = () => bench.until('no box is open', async () => { // Escape, when the page has taken the focus, leaves the page
      const box = await page.boundingBox();
      await bench.page.mouse.click(box.x + box.width - 20, box.y + box.height - 20);
    }, (timeout) => bench.picker.waitFor({ state: 'hidden', timeout }));
    const choose = (title, text) => bench.press(step(title).locator('.step-title'), (timeout) => button(text).waitFor({ timeout }));
    await bench.press(button('Show Status'), ticked('The program')); // VS Code does not tick by what was so before it knew of the step
    await leave();
    await choose('Search', 'Search Code and Memory');
    await bench.press(button('Search Code and Memory'), ticked('Search'));
    await leave();
    await bench.press(step('Ask').locator('.step-title'), (timeout) => page.locator('img[alt="An answer, and one of its sources beside it"]').first().waitFor({ state: 'attached', timeout }));
    const image = page.locator('.getting-started-media img').first();
    await bench.until('the picture beside the step', async () => { // there is room for it without the side bar
      await leave(); // a click that came late has opened one again
      await bench.run('View: Toggle Primary Side Bar Visibility');
    }, (timeout) => image.waitFor({ timeout }));
    await bench.shot('walkthrough');
    await bench.until('the page is left', async () => {
      await leave();
      await bench.page.locator('.tab .tab-actions .action-label').first().click({ timeout: 5000 });
    }, (timeout) => bench.page.locator('.tab').first().waitFor({ state: 'detached', timeout }));
    await bench.run('View: Show Explorer');
  },

  'hovers with a card': async (bench) => {
    await bench.open(BASKET);
    await bench.cursor(26, 20);
    const card = bench.page.locator('.monaco-hover:visible', { hasText: 'TotalCents is the sum of all items' });
    await bench.until('the card', async () => { // on a busy machine the sidecar leaves a hover unanswered: it has 20 ms
      await bench.page.keyboard.press('Escape');
      await bench.run('Show or Focus Hover');
    }, (timeout) => card.waitFor({ timeout }));
    await bench.shot('hover');
    await bench.page.keyboard.press('Escape');
  },

  'searches while one types, in the order of the scores': async (bench) => {
    await search(bench, 'total cents of a basket');
    await bench.top('Basket.TotalCents').waitFor();
    await titled(bench, /of \d+ · [\d.]+ ms/);
    await bench.shot('search');
    await bench.press(bench.page.locator('.quick-input-titlebar .codicon-question'), (timeout) => bench.top(/0\.\d\d = words/).waitFor({ timeout }));
    const scores = (await bench.rowTexts()).map((text) => Number(/(\d\.\d\d) = words/.exec(text)?.[1])).filter((score) => !Number.isNaN(score));
    assert.ok(scores.length > 2, `${scores.length} scores`);
    assert.deepEqual(scores, [...scores].sort((a, b) => b - a));
    await bench.shot('search-scores');
    await bench.page.locator('.quick-input-titlebar .codicon-code').click();
    await bench.page.keyboard.press('Escape');
  },

  'shows the first results soon after a key': async (bench) => {
    await search(bench, 'volume');
    await bench.rows.filter({ hasText: 'volumeDiscount' }).first().waitFor();
    const took = [];
    for (const words of ['volume discount of', 'total cents', 'order total', 'cart panel', 'price in cents', 'add item', 'new basket', 'parse price', 'render total']) {
      took.push(await bench.page.evaluate(async (typed) => {
        const input = document.querySelector('.quick-input-box input');
        const title = document.querySelector('.quick-input-title');
        const before = title.textContent;
        const changed = new Promise((resolve) => {
          const observer = new MutationObserver(() => { if (title.textContent !== before) { observer.disconnect(); resolve(performance.now()); } });
          observer.observe(title, { childList: true, characterData: true, subtree: true });
        });
        const began = performance.now();
        input.value = typed;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
        return (await changed) - began;
      }, words));
    }
    console.log(`      first results after ${median(took).toFixed(0)} ms (median of ${took.length}), at most ${Math.max(...took).toFixed(0)} ms`);
    await bench.page.keyboard.press('Escape');
  },

  'previews the result one is on, and goes back on Escape': async (bench) => {
    await bench.open('docs/guide.md');
    await search(bench);
    await bench.input.fill('total cents of a basket'); // at once: what is found for less of it would move the rows under the keys
    await bench.top('Basket.TotalCents').waitFor();
    const files = await places(bench);
    const next = files.findIndex((file) => file !== files[0]); // which one it is, is the ranking's business
    const front = (file) => bench.tab(file).and(bench.page.locator('.active')).waitFor();
    for (let i = 0; i < next; i++) await bench.page.keyboard.press('ArrowDown');
    await front(files[next]);
    for (let i = 0; i < next; i++) await bench.page.keyboard.press('ArrowUp');
    await front('basket.go');
    await bench.page.keyboard.press('Escape');
    await front('guide.md');
  },

  'opens a result, highlighted, and another one to the side': async (bench) => {
    await search(bench, 'volumeDiscount');
    await bench.rows.filter({ hasText: 'volumeDiscount' }).first().waitFor();
    await bench.page.keyboard.press('Enter');
    await bench.tab(/\.go/).and(bench.page.locator('.active')).first().waitFor();
    await bench.page.locator('.view-overlays .cdr[class*="ced-"]').first().waitFor();
    const row = bench.rows.filter({ hasText: 'order_total' }).first();
    await bench.pressInRow(row, '.codicon-split-horizontal', (timeout) => bench.tab('orders.py').waitFor({ timeout }), async () => {
      if (!(await row.isVisible())) await search(bench, 'order_total');
    });
    assert.equal(await bench.page.locator('.editor-group-container').count(), 2);
    await bench.closeAll();
  },

  'narrows a search to types and languages': async (bench) => {
    await search(bench, 'total');
    await bench.rows.filter({ hasText: 'cart.ts' }).first().waitFor();
    await bench.press(bench.page.locator('.quick-input-titlebar .codicon-filter'), (timeout) => bench.titled('Search only').waitFor({ timeout }));
    await bench.rows.filter({ hasText: 'python' }).first().click();
    await bench.page.keyboard.press('Enter');
    await titled(bench, 'only python');
    const places = await bench.rows.locator('.label-description').allInnerTexts();
    assert.ok(places.length > 0);
    assert.deepEqual(places.filter((place) => !place.includes('.py:')), []);
    await bench.press(bench.page.locator('.quick-input-titlebar .codicon-filter-filled'), (timeout) => bench.titled('Search only').waitFor({ timeout }));
    await bench.rows.filter({ hasText: 'python' }).first().click();
    await bench.page.keyboard.press('Enter');
    await bench.rows.filter({ hasText: 'cart.ts' }).first().waitFor();
    await bench.page.keyboard.press('Escape');
  },

  'offers the latest queries': async (bench) => {
    await search(bench, '');
    await bench.top('order_total').waitFor();
    assert.deepEqual((await labels(bench)).slice(0, 2), ['order_total', 'volumeDiscount']);
    await bench.page.keyboard.press('Enter');
    await bench.rows.filter({ hasText: 'orders.py' }).first().waitFor();
    await bench.page.keyboard.press('Escape');
  },

  'explains the last ranking': async (bench) => {
    await bench.run('AURORA: Explain Last Ranking');
    await bench.tab('Ranking.md').waitFor();
    await bench.page.locator('.view-lines', { hasText: 'Ranking of "order_total"' }).waitFor();
    await bench.closeAll();
  },

  'searches what is typed but not saved': async (bench) => {
    await bench.open('internal/price/price.go');
    await bench.cursor(35, 2);
    await bench.page.keyboard.type('\n\nfunc loquatPrice() int { return 3 }\n');
    await search(bench, 'loquatPrice');
    await bench.rows.filter({ hasText: 'loquatPrice' }).first().waitFor();
    await bench.page.keyboard.press('Escape');
    assert.doesNotMatch(bench.read('internal/price/price.go'), /loquat/);
    await bench.run('File: Revert File');
    await bench.closeAll();
  },

  'answers with sources, each of which opens its lines': async (bench) => {
    await bench.open('docs/guide.md');
    await ask(bench, 'Where is TotalCents defined?');
    const view = bench.answer();
    await view.locator('.turn.answered').waitFor();
    await view.locator('.warning', { hasText: 'No model is configured' }).waitFor();
    assert.match(await view.locator('.answer').innerText(), /basket\.go/);
    await view.locator('.phases summary').click();
    await view.locator('.phase', { hasText: 'retrieve' }).locator('.time', { hasText: 'ms' }).waitFor();
    await bench.shot('answer');
    await bench.press(view.locator('button.citation').first(), (timeout) => bench.tab('basket.go').and(bench.page.locator('.active')).waitFor({ timeout }));
    await bench.at('2[56]');
    await bench.page.locator('.view-overlays .cdr[class*="ced-"]').first().waitFor();
    await bench.shot('citation');
  },

  'takes a follow-up question by keyboard alone': async (bench) => {
    const view = bench.answer();
    await view.locator('#question').focus();
    await bench.page.keyboard.type('Who calls it?');
    await bench.page.keyboard.press('Enter');
    await view.locator('.turn').nth(1).locator('.actions button', { hasText: 'Copy' }).waitFor();
    assert.equal(await view.locator('#question').inputValue(), '');
    await view.locator('.turn').nth(0).locator('button.citation').first().focus();
    await bench.page.keyboard.press('Enter');
    await bench.tab('basket.go').and(bench.page.locator('.active')).waitFor();
  },

  'asks the next question in the same view': async (bench) => {
    await bench.page.locator('.editor-instance .view-lines').first().click(); // VS Code 1.100 leaves the keys with the view
    await ask(bench, 'who calls volumeDiscount?');
    const view = bench.answer();
    await view.locator('.turn').last().locator('.answer', { hasText: 'Total' }).waitFor();
    await bench.tab('AURORA: who calls volumeDiscount?').and(bench.page.locator('.active')).waitFor();
    assert.equal(await bench.tab('AURORA:').count(), 1);
  },

  'keeps an answer in memory, and takes a rating': async (bench) => {
    const view = bench.answer();
    await view.locator('.turn').nth(0).locator('button', { hasText: 'Remember' }).click();
    await bench.page.locator('.statusbar-item', { hasText: 'Remembered' }).waitFor();
    await view.locator('.turn').nth(0).locator('button.rate').first().click();
    await view.locator('.turn').nth(0).locator('button.rate.chosen').waitFor();
    await bench.page.locator('.statusbar-item', { hasText: /noted: \d+ sources? will come earlier/ }).waitFor();
    await bench.closeAll();
  },

  'offers its actions in the menu of source actions': async (bench) => {
    await bench.open(BASKET);
    await bench.cursor(26, 20);
    await bench.run('Source Action...');
    await bench.page.locator('.action-widget .monaco-list-row', { hasText: 'Ask AURORA about TotalCents' }).waitFor();
    await bench.page.locator('.action-widget .monaco-list-row', { hasText: 'Remember this' }).waitFor();
    await bench.page.keyboard.press('Escape');
  },

  'lists related code under headings': async (bench) => {
    await bench.open(BASKET);
    await bench.cursor(26, 20);
    await bench.keysToAsk(['Control+k', 'g'], 'Related to');
    const test = bench.rows.filter({ hasText: 'TestTotalCents' }).first();
    await test.waitFor();
    await bench.shot('related');
    await test.click();
    await bench.at(10, 17); // the call, not the function that calls
  },

  'merges what the language server knows with what is related': async (bench) => {
    await bench.open('web/CartPanel.tsx');
    await bench.page.locator('.squiggly-error').first().waitFor(); // TypeScript's server knows the types: React is not installed
    await bench.cursor(5, 38); // on renderTotal
    await bench.keysToAsk(['Control+k', 'g'], 'Related to renderTotal');
    await bench.rows.filter({ hasText: 'CartPanel' }).filter({ hasText: 'also by the language server' }).first().waitFor();
    const use = bench.rows.filter({ hasText: "import { ShoppingCart, renderTotal } from './cart';" }).filter({ hasText: 'CartPanel.tsx:1' });
    await use.first().waitFor();
    await bench.shot('related-language-server');
    await use.first().click();
    await bench.at(1, 24);
    await bench.closeAll();
  },

  'shows the context of a place, and how much it is': async (bench) => {
    await bench.open(BASKET);
    await bench.cursor(26, 20);
    await bench.run('AURORA: Show Context for Selection');
    await bench.tab('Context for basket.go').waitFor();
    await bench.toasts.filter({ hasText: /\d+ snippets?, about \d+ of 4000 tokens/ }).waitFor();
    await bench.clearNotifications();
    await bench.closeAll();
  },

  'remembers a note on the selection, shows it in the view, and forgets it': async (bench) => {
    await bench.open(BASKET);
    await bench.cursor(25, 1);
    await bench.page.keyboard.press('Shift+End');
    await bench.keysToAsk(['Control+k', 'n'], 'Remember This');
    await bench.page.keyboard.type('Decision: the sum is in cents, so that nothing is ever rounded');
    await bench.page.keyboard.press('Enter');
    await bench.showMemory();
    const view = bench.page.locator('.pane-body .monaco-list-row');
    await view.filter({ hasText: 'Decision: the sum is in cents' }).first().waitFor();
    await bench.runToAsk('AURORA: Recall', 'Recall');
    await bench.page.keyboard.type('rounded');
    await bench.page.keyboard.press('Enter');
    await view.filter({ hasText: 'Recalled: rounded' }).waitFor();
    await bench.run('AURORA: Clear What Was Recalled');
    await view.filter({ hasText: 'Recalled: rounded' }).waitFor({ state: 'detached' });
    const row = view.filter({ hasText: 'Decision: the sum is in cents' }).first();
    const forget = () => bench.pressInRow(row, '.codicon-trash', (timeout) => row.waitFor({ state: 'detached', timeout }));
    await forget();
    await bench.toasts.filter({ hasText: 'Forgotten: Decision: the sum is in cents' }).waitFor();
    await bench.shot('forgotten');
    await bench.press(bench.page.locator('.notification-toast .monaco-button', { hasText: 'Undo' }), (timeout) => row.waitFor({ timeout }));
    await forget();
    await bench.clearNotifications();
    await bench.runToAsk('AURORA: Bring Back What Was Forgotten', 'Bring Back');
    await bench.rows.filter({ hasText: 'Decision: the sum is in cents' }).first().click();
    await bench.shot('restore');
    await bench.page.keyboard.press('Enter');
    await view.filter({ hasText: 'Decision: the sum is in cents' }).first().waitFor();
    await forget();
    await bench.clearNotifications();
    await bench.run('View: Show Explorer');
    await bench.closeAll();
  },

  'offers a note to the team, where one is joined': async (bench) => {
    const home = path.join(bench.world.state, 'home');
    const account = path.join(home, '.aurora', 'team.json');
    fs.writeFileSync(account, JSON.stringify({ url: 'postgres://alice@127.0.0.1:1/team' }));
    const waiting = () => JSON.parse(execFileSync(process.env.AURORA_BIN, ['team', 'status', '--json'], { encoding: 'utf8', env: { ...process.env, HOME: home } })).waiting;
    const remember = async (text, scope) => {
      await bench.open(BASKET);
      await bench.cursor(26, 20);
      await bench.keysToAsk(['Control+k', 'n'], 'Remember This');
      await bench.page.keyboard.type(text);
      await bench.page.keyboard.press('Enter');
      await bench.rows.filter({ hasText: scope }).first().click();
      await bench.status('AURORA: Remembered');
    };
    try {
      await remember('Medlars are mine to think about', 'For me');
      assert.equal(waiting(), 0);
      await remember('Pears are for everyone to think about', 'For the team');
      assert.equal(waiting(), 1);
    } finally {
      fs.rmSync(account);
    }
    await bench.closeAll();
  },

  'pins a record, edits it, and says what has changed of its code': async (bench) => {
    const note = async (line, text) => {
      await bench.open(BASKET);
      await bench.cursor(line, 20);
      await bench.keysToAsk(['Control+k', 'n'], 'Remember This');
      await bench.page.keyboard.type(text);
      await bench.page.keyboard.press('Enter');
    };
    await note(35, 'We decided on a tenth: the till can not show less');
    await note(26, 'The sum is in cents, so that nothing is ever rounded');
    await bench.showMemory();
    const rows = bench.page.locator('.pane-body .monaco-list-row');
    const group = (text) => bench.page.locator('.pane-body .monaco-list-row[aria-level="1"]', { hasText: text });
    await group('Recent Decisions').waitFor();
    await group('Notes').waitFor();
    const inCents = rows.filter({ hasText: 'The sum is in cents' }).last();
    await bench.pressInRow(inCents, '.codicon-pin', (timeout) => group('Pinned').waitFor({ timeout }));

    await rows.filter({ hasText: 'We decided on a tenth' }).last().click();
    await bench.tab('We decided on a tenth').and(bench.page.locator('.active')).waitFor();
    await bench.page.locator('.editor-instance .view-lines').first().click();
    await bench.page.keyboard.press('Control+Home');
    await bench.page.keyboard.type('In March ');
    await bench.run('File: Save');
    await rows.filter({ hasText: 'In March We decided on a tenth' }).first().waitFor();
    await bench.closeAll();

    await bench.open(BASKET);
    await bench.cursor(39, 1);
    const original = bench.read(BASKET);
    const line = '\treturn cents / 10';
    assert.ok(original.includes(line));
    await bench.page.keyboard.press('Shift+End');
    await bench.page.keyboard.type('return 7 * offset(cents, items) - surcharge(items, cents) % 13');
    await bench.run('File: Save');
    await group('To Review').waitFor();
    await rows.filter({ hasText: 'has changed since' }).first().waitFor();
    await bench.shot('memory');
    const unpin = '.codicon-pinned[role="button"], .action-label.codicon-pinned';
    await bench.pressInRow(inCents, unpin, (timeout) => group('Pinned').waitFor({ state: 'detached', timeout }));
    fs.writeFileSync(path.join(bench.world.project, BASKET), original);
    await bench.open(BASKET);
    await bench.run('File: Revert File');
    await bench.run('View: Show Explorer');
    await bench.closeAll();
  },

  'shows lenses when they are switched on': async (bench) => {
    await bench.open(BASKET);
    bench.configure({ 'aurora.lsp.codeLens.enabled': true });
    await bench.page.locator('.codelens-decoration a', { hasText: /\d+ callers?/ }).first().waitFor();
    await bench.shot('lens');
    bench.configure({});
    await bench.page.locator('.codelens-decoration a', { hasText: 'caller' }).first().waitFor({ state: 'detached' });
    await bench.closeAll();
  },

  'finds what was written elsewhere when one comes back to the window': async (bench) => {
    bench.world.userSettings({ index: { watcher: { enabled: false } } }); // as on a disk that tells of no changes
    await bench.restartWith({ 'aurora.index.bootstrap.showProgress': false });
    await bench.openFolder(); // a new window has not looked in the last minute
    await bench.ready();
    const file = path.join(bench.world.project, 'tools/cellar.py');
    await bench.focus(false);
    fs.writeFileSync(file, 'def cellar_stairs():\n    return 13\n');
    await bench.focus(true);
    try {
      await bench.ready(13);
      await search(bench, 'cellar_stairs');
      await bench.top('cellar_stairs').waitFor();
      await bench.page.keyboard.press('Escape');
    } finally {
      fs.rmSync(file);
      bench.world.userSettings({});
      await bench.restartWith({});
    }
  },

  'chooses a model, keeps its key in secret storage, and tries it': async (bench) => {
    const model = await bench.world.model();
    const starts = () => bench.world.log().filter((line) => line.includes('state: starting')).length;
    const before = starts();
    const answer = async (title, text) => {
      await titled(bench, title);
      await bench.input.fill(text);
      await bench.page.keyboard.press('Enter');
    };
    try {
      await bench.runToAsk('AURORA: Choose a Model', 'Choose a Model');
      await bench.rows.filter({ hasText: 'Anthropic' }).first().waitFor();
      await bench.shot('model');
      await answer('Choose a Model', 'Another endpoint');
      await answer('The address of the endpoint', model.url);
      await answer('The key of', 'sk-plum');
      await titled(bench, 'The model of');
      await bench.rows.filter({ hasText: 'scripted' }).first().click();
      await answer('The most that models may cost', '20');
      await bench.toasts.filter({ hasText: /scripted answers\. .*answered in/ }).waitFor();
      await bench.eventually('the key', () => bench.world.given('AURORA_API_KEY') === 'sk-plum');
      assert.equal(bench.world.given('AURORA_COST_BUDGETS_HARD_LIMIT_USD'), '20');
      await bench.ready();
      assert.equal(starts(), before + 1, 'the program was started more than once for one choice');
      const settings = fs.readFileSync(path.join(bench.world.root, 'state/data/Machine/settings.json'), 'utf8');
      assert.ok(settings.includes('scripted') && !settings.includes('plum'), settings);
      await bench.clearNotifications();
      await bench.restartWith({ 'aurora.llm.model': 'scripted', 'aurora.llm.baseUrl': `${model.url}/other` });
      assert.equal(bench.world.given('AURORA_API_KEY'), undefined, 'another endpoint got the key');
    } finally {
      await bench.restartWith({});
      model.stop();
    }
  },

  'answers by a model, with a score and the times of its phases': async (bench) => {
    const model = await bench.world.model();
    try {
      await bench.restartWith({ 'aurora.llm.model': 'scripted', 'aurora.llm.baseUrl': model.url });
      await bench.open(BASKET);
      await ask(bench, 'design a cache for the total of a basket');
      const view = bench.answer();
      await view.locator('.turn.answered .meaning', { hasText: /score 0\.\d\d: / }).waitFor();
      await view.locator('.facts', { hasText: /(\$\d|no cost).* for \d+ calls, [\d,]+ tokens/ }).waitFor();
      await view.locator('.phases summary', { hasText: /How: \d+ phases in/ }).click();
      await view.locator('.phase', { hasText: 'collect' }).locator('.percentage').waitFor();
      await view.locator('.part').first().waitFor();
      await view.locator('button', { hasText: 'Reason Deeper' }).waitFor();
      await bench.shot('reasoned');
      await bench.colours('light', 'vs');
      await bench.colours('dark', 'vs-dark');
      await bench.theme('Dark High Contrast', 'hc-black');
      await bench.shot('reasoned-contrast');
      await bench.theme('Dark Modern', 'vs-dark');
    } finally {
      await bench.restartWith({});
      model.stop();
    }
    await bench.closeAll();
  },

  'says in sentences what a review found': async (bench) => {
    const model = await bench.world.model();
    const file = path.join(bench.world.project, BASKET);
    const original = fs.readFileSync(file, 'utf8');
    try {
      await bench.restartWith({ 'aurora.llm.model': 'scripted', 'aurora.llm.baseUrl': model.url });
      fs.writeFileSync(file, original.replace('func volumeDiscount(', 'func volumeDiscount(share float64, '));
      const found = bench.page.locator('.notification-toast', { hasText: /[1-9]\d* found in 1 changed file/ });
      await bench.until('a review that finds something', () => bench.run('AURORA: Review Changes'), (timeout) => found.first().waitFor({ timeout }));
      await found.first().locator('.monaco-button', { hasText: 'Summarize' }).click();
      await bench.tab('Preview Summary of the changes.md').waitFor();
      await bench.answer().locator('li', { hasText: /volumeDiscount.*\(internal\/basket\/basket\.go:35\)/ }).waitFor();
      await bench.shot('review-summary');
      await bench.clearNotifications();
      await bench.open(BASKET);
      const problems = bench.page.locator('.squiggly-warning');
      await problems.first().waitFor();
      fs.writeFileSync(file, original); // mended
      await bench.page.locator('.view-line', { hasText: /func.volumeDiscount\(items/ }).waitFor();
      await bench.cursor(1, 1);
      await bench.page.keyboard.type('// Of fruit.\n');
      await bench.run('File: Save');
      await problems.first().waitFor({ state: 'detached' });
      await bench.runToPick('AURORA: Review What Is Staged, or a Branch', 'What Is Staged', bench.toasts.filter({ hasText: '0 found in 0 changed files' }).first());
    } finally {
      fs.writeFileSync(file, original);
      await bench.clearNotifications();
      await bench.restartWith({});
      model.stop();
    }
    await bench.closeAll();
  },

  'answers with what a model looked up before': async (bench) => {
    const call = (tool, args) => JSON.stringify({ tool, arguments: args });
    const model = await bench.world.model([
      { task: 'direct', times: 1, reply: call('callers', { name: 'volumeDiscount' }) },
      { task: 'direct', contains: 'Discount', times: 1, reply: call('read', { path: 'tools/stock.py', first: 1, last: 9 }) },
      { task: 'direct', reply: 'It is called where a basket is summed up [S1].' },
    ]);
    try {
      await bench.restartWith({ 'aurora.llm.model': 'scripted', 'aurora.llm.baseUrl': model.url });
      await bench.open(BASKET);
      await ask(bench, 'where is volumeDiscount used?');
      const view = bench.answer();
      await view.locator('.turn.answered .answer', { hasText: 'It is called where a basket is summed up' }).waitFor();
      await view.locator('.facts', { hasText: /for 3 calls/ }).waitFor();
      await bench.shot('looked-up');
    } finally {
      await bench.restartWith({});
      model.stop();
    }
    await bench.closeAll();
  },

  'proposes a change, shows it, and makes what was chosen of it': async (bench) => {
    const edit = (find, replace) => JSON.stringify({ tool: 'edit', arguments: { path: BASKET, find, replace } });
    const model = await bench.world.model([
      { task: 'direct', contains: 'is to be deleted', reply: 'Nobody needs the notes [S1].' },
      { task: 'direct', contains: 'drop the notes', reply: JSON.stringify({ tool: 'move', arguments: { path: 'notes.md', to: '' } }) },
      { task: 'direct', contains: 'is taken up', times: 1, reply: edit('if items < 12 {', 'if items < 20 {') },
      { task: 'direct', contains: 'is taken up', reply: 'The discount begins at twenty items [S1].' },
      { task: 'direct', times: 1, reply: edit('cents / 10', 'cents * 2 / 20') },
    ]);
    const file = path.join(bench.world.project, BASKET);
    const before = fs.readFileSync(file, 'utf8');
    const notes = path.join(bench.world.project, 'notes.md');
    try {
      await bench.restartWith({ 'aurora.llm.model': 'scripted', 'aurora.llm.baseUrl': model.url });
      fs.writeFileSync(notes, '# Notes\n\nSpare words.\n');
      await bench.ready(13);
      await bench.open(BASKET);
      await bench.runToAsk('AURORA: Propose a Change', 'Propose a Change');
      await bench.input.fill('where is volumeDiscount? begin it at twenty items');
      await bench.page.keyboard.press('Enter');
      const view = bench.answer();
      await view.locator('.turn.answered .answer', { hasText: 'if items < 20 {' }).waitFor();
      await bench.shot('change');
      const preview = bench.page.locator('.bulk-edit-panel');
      const row = (text) => preview.locator('.monaco-list-row', { hasText: text }).first();
      const box = (text) => row(text).locator('.edit-checkbox').first();
      const choose = (text) => bench.until(`${text} is chosen`, () => box(text).check({ timeout: 5000 }), async () => assert.ok(await box(text).isChecked()));
      const apply = () => bench.press(preview.locator('.monaco-button', { hasText: 'Apply' }), (timeout) => preview.waitFor({ state: 'hidden', timeout }));
      await bench.press(view.locator('button', { hasText: 'Review and Apply…' }), (timeout) => row('basket.go').waitFor({ timeout }));
      await bench.shot('change-preview');
      assert.equal(fs.readFileSync(file, 'utf8'), before, 'something was written before it was seen');
      await choose('items < 20');
      await apply();
      await bench.tab('basket.go').click();
      await bench.run('File: Save');
      await bench.eventually('what was chosen, and nothing else, is made', () => fs.readFileSync(file, 'utf8') === before.replace('items < 12', 'items < 20'));

      await bench.runToAsk('AURORA: Propose a Change', 'Propose a Change');
      await bench.input.fill('where is volumeDiscount? drop the notes');
      await bench.page.keyboard.press('Enter');
      await view.locator('.turn.answered .answer', { hasText: 'deleted file mode' }).waitFor();
      await bench.press(view.locator('.turn', { hasText: 'drop the notes' }).locator('button', { hasText: 'Review and Apply…' }), (timeout) => row('notes.md').waitFor({ timeout }));
      assert.ok(fs.existsSync(notes), 'the file was deleted before that was seen');
      await choose('notes.md');
      await apply();
      await bench.eventually('the file is deleted', () => !fs.existsSync(notes));
    } finally {
      await bench.run('File: Revert File');
      fs.writeFileSync(file, before);
      fs.rmSync(notes, { force: true });
      await bench.restartWith({});
      model.stop();
    }
    await bench.closeAll();
  },

  'offers what a commit of this moment says, and remembers it': async (bench) => {
    const { git, project } = bench.world;
    const commit = (name, message) => {
      fs.writeFileSync(path.join(project, 'tools', name), `def ${path.basename(name, '.py')}():\n    return 7\n`);
      git('add', '-A');
      git('commit', '-qm', message);
    };
    bench.configure({ 'git.enabled': true });
    await bench.openFolder();
    await bench.ready();
    await bench.page.locator('.statusbar-item', { hasText: /^\s*(main|master)\*?$/ }).first().waitFor(); // the editor knows the repository
    try {
      commit('hinge.py', 'Oil hinges\n\nIt squeaked.');
      await bench.ready(13);
      commit('gate.py', 'Weigh crates at the gate\n\nWe decided to weigh crates at the gate instead of in the barn, because the barn scale drifts in winter.');
      await bench.run('Git: Refresh'); // the editor looks at the repository now and then
      const toast = bench.page.locator('.notification-toast', { hasText: 'the barn scale drifts in winter' });
      await toast.waitFor();
      assert.match(await toast.innerText(), /Remember what commit [\da-f]{8} says\?/);
      await bench.shot('offer');
      await toast.locator('.monaco-button', { hasText: 'Remember' }).click();
      await bench.status('AURORA: Remembered');
      await bench.showMemory();
      await bench.page.locator('.pane-body .monaco-list-row', { hasText: 'Weigh crates at the gate' }).first().waitFor();
    } finally {
      git('reset', '-q', '--hard', 'HEAD~2');
      bench.configure({});
      await bench.openFolder();
    }
    await bench.ready();
    await bench.run('View: Show Explorer');
    await bench.closeAll();
  },

  'types as fast as without it': async (bench) => {
    await bench.open('windows/orders.py'); // no other extension looks at it
    const samples = { with: [], without: [] };
    const ratios = [];
    let before = '';
    for (const modes of [['with', 'without'], ['without', 'with'], ['with', 'without'], ['without', 'with']]) { // what else the machine does meets both
      const medians = {};
      for (const mode of modes) {
        if (mode !== before) await bench.run(mode === 'with' ? 'AURORA: Restart' : 'AURORA: Pause');
        before = mode;
        await (mode === 'with' ? bench.ready() : bench.status('AURORA: paused'));
        await bench.cursor(1, 1);
        const times = await bench.typingTimes(60);
        samples[mode].push(...times);
        medians[mode] = median(times);
        await bench.run('File: Revert File');
      }
      ratios.push(medians.with / medians.without);
    }
    const [on, off] = [median(samples.with), median(samples.without)];
    console.log(`      a key is on the screen after ${on.toFixed(1)} ms, without AURORA after ${off.toFixed(1)} ms (medians of ${samples.with.length}); in pairs ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')} times as long`);
    assert.ok(Math.min(...ratios) < 2, 'typing is held up in each pair'); // what else the machine does may hold up one
    await bench.closeAll();
  },

  'finds names by Ctrl+T': async (bench) => {
    const found = bench.rows.filter({ hasText: 'order_total' }).first();
    await bench.until('the name', async () => {
      await bench.page.keyboard.press('Control+t');
      await bench.input.fill('#order_total');
    }, (timeout) => found.waitFor({ timeout }));
    await bench.page.keyboard.press('Escape');
  },

  'shows its status': async (bench) => {
    await bench.run('AURORA: Show Status');
    await bench.rows.filter({ hasText: '12 of 12 indexed' }).waitFor();
    await bench.shot('status');
    await bench.page.keyboard.press('Escape');
  },

  'asks before it rebuilds the index, and says when it is done': async (bench) => {
    await bench.run('AURORA: Rebuild Index');
    await bench.dialog.locator('.monaco-button', { hasText: 'Rebuild' }).click();
    await bench.toasts.filter({ hasText: 'The index is new: 12 files' }).waitFor();
    await bench.clearNotifications();
    await bench.ready();
  },
};
