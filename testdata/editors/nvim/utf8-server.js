#!/usr/bin/env node
// A language server that counts positions in UTF-8 bytes and keeps documents by incremental changes. It stands for
// the other server of a buffer in tests; utf8/text tells what it holds. It knows the uses of a word in open documents.
'use strict';

const documents = new Map();
let received = Buffer.alloc(0);

function send(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
  process.stdout.write(body);
}

function offset(text, position) {
  let at = 0;
  for (let line = 0; line < position.line; line++) at = text.indexOf(0x0a, at) + 1;
  return at + position.character;
}

function apply(text, change) {
  if (!change.range) return Buffer.from(change.text);
  const start = offset(text, change.range.start);
  const end = offset(text, change.range.end);
  return Buffer.concat([text.subarray(0, start), Buffer.from(change.text), text.subarray(end)]);
}

/** Where the word at a place stands in the documents, counted in bytes; the first place of all is its definition. */
function references({ textDocument, position, context }) {
  const held = documents.get(textDocument.uri);
  const at = offset(held, position);
  const word = /\w*$/.exec(held.subarray(0, at).toString())[0] + /^\w*/.exec(held.subarray(at).toString())[0];
  const found = [];
  for (const [uri, text] of documents) {
    text.toString().split('\n').forEach((content, line) => {
      for (const match of content.matchAll(new RegExp(`\\b${word}\\b`, 'g'))) {
        const character = Buffer.byteLength(content.slice(0, match.index));
        found.push({ uri, range: { start: { line, character }, end: { line, character: character + word.length } } });
      }
    });
  }
  return context.includeDeclaration ? found : found.slice(1);
}

const requests = {
  initialize: () => ({
    capabilities: { positionEncoding: 'utf-8', textDocumentSync: 2, hoverProvider: true, referencesProvider: true },
    offsetEncoding: 'utf-8', // what clients before LSP 3.17 look at
    serverInfo: { name: 'utf8-server' },
  }),
  shutdown: () => null,
  'textDocument/hover': () => ({ contents: { kind: 'plaintext', value: 'the other server was here' } }),
  'textDocument/references': references,
  'utf8/text': (params) => ({ text: (documents.get(params.textDocument.uri) ?? Buffer.alloc(0)).toString() }),
};

const notifications = {
  exit: () => process.exit(0),
  'textDocument/didOpen': ({ textDocument }) => documents.set(textDocument.uri, Buffer.from(textDocument.text)),
  'textDocument/didChange': ({ textDocument, contentChanges }) =>
    documents.set(textDocument.uri, contentChanges.reduce(apply, documents.get(textDocument.uri))),
  'textDocument/didClose': ({ textDocument }) => documents.delete(textDocument.uri),
};

function receive(message) {
  if (message.id === undefined) return notifications[message.method]?.(message.params);
  if (message.method === undefined) return undefined;
  const answer = requests[message.method];
  if (!answer) return send({ id: message.id, error: { code: -32601, message: `no such method: ${message.method}` } });
  return send({ id: message.id, result: answer(message.params) });
}

process.stdin.on('data', (data) => {
  received = Buffer.concat([received, data]);
  for (;;) {
    const head = received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/Content-Length: *(\d+)/i.exec(received.subarray(0, head).toString())[1]);
    if (received.length < head + 4 + length) return;
    const body = received.subarray(head + 4, head + 4 + length).toString();
    received = received.subarray(head + 4 + length);
    receive(JSON.parse(body));
  }
});
process.stdin.on('end', () => process.exit(0));
