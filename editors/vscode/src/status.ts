// What the status bar says. Pure.
import type { Problem } from './binary';
import type { BudgetResult, Status } from './protocol';
import { t } from './l10n';

export type SidecarState =
  | { kind: 'off' }
  | { kind: 'paused' }
  | { kind: 'starting' }
  | { kind: 'running' }
  | { kind: 'waiting'; delayMs: number; problem: Problem }
  | { kind: 'failed'; problem: Problem };

export interface StatusText {
  text: string;
  tooltip: string;
  severity: 'none' | 'warning' | 'error';
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** 1.4 MiB. */
export function size(bytes: number): string {
  let unit = 0;
  while (bytes >= 1024 && unit < UNITS.length - 1) {
    bytes /= 1024;
    unit++;
  }
  return `${unit === 0 ? bytes : bytes.toFixed(1)} ${UNITS[unit]}`;
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** 0.4 ms, 12 ms, 1.3 s. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 10 || ms === 0) return `${Math.round(ms)} ms`;
  return ms < 0.1 ? '<0.1 ms' : `${ms.toFixed(1)} ms`;
}

function percentage(status: Partial<Status>): string {
  const { indexed, total } = status.files ?? { indexed: 0, total: 0 };
  return total > 0 ? ` ${Math.min(100, Math.floor((100 * indexed) / total))}%` : '';
}

function ofRunning(status: Partial<Status>, asking: number): StatusText {
  const files = status.files ? count(status.files.indexed, 'file') : '';
  const tooltip = [files, status.chunks === undefined ? '' : count(status.chunks, 'chunk')].filter(Boolean).join(', ');
  const warnings = (status.warnings ?? []).map((warning) => `\n⚠ ${warning}`).join('');
  if (asking > 0) return { text: t('$(sync~spin) AURORA: asking'), tooltip, severity: 'none' };
  switch (status.state) {
    case 'starting':
    case 'indexing':
      return { text: t('$(sync~spin) AURORA: indexing{0}', percentage(status)), tooltip: t('Indexing: {0} so far', tooltip), severity: 'none' };
    case 'degraded':
      return { text: t('$(warning) AURORA: degraded'), tooltip: tooltip + warnings, severity: 'warning' };
    case undefined:
      return { text: t('$(sync~spin) AURORA: starting'), tooltip: t('The index is opened'), severity: 'none' };
    default:
      return { text: '$(check) AURORA', tooltip: t('Ready: {0}', tooltip) + warnings, severity: 'none' };
  }
}

/** What was spent: "$0.42 of $100.00, 12 questions"; "" when there is nothing to say. */
export function spent(budget: Pick<BudgetResult, 'consumedUsd' | 'limitUsd' | 'queries'>): string {
  if (budget.queries === 0 && budget.consumedUsd === 0) return '';
  const limit = budget.limitUsd > 0 ? ` of $${budget.limitUsd.toFixed(2)}` : '';
  return `$${budget.consumedUsd.toFixed(2)}${limit}, ${count(budget.queries, 'question')}`;
}

/** @param asking how many questions are being answered */
export function statusText(state: SidecarState, status: Partial<Status>, asking: number): StatusText {
  switch (state.kind) {
    case 'off':
      return { text: '$(circle-slash) AURORA', tooltip: t('Open a folder, and AURORA indexes it'), severity: 'none' };
    case 'paused':
      return { text: t('$(debug-pause) AURORA: paused'), tooltip: t('AURORA: Resume starts it again'), severity: 'none' };
    case 'starting':
      return { text: t('$(sync~spin) AURORA: starting'), tooltip: t('The program starts'), severity: 'none' };
    case 'running':
      return ofRunning(status, asking);
    case 'waiting':
      return {
        text: t('$(sync~spin) AURORA: restarting'),
        tooltip: `${state.problem.message} It is started again in ${duration(state.delayMs)}.`,
        severity: 'warning',
      };
    case 'failed':
      return { text: t('$(error) AURORA: stopped'), tooltip: `${state.problem.message} ${state.problem.remedy}`, severity: 'error' };
  }
}

/** 2026-11-20 19:46:08 UTC. */
export function time(timestamp: string): string {
  return timestamp.replace('T', ' ').replace(/\.\d+/, '').replace(/Z$/, ' UTC');
}

function languages(files: Record<string, number>): string {
  const known = Object.entries(files).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return known.map(([name, n]) => `${name} ${n}`).join(', ');
}

function model(llm: Status['llm'], lent: string): string {
  if (!llm.configured) return lent || 'none: answers come from the index, git and memory alone';
  return (llm.model ?? 'configured') + (llm.healthy ? '' : ' (does not answer)');
}

/**
 * What aurora/status says, one row each; rows with nothing to say are left out.
 * @param lent what is to be said of the editor's own model, which counts where AURORA has none
 */
export function statusRows(status: Status, lent = ''): [label: string, value: string][] {
  const { files, memory, performance } = status;
  const failed = files.failed > 0 ? `, ${files.failed} failed` : '';
  const rows: [string, string][] = [
    ['State', status.state],
    ['Folders', status.folders.map((folder) => folder.path + (folder.refused ? ` (not indexed: ${folder.refused})` : '')).join(', ')],
    ['Files', `${files.indexed} of ${files.total} indexed${failed}`],
    ['Chunks', status.chunks.toLocaleString('en')],
    ['Languages', languages(status.languages)],
    ['Index', size(status.sizeBytes)],
    ['Indexed', status.lastIndexed ? time(status.lastIndexed) : ''],
    ['Memory', `${count(memory.knowledge, 'note')}, ${count(memory.reasoning, 'pattern')}`],
    ['Model', model(status.llm, lent)],
    ['Embeddings', status.embedder.kind === 'none' ? 'none: search by words' : `${status.embedder.id} (${status.embedder.dims})`],
    ['Search', performance.queryP95Ms > 0 ? `p50 ${duration(performance.queryP50Ms)}, p95 ${duration(performance.queryP95Ms)}` : ''],
    ['Watcher', status.watcher],
    ['Version', status.version],
  ];
  return rows.filter(([, value]) => value !== '');
}
