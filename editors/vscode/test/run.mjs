// Runs the tests that need VS Code, in each VS Code given, and ends with "N passed, N failed".
//   node test/run.mjs [--only host|workbench] [--shots FOLDER] VSIX CODE_SERVER...
// KEEP=1 keeps the folders of failed runs; TESTS is a regular expression of the workbench's tests to run.
import fs from 'node:fs';
import path from 'node:path';
import { startCodeServer } from './code-server.mjs';
import { runHostTests } from './host.mjs';
import { runWorkbenchTests } from './workbench.mjs';
import { extension, makeWorld } from './world.mjs';

const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args.splice(args.indexOf(name), 2)[1] : undefined);
const only = option('--only');
const shots = option('--shots');
const [vsix, ...programs] = args;
const total = { passed: 0, failed: 0 };

async function host(world, url) {
  const status = await runHostTests({ url, folder: world.project, empty: path.join(extension, 'test/empty'), entry: path.join(extension, 'dist/test/host/index.js') });
  const counts = world.counts();
  return status === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

async function inWorld(program, run) {
  const world = makeWorld();
  let counts = { passed: 0, failed: 1 };
  try {
    const server = await startCodeServer({ program, state: world.state, vsix: path.resolve(vsix), machine: { 'aurora.server.path': world.server }, env: world.env });
    try {
      counts = await run(world, server.url);
    } finally {
      await server.stop();
    }
  } catch (error) {
    console.error(error);
  }
  const findings = world.findings();
  for (const finding of findings) console.log(`PROTOCOL  ${finding.slice(0, 600)}`);
  total.passed += counts.passed;
  total.failed += counts.failed + findings.length;
  if (process.env.KEEP && counts.failed > 0) console.log(`kept: ${world.root}`);
  else world.remove();
}

for (const program of programs) {
  const manifest = path.join(path.dirname(program), 'node_modules/code-server/package.json');
  console.log(`== ${fs.existsSync(manifest) ? `code-server ${JSON.parse(fs.readFileSync(manifest, 'utf8')).version}` : program}`);
  if (only !== 'workbench') await inWorld(program, host);
  if (only !== 'host') await inWorld(program, (world, url) => runWorkbenchTests({ world, url, shots }));
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
