import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from '../../src/answer/markdown';
import { page } from '../../src/answer/page';

const inside = (address: string): boolean => address.startsWith('file:///home/ann/');
const render = (text: string, citations = 2): string => renderMarkdown(text, citations, inside);

test('markdown: what answers are made of', () => {
  const html = render('# Head\n\nSome `code` and **bold** [1].\n\n- one\n- two\n\n```go\nfunc f() {}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n');
  for (const part of ['<h1>Head</h1>', '<code>code</code>', '<strong>bold</strong>', '<li>two</li>', 'class="language-go"', '<td>2</td>']) {
    assert.ok(html.includes(part), `${part} is missing in ${html}`);
  }
});

test('markdown: citations are buttons where there is a source', () => {
  const html = render('It is here [1], there [2] and nowhere [3]; `[1]` is code.');
  assert.equal(html.match(/class="citation"/g)?.length, 2);
  assert.match(html, /data-citation="0" title="Open source 1">1</);
  assert.match(html, /nowhere \[3\]/);
  assert.match(html, /<code>\[1\]<\/code>/);
});

test('markdown: a number in quoted words is no source of this answer', () => {
  const html = render('It says "see \\[1\\] and \\`x\\` \\<b>" [2]');
  assert.match(html, /see \[1\] and `x` &lt;b&gt;/);
  assert.equal(html.match(/<button/g)?.length, 1);
});

test('markdown: a file of the workspace is a button', () => {
  assert.match(render('[x](file:///home/ann/a.go#L3)'), /<button class="link" data-file="file:\/\/\/home\/ann\/a.go#L3">x<\/button>/);
});

/** Everything that could act: elements, attributes and addresses that the renderer never makes itself. */
const ACTIVE = /<(script|img|iframe|object|embed|form|input|a|svg|style|link|meta|base|video|audio)\b|\son\w+=|\s(href|src|style|srcdoc)=/i;

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<iframe src="https://example.com"></iframe>',
  '<a href="command:workbench.action.quit">x</a>',
  '<button data-citation="0" onclick="alert(1)">x</button>',
  '[x](command:workbench.action.terminal.new)',
  '[x](javascript:alert(1))',
  '[x](vscode://file/etc/passwd)',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](file:///etc/passwd)',
  '[x](https://example.com/?secret=1)',
  '![x](https://example.com/pixel.png)',
  '![x](file:///home/ann/a.png)',
  '<https://example.com>',
  '[x]: javascript:alert(1)\n\n[x]',
  '[a](file:///home/ann/a"onmouseover="alert(1))',
  '[a](<file:///home/ann/a" onclick="alert(1)>)',
  '```"><script>alert(1)</script>\ncode\n```',
  '```html" onload="alert(1)\ncode\n```',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '<!-- --><svg onload=alert(1)>',
  '[<img src=x onerror=alert(1)>](file:///home/ann/a.go)',
  '[[1]](command:x "title\\" onclick=alert(1)")',
];
for (const text of hostile) {
  test(`markdown: inert: ${text.slice(0, 60).replace(/\n/g, ' ')}`, () => {
    const html = render(text);
    // Inside a quoted attribute nothing acts; what is left of the tags must be harmless.
    const tags = (html.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'));
    for (const tag of tags) assert.doesNotMatch(tag, ACTIVE, html);
    assert.doesNotMatch(html, /data-file="(?!file:\/\/\/home\/ann\/)/);
  });
}

test('markdown: an address that is not opened is shown when it is pointed at', () => {
  assert.match(render('[x](https://example.com/)'), /<span class="inert" title="https:\/\/example.com\/">x<\/span>/);
});

test('page: the policy allows our script and style alone', () => {
  const html = page({ nonce: 'N', cspSource: 'https://ours', script: 'https://ours/a.js', style: 'https://ours/a.css', language: 'de', words: '{"a": "<b>&"}' });
  const policy = /content="([^"]*)"/.exec(html)?.[1];
  assert.equal(policy, "default-src 'none'; style-src https://ours; script-src 'nonce-N';");
  assert.equal(html.match(/<script/g)?.length, 1);
  assert.ok(html.includes('lang="de"') && html.includes('content="{&quot;a&quot;: &quot;&lt;b>&amp;&quot;}"'), html);
});

test('markdown: a diff has its lines marked, and none of them acts', () => {
  const html = renderMarkdown('```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-<b>[1]</b>\n+y\n z\n```\n', 1, () => true);
  assert.ok(html.includes('<span class="removed">-&lt;b&gt;[1]&lt;/b&gt;</span>\n<span class="added">+y</span>\n z'), html);
  assert.ok(html.includes('<span class="head">--- a/x</span>') && html.includes('<span class="place">@@ -1 +1 @@</span>'), html);
});

test('markdown: code has colours, and stays text', () => {
  const go = render('```go\n// Sum <b>\nfunc sum(a int) string { return "a//b" + `x` + 0x1F }\n```\n');
  assert.ok(go.includes('<span class="tok-comment">// Sum &lt;b&gt;</span>'), go);
  for (const part of ['keyword">func<', 'keyword">return<', 'string">&quot;a//b&quot;<', 'string">`x`<', 'number">0x1F<']) assert.ok(go.includes(`<span class="tok-${part}`), `${part} in ${go}`);
  assert.ok(!go.includes('keyword">sum'), go);
  const python = render('```python\n"""Doc # no comment"""\ndef f(): return None  # yes\n```\n');
  for (const part of ['string">&quot;&quot;&quot;Doc # no comment&quot;&quot;&quot;<', 'keyword">None<', 'comment"># yes<']) assert.ok(python.includes(`<span class="tok-${part}`), `${part} in ${python}`);
  assert.ok(render('```sql\nselect A -- b\n```\n').includes('keyword">select<'));
  assert.ok(render('```brainfuck\nif <b>\n```\n').includes('if &lt;b&gt;'));
});

test('markdown: code of any size is coloured in linear time', () => {
  const open = render(`\`\`\`c\n${'/* "'.repeat(50_000)}\n\`\`\`\n`);
  assert.equal(open.match(/tok-comment/g)?.length, 1);
  assert.ok(!render(`\`\`\`js\n${"\\'".repeat(300_000)}\n\`\`\`\n`).includes('tok-string')); // minutes, were each quote to look for its end
});
