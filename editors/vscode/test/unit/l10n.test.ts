import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { speak, t } from '../../src/l10n';

const LANGUAGES = ['de', 'zh-cn'];
const read = (file: string): Record<string, string> => JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>;
const places = (text: string): string[] => (text.match(/\{\d+\}|%[^%\s]+%|\(command:[^)]*\)|\$\([\w~-]+\)/g) ?? []).sort();

/** The texts of the code that are translated. */
function texts(): Set<string> {
  const files = fs.readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const all = files.flatMap((name) => [...fs.readFileSync(path.join('src', name), 'utf8').matchAll(/\bt\((?:'([^']*)'|"([^"]*)")/g)]);
  return new Set(all.map(([, single, double]) => single ?? double ?? ''));
}

test('l10n: every text of the code is there in every language, with its places, and no other', () => {
  const wanted = [...texts()].sort();
  assert.ok(wanted.length > 100, `${wanted.length} texts`);
  for (const language of LANGUAGES) {
    const bundle = read(`l10n/bundle.l10n.${language}.json`);
    assert.deepEqual(Object.keys(bundle).sort(), wanted, language);
    for (const [text, translated] of Object.entries(bundle)) assert.deepEqual(places(translated), places(text), `${language}: ${text}`);
  }
});

test('l10n: so is every text of the manifest', () => {
  const english = read('package.nls.json');
  const named = fs.readFileSync('package.json', 'utf8').match(/(?<=": "%)[\w.]+(?=%")|(?<=^\s+"%)[\w.]+(?=%")/gm) ?? [];
  assert.deepEqual([...new Set(named)].sort(), Object.keys(english).sort());
  for (const language of LANGUAGES) {
    const translated = read(`package.nls.${language}.json`);
    assert.deepEqual(Object.keys(translated), Object.keys(english), language);
    for (const [key, text] of Object.entries(english)) assert.deepEqual(places(translated[key] ?? ''), places(text), `${language}: ${key}`);
  }
});

test('l10n: fills in values, and stays English where nothing else is known', () => {
  assert.equal(t('About {0}', 'a {0} b'), 'About a {0} b');
  speak({ 'About {0}': 'Zu {0}' });
  assert.equal(t('About {0}', 'x'), 'Zu x');
  assert.equal(t('Other {1}', 'x'), 'Other {1}');
  speak(undefined);
  assert.equal(t('About {0}', 'x'), 'About x');
});
