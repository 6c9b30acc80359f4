// Plants faults into a tiny server, one at a time, and looks whether lsp-check.mjs finds each of them, and nothing in
// the server without a fault:
//   node lsp-check.test.mjs
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

const at = (line, character) => ({ line, character });
const hover = (range) => ({ contents: { kind: 'markdown', value: 'x' }, range });
const good = hover({ start: at(0, 0), end: at(0, 1) });

// What the server sends as the answer to textDocument/hover (id 2): a list of messages.
const answer = (result) => [{ jsonrpc: '2.0', id: 2, result }];
const faults = {
  'no fault': [undefined, answer(good)],
  'a wrong enum': ['schema', answer({ contents: { kind: 'html', value: 'x' } })],
  'a fraction for an integer': ['schema', answer(hover({ start: at(0, 0.5), end: at(0, 1) }))],
  'a negative position': ['schema', answer(hover({ start: at(-1, 0), end: at(0, 1) }))],
  'an extra property': ['schema', answer({ ...good, colour: 'red' })],
  'null for an object': ['schema', answer({ contents: null })],
  'a reversed range': ['range', answer(hover({ start: at(1, 0), end: at(0, 1) }))],
  'no answer': ['json-rpc', []],
  'two answers': ['json-rpc', [...answer(good), ...answer(good)]],
  'neither result nor error': ['json-rpc', [{ jsonrpc: '2.0', id: 2 }]],
  'no jsonrpc': ['json-rpc', [{ id: 2, result: good }]],
  'an error without a code': ['json-rpc', [{ jsonrpc: '2.0', id: 2, error: { message: 'x' } }]],
  'a method of nobody': ['method', [...answer(good), { jsonrpc: '2.0', method: 'other/thing', params: {} }]],
  'a status of AURORA, as it is': [undefined, [...answer(good), { jsonrpc: '2.0', method: 'aurora/didChangeStatus', params: { state: 'ready' } }]],
  'a state that is none': ['schema', [...answer(good), { jsonrpc: '2.0', method: 'aurora/didChangeStatus', params: { state: 7 } }]],
  'a field that is not documented': ['schema', [...answer(good), { jsonrpc: '2.0', method: 'aurora/didChangeStatus', params: { colour: 'red' } }]],
  'a method of AURORA that there is not': ['method', [...answer(good), { jsonrpc: '2.0', method: 'aurora/thing', params: {} }]],
  'a method of the client': ['method', [...answer(good), { jsonrpc: '2.0', method: 'textDocument/didSave', params: {} }]],
};

/** Runs in a process of its own: answers initialize and shutdown, and the hover with what argv holds. */
function faultyServer() {
  const write = (m) => {
    const body = Buffer.from(JSON.stringify(m));
    process.stdout.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
  };
  const answers = {
    initialize: (m) => [{ jsonrpc: '2.0', id: m.id, result: { capabilities: { hoverProvider: true } } }],
    'textDocument/hover': () => JSON.parse(process.argv[1]),
    shutdown: (m) => [{ jsonrpc: '2.0', id: m.id, result: null }],
    exit: () => process.exit(0),
  };
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (text) => {
    rest += text;
    for (let head = /^Content-Length: (\d+)\r\n\r\n/.exec(rest); head; head = /^Content-Length: (\d+)\r\n\r\n/.exec(rest)) {
      const end = head[0].length + Number(head[1]);
      if (rest.length < end) return;
      const message = JSON.parse(rest.slice(head[0].length, end));
      rest = rest.slice(end);
      (answers[message.method]?.(message) ?? []).forEach(write);
    }
  });
}

const session = [
  { id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } },
  { method: 'initialized', params: {} },
  { id: 2, method: 'textDocument/hover', params: { textDocument: { uri: 'file:///a' }, position: at(0, 0) } },
  { id: 3, method: 'shutdown' },
  { method: 'exit' },
].map((m) => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...m });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}).join('');

/** The rules that the checker found broken by the server, and its exit status. */
function run(messages) {
  const server = ['node', '-e', `(${faultyServer})()`, JSON.stringify(messages)];
  const checker = spawn('node', [path.join(here, 'lsp-check.mjs'), '--', ...server]);
  let findings = '';
  checker.stderr.on('data', (d) => { findings += d; });
  checker.stdout.resume();
  checker.stdin.write(session);
  return new Promise((resolve) => {
    checker.on('close', (status) => {
      const lines = findings.split('\n').filter(Boolean).map((line) => JSON.parse(line));
      resolve({ status, rules: lines.filter((f) => f.who === 'server').map((f) => f.rule) });
    });
  });
}

const results = await Promise.all(Object.entries(faults).map(async ([name, [rule, messages]]) => {
  const { status, rules } = await run(messages);
  const found = rule ? rules.includes(rule) && status === 70 : rules.length === 0 && status === 0;
  console.log(`${found ? 'ok     ' : 'FAILED '} ${name}${found ? '' : `: status ${status}, rules ${rules}`}`);
  return found;
}));
const failed = results.filter((found) => !found).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
