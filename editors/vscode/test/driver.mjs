// The workbench as a person sees it: keys in, what is on the screen out.
import fs from 'node:fs';
import path from 'node:path';

const LIMIT_MS = 60_000;
/** How long the workbench may take to show the effect of a key or a click, and how often it is pressed. */
const GESTURE_MS = 10_000;
const GESTURES = 6;

export class Workbench {
  constructor(page, { world, url, folder, themes }) {
    Object.assign(this, { page, world, url, folder, themes });
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

  /**
   * Does something until its effect is on the screen, as a person would: the workbench drops a key or a click that comes while
   * it draws or moves the focus, and closes a box that was just opened when the focus moves late. What the sidecar does is not
   * waited for so.
   * @param {string} what what is missing when there never is an effect
   * @param {() => Promise<unknown>} act may fail: a button that is not there any more when the click before came late
   * @param {(timeout: number) => Promise<unknown>} effect rejects when it is not seen within so many milliseconds
   */
  async until(what, act, effect) {
    for (let tries = 1; ; tries++) {
      const failed = await act().then(() => undefined, (error) => error);
      if (await effect(GESTURE_MS).then(() => true, () => false)) return;
      if (tries === GESTURES) throw new Error(`never: ${what}`, { cause: failed });
    }
  }

  /** Waits until the status names a model of the editor: which it has, is asked of extensions when they are there. */
  async hasModel(name) {
    const said = this.rows.filter({ hasText: `${name} of this editor` }).first();
    await this.until(`the editor has a ${name}`, () => this.run('AURORA: Show Status'), (timeout) => said.waitFor({ timeout }));
    await this.dismiss();
  }

  /** Waits until the palette is there, with or without a text; gone when it is to be something else, or nothing. */
  async palette(text, { gone = false, timeout } = {}) {
    await this.page.waitForFunction(([begin, other]) => {
      const input = document.querySelector('.quick-input-box input');
      return Boolean(input?.checkVisibility() && input.value.startsWith(`>${begin}`)) === !other;
    }, [text, gone], { timeout });
  }

  /** Runs a command by its title, from the palette. */
  async run(title) {
    const label = this.page.locator('.label-name', { hasText: new RegExp(`^${title.replaceAll('.', '\\.')}…?$`) });
    await this.until(`${title} runs`, async () => {
      await this.page.keyboard.press('F1');
      await this.palette('', { timeout: GESTURE_MS }); // a box that was open has made room
      await this.input.fill(`>${title}`, { timeout: GESTURE_MS });
      await this.rows.filter({ has: label }).first().click({ timeout: GESTURE_MS }); // not "Close All Editors in Group" for "Close All Editors"
    }, (timeout) => this.palette(title, { gone: true, timeout }));
  }

  /** Runs a command that asks for something. */
  async runToAsk(command, title) {
    await this.until(`${command} asks for ${title}`, () => this.run(command), (timeout) => this.titled(title).waitFor({ timeout }));
  }

  /** Presses keys that open a box with a title. */
  async keysToAsk(keys, title) {
    await this.until(`${keys.join(' ')} opens ${title}`, async () => {
      for (const key of keys) await this.page.keyboard.press(key);
    }, (timeout) => this.titled(title).waitFor({ timeout }));
  }

  /** The title of the box that is open. */
  titled(text) {
    return this.page.locator('.quick-input-title:visible', { hasText: text });
  }

  /** Leaves the box that is open. */
  async dismiss() {
    await this.until('no box is open', () => this.page.keyboard.press('Escape'), (timeout) => this.picker.waitFor({ state: 'hidden', timeout }));
  }

  /** Runs a command that lists something, and chooses from its list; shown is what comes of that. */
  async runToPick(command, label, shown) {
    await this.until(`${command} lists ${label}`, async () => {
      await this.run(command);
      await this.input.fill(label, { timeout: GESTURE_MS });
      await this.rows.filter({ hasText: label }).first().click({ timeout: GESTURE_MS });
    }, (timeout) => shown.waitFor({ timeout }));
  }

  /** Shows the editor's chat; its key has a meaning once the editor has read the setting that switches it on. */
  async openChat() {
    const chat = this.page.locator('.interactive-session');
    await this.until('the chat of the editor', () => this.page.keyboard.press('Control+Alt+i'), (timeout) => chat.waitFor({ timeout }));
    return chat;
  }

  /** Shows the memory view; a click on its icon would hide one that is there. */
  async showMemory() {
    const title = this.page.locator('.sidebar .composite.title', { hasText: /memory/i });
    if (!(await title.isVisible())) await this.page.locator('.activitybar .action-item a[aria-label="AURORA"]').click();
    await title.waitFor();
  }

  /** Presses a button until it has its effect. */
  async press(button, effect) {
    await this.until(`${button} has an effect`, () => button.click({ timeout: GESTURE_MS }), effect);
  }

  /**
   * Presses a button of a row in a list, which the row shows when it is pointed at; the rows may move under the mouse.
   * @param {() => Promise<unknown>} list shows the list when it is not there, or not any more
   */
  async pressInRow(row, button, effect, list = async () => {}) {
    await this.until(`${button} has an effect`, async () => {
      await list();
      await row.hover({ timeout: GESTURE_MS });
      await row.locator(button).click({ timeout: GESTURE_MS });
    }, effect);
  }

  /** Opens a file by its path; once more when the list has moved under the key. */
  async open(file) {
    const name = path.basename(file);
    const exactly = new RegExp(`^${name.replaceAll('.', '\\.')}$`);
    const top = this.page.locator('.quick-input-list .monaco-list-row[data-index="0"] .label-name:visible', { hasText: exactly });
    await this.until(`${file} is opened`, async () => {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+p');
      await this.input.fill(file, { timeout: GESTURE_MS });
      await top.waitFor({ timeout: GESTURE_MS });
      await this.page.keyboard.press('Enter');
    }, (timeout) => this.page.locator('.tab.active', { hasText: name }).waitFor({ timeout }));
  }

  /** Puts the cursor on a one-based place. */
  async cursor(line, column) {
    await this.until(`the cursor at ${line}:${column}`, async () => {
      await this.page.keyboard.press('Control+g');
      await this.input.fill(`:${line}:${column}`, { timeout: GESTURE_MS });
      await this.rows.filter({ hasText: new RegExp(`line ${line}\\b`, 'i') }).waitFor({ timeout: GESTURE_MS });
      await this.page.keyboard.press('Enter');
    }, (timeout) => this.at(line, column, timeout));
  }

  /** Waits until the cursor is at a place. */
  async at(line, column = '', timeout = LIMIT_MS) {
    await this.page.locator('.statusbar-item', { hasText: new RegExp(`Ln ${line}, Col ${column}`) }).waitFor({ timeout });
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

  /** The inside of the answer view, or of the preview, in front. */
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

  /** A picture; where pictures are what is wanted, a second one in a light theme. */
  async shot(name, clip) {
    await this.page.mouse.move(640, 799); // nothing is pointed at
    await this.page.locator('.workbench-hover:visible').first().waitFor({ state: 'detached', timeout: 5000 }).catch(() => undefined);
    const take = (file) => this.page.screenshot({ path: path.join(this.folder, `${file}.png`), animations: 'disabled', ...(clip ? { clip } : {}) });
    await take(name);
    if (!this.themes || !(await this.page.locator('.monaco-workbench.vs-dark').isVisible())) return;
    await this.colours('light', 'vs');
    await take(`${name}-light`);
    await this.colours('dark', 'vs-dark');
  }

  /** The editor follows the colours of the system, which change without a key or a click: what is open stays open. */
  async colours(scheme, kind) {
    await this.page.emulateMedia({ colorScheme: scheme });
    await this.page.locator(`.monaco-workbench.${kind}`).waitFor();
    const view = this.answer().locator(`body.vscode-${scheme}`);
    if (await this.page.locator('iframe.webview.ready:visible').first().isVisible()) await view.waitFor();
  }

  read(file) {
    return fs.readFileSync(path.join(this.world.project, file), 'utf8');
  }
}
