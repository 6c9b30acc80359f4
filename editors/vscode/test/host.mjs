// Runs the tests of test/host in the real extension host, against the installed .vsix.
import path from 'node:path';
import { format } from 'node:util';
import { launch } from './browser.mjs';
import { within } from './code-server.mjs';

const LIMIT_MS = 600_000;
const NOISE = /^(Creating a socket|Creation of workbench|Request to|Loading development|Resolv|Updating additional|Ignoring fetching|\[[\w -]+[:\]]|Chat|%c)/;

/**
 * @param {{url: string, folder: string, empty: string, entry: string}} setup empty is the folder of an extension without
 *   code: the workbench runs tests for an extension under development only
 * @returns {Promise<number>} the status: 0 when all passed
 */
export async function runHostTests({ url, folder, empty, entry }) {
  const remote = (file) => ({ $mid: 1, scheme: 'vscode-remote', authority: new URL(url).host, path: path.resolve(file) });
  const browser = await launch();
  try {
    const page = await browser.newPage();
    // The workbench reads its options from an attribute in the page.
    await page.addInitScript((options) => {
      const real = Element.prototype.getAttribute;
      Element.prototype.getAttribute = function (name) {
        const value = real.call(this, name);
        if (name !== 'data-settings' || this.id !== 'vscode-workbench-web-configuration' || !value) return value;
        const settings = JSON.parse(value);
        settings.developmentOptions = { ...settings.developmentOptions, ...options };
        return JSON.stringify(settings);
      };
    }, { extensions: [remote(empty)], extensionTestsPath: remote(entry) });
    let done;
    const exit = new Promise((resolve) => { done = resolve; });
    // The workbench calls these two when it finds them.
    await page.exposeFunction('codeAutomationLog', (_type, args) => {
      const text = format(...args);
      if (process.env.VERBOSE || !NOISE.test(text)) console.log(text);
    });
    await page.exposeFunction('codeAutomationExit', (code) => done(code));
    await page.goto(`${url}/?folder=${encodeURIComponent(path.resolve(folder))}`);
    return await within(LIMIT_MS, 'the tests in the extension host', exit);
  } finally {
    await browser.close();
  }
}
