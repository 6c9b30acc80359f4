// The turns of a conversation, and what the view shows of them. Pure.
import type { Problem } from '../binary';
import { hitIcon, hitLabel, hitName, hitSummary } from '../hits';
import type { Hit, Phase, ProgressParams, QueryResult, Subgoal } from '../protocol';
import { count, duration } from '../status';
import { t } from '../l10n';

export type TurnState = 'asking' | 'answered' | 'failed' | 'cancelled';

/** What was told of a phase while the question ran; times in milliseconds. */
interface Reported {
  stage: string;
  status: string;
  detail: string;
  began: number;
  ended?: number;
}

export interface Turn {
  question: string;
  /** The document of the selection that was asked about, for people. */
  about?: string;
  state: TurnState;
  queryId?: string;
  reported: Reported[];
  /** What a model has written of the answer so far. */
  partial: string;
  result?: QueryResult;
  problem?: Problem;
}

export interface PhaseRow {
  name: string;
  status: string;
  time: string;
  /** Of the whole time, 0 to 100. */
  percentage: number;
  /** When it began, as a percentage of the whole time. */
  offset: number;
  detail: string;
}

/** A part of the question, as it went. */
export interface PartRow {
  text: string;
  status: string;
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
  /** What the score or the confidence means. */
  meaning: string;
  phases: PhaseRow[];
  /** What the phases took together. */
  total: string;
  parts: PartRow[];
  sources: SourceRow[];
  /** How many files the answer proposes to change. */
  changes: number;
  canReason: boolean;
}

/** How the warning begins that there is no model; said once in a view, with a way to choose one. */
export const NO_MODEL = 'No model is configured';

/** The warnings of a turn that the turns before it have not said once for all. */
export function warningsAfter(before: readonly Pick<Turn, 'result'>[], warnings: string[]): string[] {
  const said = before.some(({ result }) => result?.warnings.some((warning) => warning.startsWith(NO_MODEL)));
  return said ? warnings.filter((warning) => !warning.startsWith(NO_MODEL)) : warnings;
}

export function newTurn(question: string, about?: string): Turn {
  return { question, state: 'asking', reported: [], partial: '', ...(about === undefined ? {} : { about }) };
}

/**
 * Whether a report changes what is shown of a turn: the first report to a turn that has none names its query.
 * @param claimed the queries that have a turn already, here or in another view; this one is added
 * @param now in milliseconds
 */
export function takeProgress(turn: Turn, report: ProgressParams, claimed: Set<string> = new Set(), now: number = Date.now()): boolean {
  if (turn.state !== 'asking') return false;
  if (turn.queryId === undefined) {
    if (claimed.has(report.queryId)) return false;
    claimed.add(report.queryId);
    turn.queryId = report.queryId;
  }
  if (turn.queryId !== report.queryId) return false;
  const { stage, status, detail, data } = report;
  if (data) turn.partial = (data.void ? '' : turn.partial) + data.delta;
  if (data?.delta) return true; // a piece of the answer says nothing of its phase
  const last = turn.reported[turn.reported.length - 1];
  if (last?.stage === stage) Object.assign(last, { status, detail });
  else {
    if (last) last.ended ??= now;
    turn.reported.push({ stage, status, detail, began: now });
  }
  const current = turn.reported[turn.reported.length - 1];
  if (current && status !== 'in_progress' && status !== 'retry') current.ended = now;
  return true;
}

/** What a score of the verification, or without one the confidence, means to somebody who has not read how it is made. */
export function meaning(result: Pick<QueryResult, 'confidence' | 'verified' | 'overallScore'>): string {
  const { overallScore: score, confidence, verified } = result;
  if (score !== undefined) return `score ${score.toFixed(2)}: ${scoreMeaning(score, verified)}`;
  const percent = `confidence ${Math.round(confidence * 100)}%`;
  if (verified) return `${percent}, verified`;
  if (confidence >= 0.8) return t('{0}: the sources say it', percent);
  if (confidence >= 0.5) return t('{0}: the sources point to it, check them', percent);
  if (confidence > 0) return t('{0}: little supports it', percent);
  return t('{0}: nothing supports it', percent);
}

/** From 0.7 on an answer has passed; the limits are those of the warnings that come with it. */
function scoreMeaning(score: number, verified: boolean): string {
  if (score >= 0.8) return verified ? t('verified, its statements have their sources') : t('it holds together, but was not verified');
  if (score >= 0.7) return t('it passed, with a caveat');
  if (score >= 0.5) return t('it did not pass: check every statement');
  return t('not reliable');
}

function headline(turn: Turn): string {
  switch (turn.state) {
    case 'asking':
      return 'Asking…';
    case 'cancelled':
      return 'Cancelled.';
    case 'failed':
      return `${turn.problem?.message ?? t('The question failed.')} ${turn.problem?.remedy ?? ''}`.trim();
    case 'answered':
      return '';
  }
}

function facts(result: QueryResult): string[] {
  const { usd, calls, promptTokens, completionTokens } = result.cost;
  const tokens = (promptTokens + completionTokens).toLocaleString('en');
  const price = usd > 0 ? `$${usd.toFixed(4)}` : 'no cost';
  const cost = calls > 0 ? `${price} for ${count(calls, 'call')}, ${tokens} tokens` : price;
  return [
    result.complexity.toLowerCase(),
    result.model ? result.model : 'no model',
    duration(result.totalDurationMs),
    cost,
    ...(result.cached ? ['from the cache'] : []),
    ...(result.chunkId ? ['remembered'] : []),
  ];
}

const within = (percentage: number): number => Math.max(0, Math.min(100, percentage));

/** From how many milliseconds on the times at which phases began, in whole milliseconds, place them on a line. */
const PLACED_MS = 50;

/** The phases of an answer on one line of time. Those that do not tell exactly when they began follow each other. */
function timeline(result: QueryResult): PhaseRow[] {
  const began = (phase: Phase): number => (/\.\d/.test(phase.startedAt ?? '') ? Date.parse(phase.startedAt ?? '') : Number.NaN);
  const first = result.phases.map(began).find((at) => !Number.isNaN(at));
  let before = 0;
  return result.phases.map((phase: Phase): PhaseRow => {
    const at = began(phase);
    const placed = first !== undefined && !Number.isNaN(at) && result.totalDurationMs >= PLACED_MS;
    const told = placed ? (100 * (at - first)) / result.totalDurationMs : before;
    const percentage = within(phase.percentage);
    const offset = Math.min(within(told), 100 - percentage);
    before = offset + percentage;
    return {
      name: phase.phase.toLowerCase(),
      status: phase.status,
      time: phase.status === 'skipped' ? '' : duration(phase.durationMs),
      percentage,
      offset,
      detail: phase.detail ?? '',
    };
  });
}

/** The phases so far. */
function progress(turn: Turn, now: number): PhaseRow[] {
  const began = turn.reported[0]?.began ?? now;
  const whole = Math.max(1, now - began);
  return turn.reported.map((row) => {
    const took = (row.ended ?? now) - row.began;
    const percentage = within((100 * took) / whole);
    const offset = Math.min(within((100 * (row.began - began)) / whole), 100 - percentage);
    return { name: row.stage.toLowerCase(), status: row.status, time: duration(took), percentage, offset, detail: row.detail };
  });
}

const ofSubgoal = (part: Subgoal): PartRow => ({
  text: part.description,
  status: part.status,
  detail: [part.agent, part.score.toFixed(2), part.note ?? ''].filter(Boolean).join(' · '),
});

const ofSource = (hit: Hit): SourceRow => ({ name: hitName(hit), place: hitLabel(hit), icon: hitIcon(hit), text: hitSummary(hit) });

/** What makes HTML of Markdown that cites so many sources. */
export type Render = (markdown: string, citations: number) => string;

/** The answer as Markdown, with the changes that it proposes as a block of code, which no line of theirs ends. */
export function withChanges({ answer, changes = [] }: Pick<QueryResult, 'answer' | 'changes'>): string {
  if (changes.length === 0) return answer;
  const patch = changes.map((change) => change.patch).join('');
  const longest = Math.max(2, ...(patch.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${answer.trim()}\n\n${fence}diff\n${patch.endsWith('\n') ? patch : `${patch}\n`}${fence}\n`;
}

/** @param now in milliseconds */
export function viewOf(turn: Turn, render: Render, canReason: boolean, now: number = Date.now()): TurnView {
  const { result } = turn;
  return {
    question: turn.question,
    about: turn.about ?? '',
    state: turn.state,
    headline: headline(turn),
    warnings: result?.warnings ?? [],
    html: result ? render(withChanges(result), result.citations.length) : render(turn.partial, 0),
    facts: result ? facts(result) : [],
    meaning: result ? meaning(result) : '',
    phases: result ? timeline(result) : progress(turn, now),
    total: result ? duration(result.totalDurationMs) : '',
    parts: (result?.subgoals ?? []).map(ofSubgoal),
    sources: result ? result.citations.map(ofSource) : [],
    changes: result?.changes?.length ?? 0,
    canReason,
  };
}

/** The answer with its sources, as Markdown for the clipboard or for memory. */
export function answerText(turn: Turn): string {
  const sources = (turn.result?.citations ?? []).map((hit, index) => `[${index + 1}] ${hitLabel(hit)} ${hitName(hit)}`);
  const answer = turn.result ? withChanges(turn.result).trim() : '';
  return `# ${turn.question}\n\n${answer}\n${sources.length > 0 ? `\n${sources.join('\n')}\n` : ''}`;
}
