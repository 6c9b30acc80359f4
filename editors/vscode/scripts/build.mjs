// Bundles the extension into dist/: what runs in the extension host, and the script of the answer view.
//   node scripts/build.mjs [--tests]      # --tests: also the tests, into dist/test/
import fs from 'node:fs';
import path from 'node:path';
import esbuild from 'esbuild';

const here = path.resolve(import.meta.dirname, '..');
process.chdir(here);
const LARGEST = 500_000; // bytes of everything that ships as code

fs.rmSync('dist', { recursive: true, force: true });
// What of the Markdown parser and of the language client we have no use for, a fifth of the bundle.
const semver = path.resolve('scripts/semver.cjs');
const alias = {
  'brace-expansion': path.resolve('scripts/braces.cjs'),
  entities: path.resolve('src/answer/entities.ts'),
  'linkify-it': path.resolve('src/answer/linkify.ts'),
  'semver/functions/parse': semver,
  'semver/functions/satisfies': semver,
};
const shared = { bundle: true, minify: true, target: 'es2022', logLevel: 'warning', legalComments: 'none' };
await Promise.all([
  esbuild.build({
    ...shared,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    mainFields: ['module', 'main'],
    alias,
  }),
  esbuild.build({
    ...shared,
    entryPoints: ['src/answer/view.ts'],
    outfile: 'dist/answer.js',
    platform: 'browser',
    format: 'iife',
  }),
]);
const size = ['extension.js', 'answer.js'].reduce((sum, name) => sum + fs.statSync(`dist/${name}`).size, 0);
if (size >= LARGEST) throw new Error(`the bundle has ${size} bytes, ${LARGEST} are allowed`);
console.log(`bundle: ${size} bytes`);

if (process.argv.includes('--tests')) {
  const tests = (folder) => fs.readdirSync(folder).filter((name) => name.endsWith('.test.ts')).map((name) => `${folder}/${name}`);
  await esbuild.build({
    bundle: true,
    target: 'es2022',
    logLevel: 'warning',
    entryPoints: [...tests('test/unit'), ...tests('test/host'), 'test/host/index.ts'],
    outdir: 'dist/test',
    outbase: 'test',
    platform: 'node',
    format: 'cjs',
    external: ['vscode', 'mocha'],
    mainFields: ['module', 'main'],
    alias,
  });
}
