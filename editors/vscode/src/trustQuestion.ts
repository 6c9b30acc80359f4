// The server's question whether to trust a folder.

export interface ServerAction {
  title: string;
  /** Only questions about trust have one; the answer must carry it. */
  nonce?: string;
}

export interface ServerMessage {
  type: number;
  message: string;
  actions?: ServerAction[];
}

/** The question, what the folder brings along, and the action that agrees; undefined for any other message. */
export function trustQuestion(params: ServerMessage): { question: string; detail: string; agree: ServerAction } | undefined {
  const agree = params.actions?.find((action) => action.nonce !== undefined);
  if (!agree) return undefined;
  const [question = '', ...brought] = params.message.split('\n');
  return { question, detail: brought.join('\n'), agree };
}
