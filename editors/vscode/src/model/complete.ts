// Has a chat model of the editor answer aurora/complete. Pure: the editor's API comes as parameters.
import type { CompleteParams, CompleteResult } from '../protocol';

/** What is asked of the editor's model; vscode.LanguageModelChat has it. */
export interface Chat<Message, Token> {
  readonly name: string;
  readonly family: string;
  readonly maxInputTokens: number;
  countTokens(text: string | Message, token?: Token): Thenable<number>;
  sendRequest(messages: Message[], options: { justification: string; modelOptions: Record<string, unknown> }, token?: Token): Thenable<{ text: AsyncIterable<string> }>;
}

export interface Say<Message> {
  user(text: string): Message;
  assistant(text: string): Message;
}

/** A reply longer than this, in characters for each token that was asked for, is cut: some models know no limit. */
const CHARACTERS = 8;

/** Why a model is not asked, or its reply is of no use. */
export class Refusal extends Error {}

/** The messages for a model that knows no system role and no schema. */
export function messagesOf<Message>(params: Pick<CompleteParams, 'messages' | 'schema'>, say: Say<Message>): Message[] {
  const messages = params.messages.map(({ role, content }) => (role === 'assistant' ? say.assistant(content) : say.user(content)));
  if (params.schema === undefined || params.schema === null) return messages;
  return [...messages, say.user(`Reply with one JSON value that this JSON Schema accepts, and with nothing else:\n${JSON.stringify(params.schema)}`)];
}

/** The model for a tier: a small one for what must be fast, else the first, which is the editor's own choice. */
export function choose<M extends { family: string }>(models: readonly M[], tier: string): M | undefined {
  const small = models.find((model) => /mini|nano|haiku|flash|lite|small/i.test(model.family));
  return tier === 'fast' ? (small ?? models[0]) : (models.find((model) => model !== small) ?? models[0]);
}

/** @param justification what the editor may show a person who wonders why the model is asked */
export async function complete<Message, Token>(params: CompleteParams, chat: Chat<Message, Token>, say: Say<Message>, token: Token, justification: string): Promise<CompleteResult> {
  const messages = messagesOf(params, say);
  let promptTokens = 0;
  for (const message of messages) promptTokens += await chat.countTokens(message, token);
  if (promptTokens > chat.maxInputTokens) {
    throw new Refusal(`the question and its sources have ${promptTokens} tokens, and ${chat.name} takes ${chat.maxInputTokens}`);
  }
  const modelOptions = { max_tokens: params.maxTokens, temperature: params.temperature };
  const response = await chat.sendRequest(messages, { justification, modelOptions }, token);
  const limit = params.maxTokens > 0 ? params.maxTokens * CHARACTERS : Infinity;
  let text = '';
  for await (const piece of response.text) {
    text += piece;
    if (text.length > limit) break;
  }
  if (text.trim() === '') throw new Refusal(`${chat.name} replied with nothing`);
  return { text, model: chat.name, usage: { promptTokens, completionTokens: await chat.countTokens(text, token) } };
}
