// Uses the extension as a person does, in the real workbench.
import fs from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { launch } from './browser.mjs';
import { Workbench } from './driver.mjs';
import * as features from './workbench/features.mjs';
import * as model from './workbench/model.mjs';
import * as trouble from './workbench/trouble.mjs';

/** How many lines of the extension's log are shown after a failure. */
const LOG_LINES = 40;

/**
 * @param {{world: object, url: string, shots?: string}} setup shots is the folder for pictures, each in a dark and in a light theme
 * @returns {Promise<{passed: number, failed: number}>}
 */
export async function runWorkbenchTests({ world, url, shots }) {
  const counts = { passed: 0, failed: 0 };
  const wanted = new RegExp(process.env.TESTS ?? '');
  const browser = await launch();
  const folder = shots ?? path.join(world.root, 'shots');
  fs.mkdirSync(folder, { recursive: true });
  try {
    for (const suite of [features, model, trouble]) {
      if (suite.supported?.(world) === false || !Object.keys(suite.tests).some((name) => wanted.test(name))) continue;
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' });
      const bench = new Workbench(page, { world, url, folder, themes: Boolean(shots) });
      await suite.open(bench);
      for (const [name, test] of Object.entries(suite.tests)) {
        if (!wanted.test(name)) continue;
        const began = Date.now();
        try {
          await test(bench);
          counts.passed++;
          console.log(`    ✔ ${name} (${Date.now() - began}ms)`);
        } catch (error) {
          counts.failed++;
          console.log(`    FAILED ${name}\n${inspect(error)}`);
          await bench.shot(`failure-${counts.failed}`).catch(() => undefined);
          for (const line of world.log().slice(-LOG_LINES)) console.log(`      ${line.slice(0, 300)}`);
          await bench.reset().catch(() => undefined);
        }
      }
      await bench.close();
    }
  } finally {
    await browser.close();
  }
  return counts;
}
