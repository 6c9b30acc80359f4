// The sidecar's process: starting it, and knowing how it ended.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Problem } from './binary';

/** How long a process may take to end by itself, in milliseconds. */
const GRACE_MS = 3000;

/** How much of what it wrote last to standard error is kept, in characters. */
const KEPT = 2000;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** What it wrote last to standard error. */
  said: string;
}

export interface SidecarProcess {
  child: ChildProcessWithoutNullStreams;
  ended: Promise<Ended>;
}

export interface Launch {
  path: string;
  args: string[];
  cwd: string | undefined;
  environment: Record<string, string>;
}

function withoutStart(path: string, error: NodeJS.ErrnoException): Problem {
  const remedies: Record<string, string> = {
    EACCES: `Run: chmod +x '${path}'`,
    ENOENT: 'Correct the setting aurora.server.path, or install the program again.',
    ENOEXEC: 'It is no program for this machine: install the one for this system and processor.',
  };
  const remedy = remedies[error.code ?? ''] ?? 'See the log, and try again.';
  return { message: `${path} could not be started: ${error.message}.`, remedy };
}

/** Starts a program. Rejects with a Problem when the system can't run it. */
export function startProcess(launch: Launch, log: (line: string) => void): Promise<SidecarProcess> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => reject(new ProblemError(withoutStart(launch.path, error)));
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(launch.path, launch.args, { cwd: launch.cwd, env: { ...process.env, ...launch.environment } });
    } catch (error) {
      return refuse(error as NodeJS.ErrnoException); // some failures are thrown, most are events
    }
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-KEPT);
      for (const line of text.split('\n')) if (line.trim() !== '') log(line);
    });
    child.stdin.on('error', () => undefined); // a write to a process that has just ended; "close" tells of it
    const ended = new Promise<Ended>((done) => child.once('close', (code, signal) => done({ code, signal, said })));
    child.once('error', refuse);
    child.once('spawn', () => resolve({ child, ended }));
  });
}

/** An error that carries what to do about it. */
export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** The last thing that a process said, for a message. */
export function lastWords(said: string): string {
  const lines = said.trim().split('\n');
  const last = lines[lines.length - 1]?.trim() ?? '';
  return last.length > 200 ? `${last.slice(0, 200)}…` : last;
}

export function describeEnd(ended: Ended): string {
  const how = ended.signal ? `signal ${ended.signal}` : `exit status ${ended.code ?? 'unknown'}`;
  const words = lastWords(ended.said);
  return words === '' ? how : `${how}: ${words}`;
}

/** Ends a process that was asked to end, by force when it does not. */
export async function reap(process: SidecarProcess): Promise<void> {
  const timer = setTimeout(() => process.child.kill('SIGKILL'), GRACE_MS);
  await process.ended;
  clearTimeout(timer);
}
