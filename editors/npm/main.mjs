#!/usr/bin/env node
// Runs aurora, as "aurora mcp" when there are no arguments. Nothing but the program writes to standard output: that is the protocol's.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { program } from './program.mjs';

/** Runs a program with this process's streams, and ends as it ends. */
function run(path, args) {
  const child = spawn(path, args, { stdio: 'inherit', windowsHide: true });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${path} does not run: ${error.message}`));
  child.on('exit', (code, signal) => process.exit(signal ? 128 + (constants.signals[signal] ?? 0) : code));
}

function fail(message) {
  process.stderr.write(`aurora-sidecar: ${message}\n`);
  process.exit(1);
}

try {
  const args = process.argv.slice(2);
  run(await program(), args.length > 0 ? args : ['mcp']);
} catch (error) {
  fail(error.message);
}
