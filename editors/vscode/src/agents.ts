// What agents ask and do, in words.
import type { Agent, AskResult } from './protocol';

/** The reply to aurora/ask; nothing typed or chosen declines. */
export function askReply(answer: string | undefined): AskResult {
  return answer === undefined || answer.trim() === '' ? { cancelled: true } : { answer };
}

/** What an agent of the project would do, in words. */
export function agentDoes(agent: Agent): string {
  if (agent.endpoint) return `${agent.id} sends questions and code to ${agent.endpoint}`;
  if (agent.path) return `${agent.id} runs ${agent.path}`;
  return `${agent.id} gives the model instructions`;
}
