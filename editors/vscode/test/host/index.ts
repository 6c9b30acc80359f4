// Entry point of the tests in the extension host: VS Code loads it and calls run.
import * as fs from 'node:fs';
import * as path from 'node:path';
import Mocha from 'mocha';

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 120_000, color: false, reporter: 'spec' });
  for (const name of fs.readdirSync(__dirname).sort()) if (name.endsWith('.test.js')) mocha.addFile(path.join(__dirname, name));
  let passed = 0;
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve).on('pass', () => passed++);
  });
  fs.writeFileSync(process.env['AURORA_TEST_COUNTS'] as string, JSON.stringify({ passed, failed: failures }));
  if (failures > 0) throw new Error(`${failures} tests failed`);
}
