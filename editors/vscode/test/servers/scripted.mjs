#!/usr/bin/env node
// A program in place of aurora, for what the real one never does.
//   crash     ends at once with an error
//   hang      says nothing
//   stranger  is some other language server
//   newer     speaks a later version of the protocol
//   hostile   answers every question with markdown that tries to act; one with "wait" in it only when it is cancelled,
//             and one with "write" in it is written in pieces before that, with the time at which the first was sent
const [mode] = process.argv.slice(2).filter((word) => word !== 'serve');

const HOSTILE = [
  'Before <img src="https://192.0.2.1/pixel.png" onerror="document.title=\'pwned\'"> after.',
  '<script>document.title = "pwned"</script>',
  '[Run me](command:workbench.action.files.newUntitledFile) [Read me](file:///etc/passwd) [Go](https://192.0.2.1/?secret)',
  '![x](https://192.0.2.1/pixel.png)',
  '<button data-citation="0" onclick="document.title=\'pwned\'">press</button>',
  '<!-- vim: set textwidth=7: -->',
  'The end [1].',
].join('\n\n');

function send(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function answer(query) {
  return {
    queryId: 'q', answer: HOSTILE, format: 'markdown', confidence: 0.1, verified: false, complexity: 'SIMPLE', citations: [],
    warnings: [`<b>asked</b> ${query}`], phases: [], cost: { usd: 0, promptTokens: 0, completionTokens: 0, calls: 0 }, cached: false, totalDurationMs: 1,
  };
}

const waiting = new Set();
const handlers = {
  initialize: ({ id }) => {
    const aurora = mode === 'stranger' ? undefined : { aurora: { protocol: mode === 'newer' ? 2 : 1, methods: [] } };
    send({ id, result: { capabilities: { textDocumentSync: 1, experimental: aurora }, serverInfo: { name: 'Scripted', version: '1' } } });
  },
  initialized: () => send({ method: 'aurora/didChangeStatus', params: { state: 'ready', files: { indexed: 3, total: 3, failed: 0 } } }),
  shutdown: ({ id }) => send({ id, result: null }),
  exit: () => process.exit(0),
  'aurora/query': ({ id, params }) => {
    if (!params.query.includes('wait')) return send({ id, result: answer(params.query) });
    waiting.add(id);
    const queryId = `q${id}`;
    const tell = (more) => send({ method: 'aurora/progress', params: { queryId, stage: 'retrieve', status: 'in_progress', detail: 'reading', ...more } });
    tell();
    if (!params.query.includes('write')) return;
    tell({ stage: 'synthesize', detail: 'a first try', data: { delta: 'Void words. ' } });
    tell({ stage: 'synthesize', status: 'retry', detail: 'the connection broke', data: { delta: '', void: true } });
    for (const delta of [`Sent at ${Date.now()}. `, ...HOSTILE.match(/[^]{1,7}/g)]) tell({ stage: 'synthesize', detail: '', data: { delta } });
  },
  '$/cancelRequest': ({ params }) => {
    if (waiting.delete(params.id)) send({ id: params.id, error: { code: -32800, message: 'cancelled' } });
  },
};

function take(message) {
  const handler = handlers[message.method];
  if (handler) handler(message);
  else if (message.id !== undefined && message.method) send({ id: message.id, error: { code: -32601, message: `no ${message.method}` } });
}

if (mode === 'crash') {
  console.error('scripted: the index is from another world');
  process.exit(3);
}
let received = Buffer.alloc(0);
process.stdin.on('end', () => process.exit(1));
process.stdin.on('data', (chunk) => {
  if (mode === 'hang') return;
  received = Buffer.concat([received, chunk]);
  for (;;) {
    const head = received.indexOf('\r\n\r\n');
    const length = head < 0 ? undefined : /Content-Length: (\d+)/i.exec(received.subarray(0, head).toString())?.[1];
    const end = head + 4 + Number(length);
    if (length === undefined || received.length < end) return;
    take(JSON.parse(received.subarray(head + 4, end).toString()));
    received = received.subarray(end);
  }
});
