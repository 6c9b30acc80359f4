// The workbench as a person sees it: keys in, what is on the screen out.
import fs from 'node:fs';
import path from 'node:path';

const LIMIT_MS = 60_000;

export class Workbench {
  constructor(page, { world, url, folder }) {
    Object.assign(this, { page, world, url, folder });
    page.setDefaultTimeout(LIMIT_MS);
    this.rows = page.locator('.quick-input-list .monaco-list-row');
    this.input = page.locator('.quick-input-box input');
    this.picker = page.locator('.quick-input-widget');
    this.bar = page.locator('.statusbar-item', { hasText: 'AURORA' });
    this.toasts = page.locator('.notification-toast .notification-list-item-message');
    this.dialog = page.locator('.monaco-dialog-box');
  }

  async go(query) {
    await this.page.goto(`${this.url}/?${query}`);
    await this.page.locator('.monaco-workbench').waitFor({ timeout: 120_000 });
  }

  openFolder() {
    return this.go(`folder=${encodeURIComponent(this.world.project)}`);
  }

  /**
   * Opens a workspace of folders, one of which is given by its name; once more when the editor has not read the file:
   * VS Code 1.100 now and then shows a workspace that it sees for the first time without any folder.
   */
  async openWorkspace(file, folder) {
    const shown = this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: folder }).first();
    for (let tries = 1; ; tries++) {
      await this.go(`workspace=${encodeURIComponent(file)}`);
      if (await shown.waitFor({ timeout: 30_000 }).then(() => true, () => false)) return;
      if (tries === 3) throw new Error(`the editor shows no folder of ${file}`);
    }
  }

  /**
   * Closes the window as a person does, who leaves its page: the editor then ends what it has started. A page that is torn
   * down may not come to say so, and its sidecar waits for hours for a window that connects again.
   */
  async close() {
    await this.page.goto('about:blank');
    await this.page.close();
  }

  /** Waits until the status bar shows a text. */
  async status(text, timeout = LIMIT_MS) {
    await this.page.locator('.statusbar-item', { hasText: text }).waitFor({ timeout });
  }

  /** Waits until so many files are indexed and nothing is going on. */
  async ready(files = 12) {
    await this.page.locator(`.statusbar-item a[aria-label*="Ready: ${files} file"]`).waitFor({ timeout: 120_000 });
  }

  /** Waits until the status names a model of the editor: which it has, is asked of extensions when they are there. */
  async hasModel(name) {
    for (let tries = 1; ; tries++) {
      await this.run('AURORA: Show Status');
      const said = this.rows.filter({ hasText: `${name} of this editor` }).first();
      const there = await said.waitFor({ timeout: 5000 }).then(() => true, () => false);
      await this.page.keyboard.press('Escape');
      if (there) return;
      if (tries === 12) throw new Error(`the editor has no ${name}`);
    }
  }

  /** Runs a command by its title, from the palette. */
  async run(title) {
    await this.page.keyboard.press('F1');
    await this.input.fill(`>${title}`);
    const label = this.page.locator('.label-name', { hasText: new RegExp(`^${title.replaceAll('.', '\\.')}…?$`) });
    await this.rows.filter({ has: label }).first().click(); // not "Close All Editors in Group" for "Close All Editors"
  }

  /** Runs a command that asks for something; again when a late change of the focus has closed the box again. */
  async runToAsk(command, title) {
    const asked = this.page.locator('.quick-input-title:visible', { hasText: title });
    for (let tries = 1; ; tries++) {
      await this.run(command);
      if (await asked.waitFor({ timeout: 15_000 }).then(() => true, () => false)) return;
      if (tries === 4) throw new Error(`${command} does not ask for anything`);
    }
  }

  /** Runs a command that lists something, and chooses from its list. */
  async runToPick(command, label) {
    await this.run(command);
    await this.input.fill(label);
    await this.rows.filter({ hasText: label }).first().click();
  }

  /** Shows the editor's chat; its key has a meaning once the editor has read the setting that switches it on. */
  async openChat() {
    const chat = this.page.locator('.interactive-session');
    for (let tries = 1; ; tries++) {
      await this.page.keyboard.press('Control+Alt+i');
      if (await chat.waitFor({ timeout: 5000 }).then(() => true, () => false)) return chat;
      if (tries === 12) throw new Error('the editor has no chat');
    }
  }

  /** Shows the memory view; a click on its icon would hide one that is there. */
  async showMemory() {
    const title = this.page.locator('.sidebar .composite.title', { hasText: /memory/i });
    if (!(await title.isVisible())) await this.page.locator('.activitybar .action-item a[aria-label="AURORA"]').click();
    await title.waitFor();
  }

  /** Presses a button of a row in a list, until it has had its effect: the rows may move under the mouse. */
  async pressInRow(row, button, effect) {
    for (let tries = 1; ; tries++) {
      await row.hover();
      await row.locator(button).click({ timeout: 5000 }).catch(() => undefined); // not there any more when the one before was late
      if (await effect(5000).then(() => true, () => false)) return;
      if (tries === 6) throw new Error(`${button} has no effect`);
    }
  }

  /** Opens a file by its path; once more when the list has moved under the key. */
  async open(file) {
    const name = path.basename(file);
    const exactly = new RegExp(`^${name.replaceAll('.', '\\.')}$`);
    const tab = this.page.locator('.tab.active', { hasText: name });
    for (let tries = 1; ; tries++) {
      await this.page.keyboard.press('Control+p');
      await this.input.fill(file);
      await this.page.locator('.quick-input-list .monaco-list-row[data-index="0"] .label-name', { hasText: exactly }).waitFor();
      await this.page.keyboard.press('Enter');
      if (await tab.waitFor({ timeout: 15_000 }).then(() => true, () => false)) return;
      if (tries === 4) throw new Error(`${file} was not opened`);
      await this.page.keyboard.press('Escape');
    }
  }

  /** Puts the cursor on a one-based place. */
  async cursor(line, column) {
    await this.page.keyboard.press('Control+g');
    await this.input.fill(`:${line}:${column}`);
    await this.rows.filter({ hasText: new RegExp(`line ${line}\\b`, 'i') }).waitFor();
    await this.page.keyboard.press('Enter');
    await this.at(line, column);
  }

  /** Waits until the cursor is at a place. */
  async at(line, column = '') {
    await this.page.locator('.statusbar-item', { hasText: new RegExp(`Ln ${line}, Col ${column}`) }).waitFor();
  }

  /** What the rows of a picker say, from the top. */
  rowTexts() {
    return this.rows.evaluateAll((rows) => rows.sort((a, b) => a.dataset.index - b.dataset.index).map((row) => row.innerText.trim()));
  }

  /** The row at the top of a picker. */
  top(text) {
    return this.page.locator('.quick-input-list .monaco-list-row[data-index="0"]', { hasText: text });
  }

  tab(name) {
    return this.page.locator('.tab', { hasText: name });
  }

  /** The inside of the answer view in front. */
  answer() {
    return this.page.frameLocator('iframe.webview.ready:visible').frameLocator('iframe#active-frame');
  }

  async closeAll() {
    await this.run('View: Close All Editors');
    await this.page.locator('.tab').first().waitFor({ state: 'detached' });
  }

  async clearNotifications() {
    await this.run('Notifications: Clear All Notifications');
    await this.toasts.first().waitFor({ state: 'detached' });
  }

  /** Sets the machine's settings, on top of the program's path. */
  configure(settings) {
    this.world.configure({ 'aurora.server.path': this.world.server, ...settings });
  }

  /** Sets settings that start the sidecar again, and waits for the new one; the old one has ended before. */
  async restartWith(settings) {
    const before = this.world.sidecars();
    this.configure(settings);
    await this.eventually('a new sidecar', () => this.world.sidecars().some((pid) => !before.includes(pid)));
    await this.ready();
  }

  /** Waits until something holds that the screen does not show. */
  async eventually(what, holds) {
    for (const deadline = Date.now() + LIMIT_MS; !holds();) {
      if (Date.now() > deadline) throw new Error(`never: ${what}`);
      await this.page.waitForTimeout(50);
    }
  }

  /** Types into the editor in front; returns for each key how long it took until it was on the screen, in milliseconds. */
  async typingTimes(keys) {
    const times = [];
    await this.page.locator('.editor-instance .view-lines').first().evaluate((lines) => {
      window.seen = [];
      window.typed = [];
      document.addEventListener('keydown', () => window.typed.push(performance.now()), { capture: true });
      new MutationObserver(() => window.seen.push(performance.now())).observe(lines, { childList: true, characterData: true, subtree: true });
    });
    for (let i = 0; i < keys; i++) {
      await this.page.evaluate(() => { window.typed.length = window.seen.length = 0; });
      await this.page.keyboard.press(i % 8 === 7 ? 'Space' : 'x');
      await this.page.waitForFunction(() => window.seen.length > 0);
      times.push(await this.page.evaluate(() => window.seen[0] - window.typed[0]));
    }
    return times;
  }

  /** Out of whatever a failed test has left open. */
  async reset() {
    for (let i = 0; i < 3; i++) await this.page.keyboard.press('Escape');
    await this.run('View: Revert and Close Editor');
    await this.closeAll();
  }

  /** Changes the colours; kind is the class that the workbench has then. */
  async theme(name, kind) {
    await this.run('Preferences: Color Theme');
    await this.input.fill(name);
    await this.rows.filter({ hasText: name }).first().click();
    await this.page.locator(`.monaco-workbench.${kind}`).waitFor();
    await this.answer().locator(`body.${{ vs: 'vscode-light', 'vs-dark': 'vscode-dark', 'hc-black': 'vscode-high-contrast' }[kind]}`).waitFor();
  }

  /** Goes to another window, as far as this one knows, or comes back. */
  async focus(here) {
    await this.page.evaluate((focused) => {
      document.hasFocus = () => focused; // a browser without windows has it always
      window.dispatchEvent(new Event(focused ? 'focus' : 'blur'));
    }, here);
  }

  /** A picture, as small as a page of documentation likes it. */
  async shot(name, clip) {
    await this.page.mouse.move(640, 799); // nothing is pointed at
    await this.page.locator('.workbench-hover:visible').first().waitFor({ state: 'detached', timeout: 5000 }).catch(() => undefined);
    await this.page.screenshot({ path: path.join(this.folder, `${name}.png`), animations: 'disabled', ...(clip ? { clip } : {}) });
  }

  read(file) {
    return fs.readFileSync(path.join(this.world.project, file), 'utf8');
  }
}
