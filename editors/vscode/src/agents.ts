// What agents ask, in words.
import type { AskResult } from './protocol';

/** The reply to aurora/ask; nothing typed or chosen declines. */
export function askReply(answer: string | undefined): AskResult {
  return answer === undefined || answer.trim() === '' ? { cancelled: true } : { answer };
}
