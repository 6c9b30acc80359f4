// Packages the extension as a .vsix, without the network.
//   node scripts/package.mjs OUTPUT [PROGRAM TARGET]
// PROGRAM is an aurora to ship inside, TARGET the platform that it is for, as VS Code names it (linux-x64, darwin-arm64,
// win32-x64 ...). Without them the package runs everywhere and takes aurora from PATH. AURORA_VERSION, when it is three
// numbers, is the package's version.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** What the pictures of README.md are relative to, where it is read outside of the repository. */
const IMAGES = 'https://github.com/aurora-sidecar/aurora/raw/HEAD/editors/vscode';

const [output, program, target] = process.argv.slice(2);
if (!output || (program && !target)) {
  console.error('usage: node scripts/package.mjs OUTPUT [PROGRAM TARGET]');
  process.exit(2);
}
const out = path.resolve(output);
const bundled = program && path.resolve(program);
process.chdir(path.resolve(import.meta.dirname, '..'));

/** The pictures of the walkthrough, of those that the tests take. */
const PICTURES = ['search', 'citation', 'memory', 'model'].flatMap((name) => [name, `${name}-light`]);

/** What the galleries want, and nothing that is not for people who install it. */
function checkContents(files) {
  const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'));
  const named = JSON.stringify(manifest).match(/media\/[\w/.-]+|l10n(?=")/g).map((file) => file.replace(/^l10n$/, 'l10n/bundle.l10n.de.json'));
  const wanted = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', manifest.icon, manifest.main.slice(2), 'package.nls.json', ...named];
  const missing = wanted.filter((file) => !files.includes(file));
  const odd = files.filter((file) => !/^(package(\.nls(\.[\w-]+)?)?\.json|config\.schema\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/(extension|answer)\.js|media\/.*\.(svg|png|css|md)|l10n\/bundle\.l10n\.[\w-]+\.json|bin\/aurora(\.exe)?)$/.test(file));
  if (missing.length + odd.length > 0) throw new Error(`the package lacks [${missing}] and has [${odd}]`);
  for (const key of ['icon', 'galleryBanner', 'homepage', 'bugs', 'repository', 'license', 'categories', 'keywords']) if (!manifest[key]) throw new Error(`the manifest has no ${key}`);
}

const made = ['LICENSE', 'bin', ...PICTURES.map((name) => `media/walkthrough/${name}.png`)];
const clean = () => made.forEach((name) => fs.rmSync(name, { recursive: true, force: true }));
clean();
try {
  fs.copyFileSync('../../LICENSE', 'LICENSE');
  for (const name of PICTURES) fs.copyFileSync(`../../docs/images/vscode-${name}.png`, `media/walkthrough/${name}.png`);
  if (bundled) {
    fs.mkdirSync('bin');
    fs.copyFileSync(bundled, path.join('bin', target.startsWith('win32') ? 'aurora.exe' : 'aurora'));
    fs.chmodSync(path.join('bin', target.startsWith('win32') ? 'aurora.exe' : 'aurora'), 0o755);
  }
  fs.mkdirSync(path.dirname(out), { recursive: true });
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const vsce = 'node_modules/@vscode/vsce/vsce';
  checkContents(execFileSync(process.execPath, [vsce, 'ls', '--no-dependencies'], { encoding: 'utf8' }).trim().split('\n'));
  const options = ['package', '--no-dependencies', '--no-update-package-json', '--no-git-tag-version', '--allow-missing-repository', '--baseImagesUrl', IMAGES, '-o', out];
  const version = /^\d+\.\d+\.\d+$/.test(process.env.AURORA_VERSION ?? '') ? [process.env.AURORA_VERSION] : [];
  execFileSync(process.execPath, [vsce, ...options, ...(target ? ['--target', target] : []), ...version], { stdio: ['ignore', 'inherit', 'inherit'] });
} finally {
  clean();
}
