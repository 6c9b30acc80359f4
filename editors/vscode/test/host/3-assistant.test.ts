import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerChat, type ChatParts } from '../../src/chat';
import type { QueryParams } from '../../src/protocol';
import { api, eventually, indexed, open } from './helpers';

const SERVER = 'aurora-sidecar.aurora/AURORA';

/** The tools that the editor's agents have of the MCP server. */
const tools = (): string[] => vscode.lm.tools.map(({ name }) => name).filter((name) => /aurora/i.test(name));

async function call(tool: string, input: object): Promise<string> {
  const name = tools().find((candidate) => candidate.endsWith(`_${tool}`));
  assert.ok(name, `no tool ${tool} among ${tools().join(' ')}`);
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

describe("the editor's own assistant", () => {
  before(indexed);
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('has the tools of the MCP server without any set-up', async function () {
    if (Number(vscode.version.split('.')[1]) < 101) return this.skip(); // it has no such servers
    await eventually('the tools', async () => {
      await vscode.commands.executeCommand('workbench.mcp.startServer', SERVER, { waitForLiveTools: true });
      return tools().length > 0;
    });
    const wanted = ['ask', 'context', 'recall', 'related', 'remember', 'review', 'search', 'why'];
    assert.deepEqual(tools().map((name) => name.replace(/^.*_/, '')).sort(), wanted);
    const editor = await open('internal/price/price.go');
    await editor.edit((edit) => edit.insert(new vscode.Position(editor.document.lineCount, 0), '\n// medlarPrice is new.\nfunc medlarPrice() int { return 7 }\n'));
    await eventually('what is typed, from the process that the editor has, too', async () => /"medlarPrice".*"open":true/.test(await call('search', { query: 'medlarPrice' })));
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.match(await call('why', { path: 'internal/basket/basket.go', line: 1 }), /Open the shop/);
  });

  it('answers in the chat, and follows up in the same conversation', async () => {
    const { sidecar } = await api();
    const asked: QueryParams[] = [];
    const parts: ChatParts = {
      sidecar: {
        ready: () => Promise.resolve({} as never), status: sidecar.status, onProgress: sidecar.onProgress,
        request: (method, params, token) => {
          asked.push(params as QueryParams);
          return sidecar.request(method, params, token);
        },
      },
      lender: { consent: () => Promise.resolve() },
      claimed: new Set(),
    };
    const said: string[] = [];
    const anchors: (vscode.Uri | vscode.Location)[] = [];
    const stream = {
      markdown: (text: string | vscode.MarkdownString) => said.push(typeof text === 'string' ? text : text.value),
      anchor: (at: vscode.Uri | vscode.Location, title: string) => { anchors.push(at); said.push(`<${title}>`); },
      progress: (text: string) => said.push(`(${text})`),
    } as unknown as vscode.ChatResponseStream;
    const { token } = new vscode.CancellationTokenSource();
    const ask = (prompt: string, history: vscode.ChatContext['history'] = [], references: vscode.ChatPromptReference[] = []): Promise<vscode.ChatResult> =>
      answerChat(parts, { prompt, references }, { history }, stream, token);

    const { uri } = (await open('internal/basket/basket.go')).document;
    const first = await ask('Where is TotalCents defined?', [], [{ id: 'file', value: uri }]);
    assert.match(said.join(''), /internal\/basket\/basket\.go/);
    assert.match(said.join(''), /\\\[1\\\] <internal\/basket\/basket\.go:26 Basket\.TotalCents>/);
    assert.ok(anchors[0] instanceof vscode.Location && anchors[0].uri.path.endsWith('basket.go') && anchors[0].range.start.line === 25, JSON.stringify(anchors[0]));
    assert.deepEqual(asked[0]?.textDocument, { uri: uri.toString() });

    const earlier = Object.assign(Object.create(vscode.ChatResponseTurn.prototype) as object, { participant: 'aurora.chat', result: first, response: [] });
    await ask('Who calls it?', [earlier as vscode.ChatResponseTurn]);
    assert.equal(asked[1]?.conversationId, asked[0]?.conversationId);
    await ask('Who calls it?');
    assert.notEqual(asked[2]?.conversationId, asked[0]?.conversationId, 'another chat');

    said.length = 0;
    await ask('   ');
    assert.match(said.join(''), /^Ask about this project/);
    assert.equal(asked.length, 3);

    parts.sidecar.ready = () => Promise.reject(new Error('AURORA is paused'));
    const failed = await ask('Where is TotalCents defined?');
    assert.equal(failed.errorDetails?.message, 'AURORA is paused.');
  });
});
