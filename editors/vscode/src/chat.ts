// @aurora in the editor's chat: a question to the sidecar, its answer with the sources.
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { newTurn, takeProgress, withChanges } from './answer/model';
import { hitLabel, hitName, hitStart, isRecord } from './hits';
import { fromRange, toRange } from './jump';
import { uriOf } from './memory/files';
import { ofHit } from './memory/record';
import type { ModelLender } from './model/lender';
import { isCancelled, problemOf } from './notify';
import type { Hit, QueryParams } from './protocol';
import type { Sidecar } from './sidecar';

/** What a turn of the chat keeps for the next one, and for a rating. */
interface Kept {
  conversationId: string;
  queryId?: string;
}

export interface ChatParts {
  sidecar: Pick<Sidecar, 'ready' | 'request' | 'status' | 'onProgress'>;
  lender: Pick<ModelLender, 'consent'>;
  /** The queries that a view shows. */
  claimed: Set<string>;
}

/** The id of the participant in the manifest. */
const ID = 'aurora.chat';

export function chatParticipant(parts: ChatParts, icon: { light: vscode.Uri; dark: vscode.Uri }): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(ID, (request, context, stream, token) => answerChat(parts, request, context, stream, token));
  participant.iconPath = icon;
  participant.onDidReceiveFeedback(({ result, kind }) => {
    const { queryId } = (result.metadata ?? {}) as Partial<Kept>;
    const signal = kind === vscode.ChatResultFeedbackKind.Helpful ? 'positive' : 'negative';
    if (queryId) void parts.sidecar.request('aurora/feedback', { queryId, signal }).catch(() => undefined);
  });
  return participant;
}

/** Answers one request of the chat; a failure is an answer, too. */
export async function answerChat(
  { sidecar, lender, claimed }: ChatParts,
  request: Pick<vscode.ChatRequest, 'prompt' | 'references'>,
  context: Pick<vscode.ChatContext, 'history'>,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const kept: Kept = { conversationId: conversationOf(context) ?? randomUUID() };
  const query = request.prompt.trim();
  if (query === '') {
    stream.markdown('Ask about this project, such as: *where is … defined?*, *who calls …?*, *why is … here?*, *which tests cover …?*');
    return { metadata: kept };
  }
  const turn = newTurn(query);
  const listener = sidecar.onProgress((report) => {
    if (takeProgress(turn, report, claimed) && !report.data && report.detail !== '') stream.progress(report.detail);
  });
  try {
    await sidecar.ready();
    if (!sidecar.status.llm?.configured) await lender.consent();
    const result = await sidecar.request('aurora/query', { query, conversationId: kept.conversationId, ...about(request) }, token);
    stream.markdown(withChanges(result).trimEnd());
    result.citations.forEach((hit, index) => showSource(stream, hit, index + 1));
    for (const warning of result.warnings) stream.markdown(apart(`\n\n*${plain(warning)}*`));
    return { metadata: { ...kept, queryId: result.queryId } };
  } catch (error) {
    if (isCancelled(error)) return { metadata: kept };
    const { message, remedy } = problemOf(error);
    return { metadata: kept, errorDetails: { message: `${message} ${remedy}`.trim() } };
  } finally {
    listener.dispose();
  }
}

/** The conversation that earlier turns of this chat belong to. */
function conversationOf({ history }: Pick<vscode.ChatContext, 'history'>): string | undefined {
  const last = [...history].reverse().find((turn) => turn instanceof vscode.ChatResponseTurn && turn.participant === ID) as vscode.ChatResponseTurn | undefined;
  return (last?.result.metadata as Partial<Kept> | undefined)?.conversationId;
}

/** The first file, or part of one, that a person has attached. */
function about({ references }: Pick<vscode.ChatRequest, 'references'>): Pick<QueryParams, 'textDocument' | 'range'> {
  for (const { value } of references) {
    if (value instanceof vscode.Location) return { textDocument: { uri: value.uri.toString() }, range: fromRange(value.range) };
    if (value instanceof vscode.Uri && value.scheme === 'file') return { textDocument: { uri: value.toString() } };
  }
  return {};
}

/** A numbered source, as the answer cites it, on a line of its own. */
function showSource(stream: vscode.ChatResponseStream, hit: Hit, number: number): void {
  const title = `${hitLabel(hit)} ${hitName(hit)}`;
  const at = hitStart(hit);
  const named = (name: string): string => name.replace(/[`[\]\\]/g, ' '); // for VS Code makes "[name](...)" of it
  stream.markdown(apart(`${number === 1 ? '\n\n' : '  \n'}\\[${number}\\] `));
  if (isRecord(hit) && !hit.uri) stream.anchor(uriOf(ofHit(hit)), named(hitName(hit)));
  else if (hit.uri) stream.anchor(at ? new vscode.Location(vscode.Uri.parse(hit.uri), toRange(at)) : vscode.Uri.parse(hit.uri), named(title));
  else stream.markdown(apart(hit.url ? `[${plain(title)}](${hit.url})` : plain(title)));
}

/**
 * Markdown that the chat does not join to the answer, because it may have theme icons: behind a backtick that is not closed,
 * an escaped one too, VS Code makes no links of anchors.
 */
function apart(markdown: string): vscode.MarkdownString {
  return new vscode.MarkdownString(markdown, true);
}

/** Text as Markdown that shows it as it is. */
function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#~|!&]/g, '\\$&');
}
