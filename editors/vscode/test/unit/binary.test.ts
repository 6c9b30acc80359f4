import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { after, before, test } from 'node:test';
import { findBinary, type Places } from '../../src/binary';

let folder = '';
before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aurora-binary-'));
  for (const [name, mode] of Object.entries({ 'good/aurora': 0o755, 'plain/aurora': 0o644, 'bundled/aurora': 0o755, 'other/tool': 0o755 })) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), '#!/bin/sh\n', { mode });
  }
  fs.mkdirSync(path.join(folder, 'dir/aurora'), { recursive: true });
});
after(() => fs.rmSync(folder, { recursive: true }));

const places = (given: Partial<Places>): Places => ({ setting: '', bundled: '/nowhere', searchPath: '', home: folder, windows: false, ...given });
const at = (name: string): string => path.join(folder, name);

const cases: [name: string, given: () => Partial<Places>, want: { path?: () => string; message?: RegExp; remedy?: RegExp }][] = [
  ['the setting wins', () => ({ setting: at('other/tool'), bundled: at('bundled'), searchPath: at('good') }), { path: () => at('other/tool') }],
  ['the setting may begin with ~', () => ({ setting: '~/good/aurora' }), { path: () => at('good/aurora') }],
  ['the bundled program comes before PATH', () => ({ bundled: at('bundled'), searchPath: at('good') }), { path: () => at('bundled/aurora') }],
  ['the first of PATH', () => ({ searchPath: [at('none'), at('good'), at('bundled')].join(':') }), { path: () => at('good/aurora') }],
  ['what is not executable or a folder is passed over', () => ({ searchPath: [at('dir'), at('plain'), at('good')].join(':') }), { path: () => at('good/aurora') }],
  ['a relative folder of PATH does not count', () => ({ searchPath: 'good:.' }), { message: /not on PATH/, remedy: /go install/ }],
  ['nothing anywhere', () => ({}), { message: /not installed/, remedy: /aurora\.server\.path/ }],
  ['only one that is not executable', () => ({ searchPath: at('plain') }), { message: /plain\/aurora is not executable/, remedy: /chmod \+x/ }],
  ['a setting that is not there', () => ({ setting: '/no/such/aurora', searchPath: at('good') }), { message: /There is no \/no\/such\/aurora/, remedy: /setting/ }],
  ['a setting that is a folder', () => ({ setting: at('good') }), { message: /is a folder/ }],
  ['a setting that is not executable', () => ({ setting: at('plain/aurora') }), { message: /is not executable/, remedy: /chmod/ }],
  ['a relative setting', () => ({ setting: 'bin/aurora' }), { message: /no absolute path/ }],
];
for (const [name, given, want] of cases) {
  test(`binary: ${name}`, () => {
    const found = findBinary(places(given()));
    assert.equal(found.path, want.path?.());
    if (want.message) assert.match(found.problem?.message ?? '', want.message);
    if (want.remedy) assert.match(found.problem?.remedy ?? '', want.remedy);
  });
}
