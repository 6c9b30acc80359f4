// Runs the tests that need VS Code, in each VS Code given, and ends with "N passed, N failed".
//   node test/run.mjs [--only host|workbench] [--shots FOLDER] VSIX CODE_SERVER...
// KEEP=1 keeps the folders of failed runs; TESTS is a regular expression of the workbench's tests to run.
import { execFileSync } from 'node:child_process';
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
/** The first minor version of VS Code in which an extension may bring a model. */
const LENDING = 104;
const total = { passed: 0, failed: 0 };

async function host(world, url) {
  const status = await runHostTests({ url, folder: world.project, empty: path.join(extension, 'test/empty'), entry: path.join(extension, 'dist/test/host/index.js') });
  const counts = world.counts();
  return status === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

/** The extension that gives the editor a model, as a package. */
function packLender(folder) {
  const out = path.join(folder, 'lender.vsix');
  const options = ['package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '-o', out];
  execFileSync(process.execPath, [path.join(extension, 'node_modules/@vscode/vsce/vsce'), ...options], { cwd: path.join(extension, 'test/lender'), stdio: ['ignore', 'ignore', 'pipe'] });
  return out;
}

async function inWorld(program, minor, run) {
  const world = makeWorld(minor >= LENDING);
  let counts = { passed: 0, failed: 1 };
  try {
    const packages = [path.resolve(vsix), ...(world.lends ? [packLender(world.root)] : [])];
    const server = await startCodeServer({ program, state: world.state, packages, machine: { 'aurora.server.path': world.server }, env: world.env });
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
  const version = fs.existsSync(manifest) ? JSON.parse(fs.readFileSync(manifest, 'utf8')).version : '';
  const minor = Number(version.split('.')[1] ?? 0);
  console.log(`== ${version ? `code-server ${version}` : program}`);
  if (only !== 'workbench') await inWorld(program, minor, host);
  if (only !== 'host') await inWorld(program, minor, (world, url) => runWorkbenchTests({ world, url, shots }));
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
