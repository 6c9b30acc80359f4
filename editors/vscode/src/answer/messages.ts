// What the answer view and the extension tell each other.
import type { TurnView } from './model';

/** The turns from the first one on; those before are as they were. */
export type ToView = { type: 'turns'; first: number; turns: TurnView[] };

export type FromView =
  | { type: 'ready' }
  | { type: 'ask'; question: string }
  | { type: 'cancel' }
  | { type: 'open'; turn: number; citation: number; aside: boolean }
  | { type: 'openFile'; address: string }
  | { type: 'copy'; turn: number }
  | { type: 'remember'; turn: number }
  | { type: 'retry'; turn: number; deeper: boolean }
  | { type: 'propose'; turn: number }
  | { type: 'apply'; turn: number }
  | { type: 'chooseModel' }
  | { type: 'rate'; turn: number; good: boolean };
