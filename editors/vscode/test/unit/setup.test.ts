import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { SecretStorage, WorkspaceConfiguration } from 'vscode';
import { warningsAfter } from '../../src/answer/model';
import { ModelKeys } from '../../src/model/keys';
import { listModels, localModels } from '../../src/model/local';
import type { QueryResult } from '../../src/protocol';

class Secrets {
  private readonly values = new Map<string, string>();
  readonly onDidChange = (): { dispose(): void } => ({ dispose: () => undefined });
  get(name: string): Promise<string | undefined> { return Promise.resolve(this.values.get(name)); }
  store(name: string, value: string): Promise<void> { this.values.set(name, value); return Promise.resolve(); }
}

const config = (values: Record<string, string>): WorkspaceConfiguration => ({ get: (name: string, missing?: unknown) => values[name] ?? missing }) as unknown as WorkspaceConfiguration;

test('keys: only for the endpoint that it was entered for, and not where a variable is named', async () => {
  const keys = new ModelKeys(new Secrets() as unknown as SecretStorage);
  await keys.set({ provider: 'openai', baseUrl: '' }, 'sk-1');
  assert.deepEqual(await keys.environment(config({ 'llm.provider': 'openai' })), { AURORA_API_KEY: 'sk-1', AURORA_LLM_API_KEY_ENV: 'AURORA_API_KEY' });
  assert.deepEqual(await keys.environment(config({ 'llm.provider': 'openai', 'llm.baseUrl': 'https://other.example/v1' })), {});
  assert.deepEqual(await keys.environment(config({ 'llm.provider': 'anthropic' })), {});
  assert.deepEqual(await keys.environment(config({ 'llm.provider': 'openai', 'llm.apiKeyEnv': 'MINE' })), {});
});

test('models: what an endpoint lists, with its key; nothing of what is no list', async () => {
  const server = createServer((request, response) => {
    const bodies: Record<string, string> = { '/v1/models': '{"data": [{"id": "a:7b"}, {"id": 3}, {}, null, {"id": "b"}]}', '/html/models': '<html>', '/odd/models': '{"data": "x"}' };
    const refused = request.url === '/v1/models' && request.headers.authorization !== 'Bearer k';
    response.writeHead(refused ? 401 : 200).end(bodies[request.url ?? ''] ?? '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    assert.deepEqual(await listModels(`${at}/v1/`, 'k'), ['a:7b', 'b']);
    for (const path of ['v1', 'html', 'odd', 'none']) assert.deepEqual(await listModels(`${at}/${path}`), [], path);
  } finally {
    server.close();
  }
  assert.deepEqual(await listModels(`${at}/v1`, 'k'), []);
});

test('models: those of this machine, without those that only make vectors', async () => {
  const asked: string[] = [];
  const ask = ((url: string) => {
    asked.push(url);
    if (!url.includes(':11434/')) return Promise.reject(new Error('refused'));
    return Promise.resolve(new Response('{"data": [{"id": "qwen2.5-coder:14b"}, {"id": "nomic-embed-text"}]}'));
  }) as typeof fetch;
  assert.deepEqual(await localModels(ask), [{ provider: 'ollama', server: 'Ollama', model: 'qwen2.5-coder:14b' }]);
  assert.ok(asked.length === 3 && asked.every((url) => url.startsWith('http://localhost:')), asked.join());
});

test('answers: that there is no model is said once', () => {
  const none = 'No model is configured: this answer comes from the index.';
  const turn = { result: { warnings: [none] } as QueryResult };
  assert.deepEqual(warningsAfter([], [none, 'old']), [none, 'old']);
  assert.deepEqual(warningsAfter([turn, {}], [none, 'old']), ['old']);
  assert.deepEqual(warningsAfter([{}], [none]), [none]);
});
