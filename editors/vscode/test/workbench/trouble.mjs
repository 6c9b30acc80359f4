// What goes wrong, and what the user sees of it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { Workbench } from '../driver.mjs';

export async function open(bench) {
  await bench.openFolder();
  await bench.ready();
}

async function ask(bench, question) {
  await bench.runToAsk('AURORA: Ask AURORA', 'Ask AURORA');
  await bench.page.keyboard.type(question);
  await bench.page.keyboard.press('Enter');
}

function use(bench, program) {
  bench.world.configure({ 'aurora.server.path': path.join(bench.world.programs, program) });
}

export const tests = {
  'starts the sidecar again after it was killed': async (bench) => {
    const before = bench.world.sidecars(); // this window's, and maybe that of a window before, which has not ended yet
    assert.notDeepEqual(before, []);
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await bench.status('AURORA: restarting');
    await bench.ready();
    const after = bench.world.sidecars();
    assert.notDeepEqual(after, []);
    assert.deepEqual(after.filter((pid) => before.includes(pid)), []);
    assert.equal(await bench.toasts.count(), 0);
  },

  'says once what is wrong with a missing program, and works when that is mended': async (bench) => {
    use(bench, 'nothing-here');
    await bench.toasts.filter({ hasText: 'There is no' }).waitFor();
    await bench.status('AURORA: stopped');
    assert.equal(await bench.toasts.count(), 1);
    await bench.shot('missing');
    await bench.run('AURORA: Show Status');
    await bench.rows.filter({ hasText: 'There is no' }).waitFor();
    await bench.page.keyboard.press('Escape');
    use(bench, 'aurora');
    await bench.ready();
    await bench.clearNotifications();
  },

  'shows hostile answers, and lets nothing in them act': async (bench) => {
    use(bench, 'aurora-hostile');
    await bench.ready(3);
    const outside = [];
    bench.page.on('request', (request) => { if (request.url().includes('192.0.2.1')) outside.push(request.url()); });
    await ask(bench, 'what is it?');
    const view = bench.answer();
    await view.locator('.answer', { hasText: 'The end [1].' }).waitFor();
    await view.locator('.warning', { hasText: '<b>asked</b> what is it?' }).waitFor();
    assert.equal(await view.locator('.answer').locator('script, img, a, iframe, svg, form, button').count(), 0);
    assert.match(await view.locator('.answer').innerText(), /<script>document\.title = "pwned"<\/script>/);
    const tabs = await bench.page.locator('.tab').count();
    for (const text of ['Run me', 'Read me', 'Go']) await view.locator('.inert', { hasText: text }).click();
    assert.equal(await bench.page.locator('.tab').count(), tabs);
    assert.doesNotMatch(await view.locator('body').evaluate(() => document.title), /pwned/);
    assert.deepEqual(outside, []);
    await bench.shot('hostile');
  },

  'cancels a question that runs': async (bench) => {
    const view = bench.answer();
    await view.locator('#question').fill('wait for me');
    await bench.page.keyboard.press('Enter');
    await view.locator('#question').press('Enter');
    await view.locator('.turn.asking .phase', { hasText: 'reading' }).waitFor();
    await bench.status('AURORA: asking');
    await bench.shot('asking');
    await view.locator('.turn.asking button', { hasText: 'Cancel' }).click();
    await view.locator('.turn.cancelled', { hasText: 'Cancelled.' }).waitFor();
  },

  'shows an answer while it is written, as harmless as in the end': async (bench) => {
    const view = bench.answer();
    const took = view.locator('#turns').evaluate((turns) => new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        const sent = /Sent at (\d+)/.exec(turns.innerText)?.[1];
        if (!sent) return;
        observer.disconnect();
        resolve(Date.now() - Number(sent));
      });
      observer.observe(turns, { childList: true, characterData: true, subtree: true });
    }));
    await view.locator('#question').fill('write and wait for me');
    await view.locator('#question').press('Enter');
    console.log(`      first text ${await took} ms after the program sent it`);
    const turn = view.locator('.turn.asking');
    await turn.locator('.answer', { hasText: 'The end [1].' }).waitFor();
    const text = await turn.locator('.answer').innerText();
    assert.doesNotMatch(text, /Void words/);
    assert.match(text, /<script>document\.title = "pwned"<\/script>/);
    assert.equal(await turn.locator('.answer').locator('script, img, a, iframe, svg, form, button').count(), 0);
    await turn.locator('.phase', { hasText: 'synthesize' }).locator('.percentage', { hasText: '%' }).waitFor();
    await turn.locator('button', { hasText: 'Cancel' }).focus();
    await bench.page.keyboard.press('Enter');
    await view.locator('.turn.cancelled').nth(1).waitFor();
  },

  'may be closed in the middle of an answer': async (bench) => {
    const view = bench.answer();
    await view.locator('#question').fill('write and wait for me again');
    await view.locator('#question').press('Enter');
    await view.locator('.turn.asking .answer', { hasText: 'Sent at' }).waitFor();
    await bench.run('View: Close All Editors');
    await bench.page.locator('.statusbar-item', { hasText: 'asking' }).waitFor({ state: 'detached' });
    assert.equal(await bench.toasts.count(), 0);
    use(bench, 'aurora');
    await bench.ready();
  },

  'serves a workspace of ten folders': async (bench) => {
    const folders = Array.from({ length: 10 }, (_, i) => path.join(bench.world.root, `part${i}`));
    for (const [i, folder] of folders.entries()) {
      fs.mkdirSync(folder);
      fs.writeFileSync(path.join(folder, 'go.mod'), `module part${i}\n`);
      fs.writeFileSync(path.join(folder, 'part.go'), `package part\n\n// Part${i} is one of ten.\nfunc Part${i}() {}\n`);
    }
    const file = path.join(bench.world.root, 'ten.code-workspace');
    fs.writeFileSync(file, JSON.stringify({ folders: folders.map((folder) => ({ path: path.basename(folder) })) }));
    await bench.openWorkspace(file, 'part0');
    await bench.ready(20);
    await bench.runToAsk('AURORA: Search Code and Memory', 'Search Code and Memory');
    await bench.page.keyboard.type('Part7 is one of ten');
    await bench.rows.filter({ hasText: 'Part7' }).first().waitFor();
    await bench.page.keyboard.press('Escape');
  },

  'shows two windows on one folder the same': async (bench) => {
    await bench.openFolder();
    await bench.ready();
    const running = bench.world.daemons(); // those of the other tests' folders wait a while for somebody
    const other = new Workbench(await bench.page.context().browser().newPage({ viewport: bench.page.viewportSize() }), bench);
    try {
      await other.openFolder();
      await other.ready();
      assert.equal(bench.world.daemons(), running);
      await other.open('internal/price/price.go');
      await other.cursor(35, 2);
      await other.page.keyboard.type('\n\nfunc loganberryPrice() int { return 3 }\n');
      await bench.runToAsk('AURORA: Search Code and Memory', 'Search Code and Memory');
      await bench.page.keyboard.type('loganberryPrice');
      await bench.top('loganberryPrice').waitFor(); // it is not saved
      await bench.page.keyboard.press('Escape');
      await bench.showMemory();
      await other.runToAsk('AURORA: Remember This', 'Remember This');
      await other.page.keyboard.type('Loganberries cost three, as the other window said');
      await other.page.keyboard.press('Enter');
      await bench.page.locator('.pane-body .monaco-list-row', { hasText: 'Loganberries cost three' }).first().waitFor();
      await bench.run('View: Show Explorer');
      await other.run('File: Revert File');
    } finally {
      await other.close();
    }
    await bench.ready();
  },

  'does nothing where no folder is open, and says so': async (bench) => {
    const before = bench.world.sidecars();
    await bench.go('ew=true');
    await bench.page.locator('.statusbar-item', { hasText: 'AURORA' }).locator('.codicon-circle-slash').waitFor();
    await bench.run('AURORA: Search Code and Memory');
    await bench.toasts.filter({ hasText: 'none is open. Open a folder.' }).waitFor();
    assert.deepEqual(bench.world.sidecars().filter((pid) => !before.includes(pid)), []);
  },
};
