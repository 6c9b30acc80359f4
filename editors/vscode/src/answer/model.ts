// The turns of a conversation, and what the view shows of them. Pure.
import type { Problem } from '../binary';
import { hitIcon, hitLabel, hitName, hitSummary } from '../hits';
import type { Hit, Phase, ProgressParams, QueryResult } from '../protocol';
import { duration } from '../status';

export type TurnState = 'asking' | 'answered' | 'failed' | 'cancelled';

export interface Turn {
  question: string;
  /** The document of the selection that was asked about, for people. */
  about?: string;
  state: TurnState;
  queryId?: string;
  reported: { stage: string; status: string; detail: string }[];
  result?: QueryResult;
  problem?: Problem;
}

export interface PhaseRow {
  name: string;
  status: string;
  time: string;
  /** Of the whole time, 0 to 100. */
  percentage: number;
  detail: string;
}

export interface SourceRow {
  name: string;
  place: string;
  icon: string;
  text: string;
}

/** What the view shows of a turn; the answer is HTML made by renderMarkdown, all else is text. */
export interface TurnView {
  question: string;
  about: string;
  state: TurnState;
  headline: string;
  warnings: string[];
  html: string;
  facts: string[];
  phases: PhaseRow[];
  sources: SourceRow[];
  canReason: boolean;
}

export function newTurn(question: string, about?: string): Turn {
  return { question, state: 'asking', reported: [], ...(about === undefined ? {} : { about }) };
}

/**
 * Whether a report changes what is shown of a turn: the first report to a turn that has none names its query. Pieces of
 * the answer are not shown, but all of it at the end.
 */
export function takeProgress(turn: Turn, report: ProgressParams): boolean {
  if (turn.state !== 'asking' || (turn.queryId !== undefined && turn.queryId !== report.queryId)) return false;
  if (report.data?.delta) return false;
  turn.queryId = report.queryId;
  const { stage, status, detail } = report;
  const last = turn.reported[turn.reported.length - 1];
  if (last?.stage === stage) Object.assign(last, { status, detail });
  else turn.reported.push({ stage, status, detail });
  return true;
}

/** What a confidence means to somebody who has not read how it is made. */
export function meaning(confidence: number, verified: boolean): string {
  const percent = `confidence ${Math.round(confidence * 100)}%`;
  if (verified) return `${percent}, verified`;
  if (confidence >= 0.8) return `${percent}: the sources say it`;
  if (confidence >= 0.5) return `${percent}: the sources point to it, check them`;
  if (confidence > 0) return `${percent}: little supports it`;
  return `${percent}: nothing supports it`;
}

function headline(turn: Turn): string {
  switch (turn.state) {
    case 'asking':
      return 'Asking…';
    case 'cancelled':
      return 'Cancelled.';
    case 'failed':
      return `${turn.problem?.message ?? 'The question failed.'} ${turn.problem?.remedy ?? ''}`.trim();
    case 'answered':
      return '';
  }
}

function facts(result: QueryResult): string[] {
  const cost = result.cost.calls > 0 ? `$${result.cost.usd.toFixed(4)}, ${result.cost.calls} calls` : 'no cost';
  return [
    meaning(result.confidence, result.verified),
    result.complexity.toLowerCase(),
    result.model ? result.model : 'no model',
    duration(result.totalDurationMs),
    cost,
    ...(result.cached ? ['from the cache'] : []),
  ];
}

const ofPhase = (phase: Phase): PhaseRow => ({
  name: phase.phase.toLowerCase(),
  status: phase.status,
  time: phase.status === 'skipped' ? '' : duration(phase.durationMs),
  percentage: Math.max(0, Math.min(100, phase.percentage)),
  detail: phase.detail ?? '',
});

const ofSource = (hit: Hit): SourceRow => ({ name: hitName(hit), place: hitLabel(hit), icon: hitIcon(hit), text: hitSummary(hit) });

/** @param render makes HTML of the answer */
export function viewOf(turn: Turn, render: (result: QueryResult) => string, canReason: boolean): TurnView {
  const { result } = turn;
  const reported = turn.reported.map((row) => ({ name: row.stage, status: row.status, time: '', percentage: 0, detail: row.detail }));
  return {
    question: turn.question,
    about: turn.about ?? '',
    state: turn.state,
    headline: headline(turn),
    warnings: result?.warnings ?? [],
    html: result ? render(result) : '',
    facts: result ? facts(result) : [],
    phases: result ? result.phases.map(ofPhase) : reported,
    sources: result ? result.citations.map(ofSource) : [],
    canReason,
  };
}

/** The answer with its sources, as Markdown for the clipboard or for memory. */
export function answerText(turn: Turn): string {
  const sources = (turn.result?.citations ?? []).map((hit, index) => `[${index + 1}] ${hitLabel(hit)} ${hitName(hit)}`);
  const answer = turn.result?.answer.trim() ?? '';
  return `# ${turn.question}\n\n${answer}\n${sources.length > 0 ? `\n${sources.join('\n')}\n` : ''}`;
}
