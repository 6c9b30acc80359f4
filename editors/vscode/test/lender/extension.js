// A chat model as an assistant's extension brings one, through the API that VS Code has since 1.104. What it is, and
// does, stands in a file that a test writes (AURORA_TEST_MODEL): without the file there is no model.
//   {"name": "Quince", "url": of a scripted model, "maxInputTokens": 100000, "behaviour": "answer" | "hang" | "fail"}
// What it was asked is appended to that file's name with .log: "asked", "cancelled".
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const file = process.env.AURORA_TEST_MODEL;
const SCHEMA = 'Reply with one JSON value that this JSON Schema accepts';

function setup() {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined; // there is none, or it is being written
  }
}

const note = (word) => fs.appendFileSync(`${file}.log`, `${word}\n`);
const textOf = (message) => message.content.map((part) => part.value ?? '').join('');

/** What the scripted model says. */
async function ask(url, messages) {
  const wanted = messages.map((message) => ({
    role: message.role === vscode.LanguageModelChatMessageRole.Assistant ? 'assistant' : 'user', content: textOf(message),
  }));
  const json = wanted.at(-1)?.content.startsWith(SCHEMA) ? { response_format: { type: 'json_object' } } : {};
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify({ model: 'scripted', messages: wanted, ...json }) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()).choices[0].message.content;
}

exports.activate = (context) => {
  const changed = new vscode.EventEmitter();
  const watcher = fs.watch(path.dirname(file), (_event, name) => { if (name === path.basename(file)) changed.fire(); });
  context.subscriptions.push({ dispose: () => watcher.close() }, vscode.lm.registerLanguageModelChatProvider('orchard', {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: () => {
      const now = setup();
      return now ? [{ id: now.name.toLowerCase(), name: now.name, family: 'orchard', version: '1', maxInputTokens: now.maxInputTokens, maxOutputTokens: 4000, capabilities: { toolCalling: true } }] : [];
    },
    provideTokenCount: (_model, text) => Promise.resolve(Math.ceil((typeof text === 'string' ? text : textOf(text)).length / 4)),
    provideLanguageModelChatResponse: async (_model, messages, _options, progress, token) => {
      const { url, behaviour } = setup();
      note('asked');
      if (behaviour === 'fail') throw new Error('the orchard is closed');
      if (behaviour === 'hang') {
        await new Promise((resolve) => { token.onCancellationRequested(resolve); });
        note('cancelled');
        return;
      }
      const text = await ask(url, messages);
      for (const piece of text.match(/[^]{1,40}/g) ?? []) progress.report(new vscode.LanguageModelTextPart(piece));
    },
  }));
};
