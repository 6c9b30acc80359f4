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

  /** Waits until the status bar shows a text. */
  async status(text, timeout = LIMIT_MS) {
    await this.page.locator('.statusbar-item', { hasText: text }).waitFor({ timeout });
  }

  /** Waits until so many files are indexed and nothing is going on. */
  async ready(files = 12) {
    await this.page.locator(`.statusbar-item a[aria-label*="Ready: ${files} file"]`).waitFor({ timeout: 120_000 });
  }

  /** Runs a command by its title, from the palette. */
  async run(title) {
    await this.page.keyboard.press('F1');
    await this.input.fill(`>${title}`);
    await this.rows.filter({ hasText: title }).first().click();
  }

  /** Opens a file by its path. */
  async open(file) {
    await this.page.keyboard.press('Control+p');
    await this.input.fill(file);
    await this.rows.filter({ hasText: path.basename(file) }).first().click();
    await this.page.locator('.tab.active', { hasText: path.basename(file) }).waitFor();
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

  /** Out of whatever a failed test has left open. */
  async reset() {
    for (let i = 0; i < 3; i++) await this.page.keyboard.press('Escape');
    await this.run('View: Revert and Close Editor');
    await this.closeAll();
  }

  /** A picture, as small as a page of documentation likes it. */
  async shot(name, clip) {
    await this.page.mouse.move(640, 799); // nothing is pointed at
    await this.page.screenshot({ path: path.join(this.folder, `${name}.png`), animations: 'disabled', ...(clip ? { clip } : {}) });
  }

  read(file) {
    return fs.readFileSync(path.join(this.world.project, file), 'utf8');
  }
}
