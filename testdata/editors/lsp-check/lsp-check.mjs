#!/usr/bin/env node
// A transparent stdio proxy that checks everything a language server says. Put it between any client (an editor, a
// test) and the server:
//   node lsp-check.mjs [--log FILE] [--custom PREFIX]... -- SERVER ARGS...
// It passes every byte on unchanged, before it looks at it. Findings go to FILE (JSON lines, appended; stderr without
// --log). With findings about the server it exits 70, else as the server does; editors don't look at the status, so
// fail on "who":"server" in the log. --custom names the prefix of methods beyond the protocol.
// Checked: framing, JSON-RPC, every message's shape (the official types, unknown properties included), answers
// (exactly one for each request), the order of initialize, shutdown and exit, ranges the right way round.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const methods = require('./lsp.methods.json'); // both made by make-validators.mjs
const validators = require('./lsp.validators.cjs');

const MAX_HEADER_BYTES = 4096;
const FINDINGS_STATUS = 70;
/** What a server may send before it has answered initialize. */
const EARLY = new Set([
  'window/showMessage', 'window/logMessage', 'telemetry/event', 'window/showMessageRequest', '$/progress', '$/logTrace',
]);

const options = parseArguments(process.argv.slice(2));
let findings = 0;
let state = 'new'; // new, initializing, running, shutdown
const pending = { client: new Map(), server: new Map() }; // open requests, by who asked

function parseArguments(args) {
  const parsed = { custom: [], log: undefined, command: [] };
  while (args.length && args[0] !== '--') {
    const name = args.shift();
    if (name === '--log') parsed.log = args.shift();
    else if (name === '--custom') parsed.custom.push(args.shift());
    else throw new Error(`unknown option ${name}`);
  }
  parsed.command = args.slice(1);
  return parsed;
}

function find(who, rule, detail, message) {
  if (who === 'server') findings++;
  const line = `${JSON.stringify({ who, rule, detail, message })}\n`;
  if (options.log) fs.appendFileSync(options.log, line);
  else process.stderr.write(line);
}

/** Why value is not of the type, or null. */
function shapeProblem(type, value) {
  if (!type) return value === undefined || value === null ? null : 'must have no value';
  const validate = validators[type];
  if (validate(value ?? null)) return null;
  return validate.errors.map((e) => `${type}${e.instancePath} ${e.message}`).join(', ');
}

/** The places of all ranges in value that end before they start. */
function reversedRanges(value, at = '') {
  if (!value || typeof value !== 'object') return [];
  const { start, end } = value;
  const found = [];
  if (Number.isInteger(start?.line) && Number.isInteger(end?.line)) {
    if (end.line < start.line || (end.line === start.line && end.character < start.character)) found.push(at);
  }
  for (const key in value) found.push(...reversedRanges(value[key], `${at}/${key}`));
  return found;
}

function checkCall(who, m) {
  const isRequest = m.id !== undefined;
  if (isRequest && !['string', 'number'].includes(typeof m.id)) find(who, 'json-rpc', 'a bad id', m);
  if (m.params !== undefined && (m.params === null || typeof m.params !== 'object')) {
    find(who, 'json-rpc', 'params is neither object nor array', m);
  }
  if (isRequest) {
    if (pending[who].has(m.id)) find(who, 'json-rpc', 'the id of a request that is still open', m);
    pending[who].set(m.id, m.method);
  }
  checkOrder(who, m);
  const spec = methods[m.method];
  if (!spec) {
    const known = m.method.startsWith('$/') || options.custom.some((prefix) => m.method.startsWith(prefix));
    if (!known) find(who, 'method', `unknown method ${m.method}`, m);
    return;
  }
  if (spec.request !== isRequest) find(who, 'method', `${m.method} is a ${spec.request ? 'request' : 'notification'}`, m);
  const direction = who === 'client' ? 'clientToServer' : 'serverToClient';
  if (spec.direction !== 'both' && spec.direction !== direction) find(who, 'method', `${m.method} in the wrong direction`, m);
  const problem = shapeProblem(spec.params, m.params);
  if (problem) find(who, 'schema', problem, m);
}

function checkOrder(who, m) {
  if (who === 'server') {
    const early = state === 'new' || state === 'initializing';
    if (early && !EARLY.has(m.method)) find(who, 'lifecycle', `${m.method} before the answer to initialize`, m);
  } else if (m.method === 'initialize') state = 'initializing';
  else if (m.method === 'shutdown') state = 'shutdown';
}

function checkResponse(who, m) {
  if (!('id' in m)) return find(who, 'json-rpc', 'neither method nor id', m);
  if (m.id === null && m.error) return undefined;
  const asker = pending[who === 'client' ? 'server' : 'client'];
  const method = asker.get(m.id);
  if (method === undefined) return find(who, 'json-rpc', 'answers no open request', m);
  asker.delete(m.id);
  if (method === 'initialize' && who === 'server') state = m.error ? 'new' : 'running';
  if ('result' in m === 'error' in m) return find(who, 'json-rpc', 'needs either result or error', m);
  if (m.error) {
    const wellFormed = Number.isInteger(m.error.code) && typeof m.error.message === 'string';
    return wellFormed ? undefined : find(who, 'json-rpc', 'a bad error object', m);
  }
  const problem = methods[method] && shapeProblem(methods[method].result, m.result);
  return problem ? find(who, 'schema', `${method}: ${problem}`, m) : undefined;
}

function check(who, m) {
  if (m === null || typeof m !== 'object' || Array.isArray(m)) return find(who, 'json-rpc', 'not an object', m);
  if (m.jsonrpc !== '2.0') find(who, 'json-rpc', 'jsonrpc is not "2.0"', m);
  for (const at of reversedRanges(m.params ?? m.result)) find(who, 'range', `end before start at ${at}`, m);
  return typeof m.method === 'string' ? checkCall(who, m) : checkResponse(who, m);
}

/** Takes bytes of one side and checks every whole message in them. */
function reader(who) {
  let rest = Buffer.alloc(0);
  let broken = false;
  const fail = (detail, bytes) => {
    broken = true;
    find(who, 'framing', detail, bytes.toString().slice(0, 200));
  };
  const next = () => {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return rest.length > MAX_HEADER_BYTES ? fail('no header', rest) : undefined;
    const head = rest.subarray(0, end).toString('latin1');
    for (const line of head.split('\r\n')) {
      if (!/^Content-(Length|Type):/i.test(line)) find(who, 'framing', `an odd header: ${line}`);
    }
    const length = /^Content-Length: *(\d+) *$/im.exec(head);
    if (!length) return fail('no Content-Length', rest);
    const size = end + 4 + Number(length[1]);
    if (rest.length < size) return undefined;
    const body = rest.subarray(end + 4, size);
    rest = rest.subarray(size);
    return body;
  };
  return (bytes) => {
    if (broken) return;
    rest = Buffer.concat([rest, bytes]);
    for (let body = next(); body; body = next()) {
      let message;
      try {
        message = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
      } catch (e) {
        find(who, 'framing', String(e), body.toString().slice(0, 200));
        continue;
      }
      try {
        check(who, message);
      } catch (e) {
        find('checker', 'broken', String(e.stack), message);
      }
    }
  };
}

const [program, ...args] = options.command;
const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const fromClient = reader('client');
const fromServer = reader('server');

process.stdin.on('data', (bytes) => {
  server.stdin.write(bytes);
  fromClient(bytes);
});
process.stdin.on('end', () => server.stdin.end());
server.stdin.on('error', () => {}); // the server is gone; 'close' tells
server.stdout.on('data', (bytes) => {
  process.stdout.write(bytes);
  fromServer(bytes);
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => server.kill(signal));

server.on('error', (e) => {
  process.stderr.write(`lsp-check: start ${program}: ${e.message}\n`);
  process.exit(1);
});
server.on('close', (code, signal) => {
  if (!signal) {
    for (const [id, method] of pending.client) find('server', 'json-rpc', `ended without an answer to ${method} (${id})`);
    if (state === 'shutdown' && code !== 0) find('server', 'lifecycle', `exit status ${code} after shutdown`);
  }
  process.exitCode = findings ? FINDINGS_STATUS : (code ?? 1);
  process.stdin.destroy(); // what is left is to flush stdout
});
