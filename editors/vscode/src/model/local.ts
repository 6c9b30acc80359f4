// The models that run on this machine: the usual programs that serve them are asked for their lists. Nothing leaves the
// machine. Pure but for the requests.

/** A model that an endpoint has. */
export interface FoundModel {
  provider: string;
  /** The program that serves it, for people. */
  server: string;
  model: string;
}

interface Server {
  provider: string;
  server: string;
  baseUrl: string;
}

/** Where each provider listens unless told otherwise, as the program knows it. */
const SERVERS: readonly Server[] = [
  { provider: 'ollama', server: 'Ollama', baseUrl: 'http://localhost:11434/v1' },
  { provider: 'vllm', server: 'vLLM', baseUrl: 'http://localhost:8000/v1' },
  { provider: 'llamacpp', server: 'llama.cpp', baseUrl: 'http://localhost:8080/v1' },
];

/** How long one may take to list what it has, in milliseconds. */
const LIST_MS = 2000;

/** The most models of one endpoint. */
const LIMIT = 100;

/** The names of the models that an endpoint lists; none when it does not answer, or not in time, or with something else. */
export async function listModels(baseUrl: string, key = '', ask: typeof fetch = fetch): Promise<string[]> {
  try {
    const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };
    const response = await ask(`${baseUrl.replace(/\/+$/, '')}/models`, { headers, redirect: 'error', signal: AbortSignal.timeout(LIST_MS) });
    if (!response.ok) return [];
    const { data } = (await response.json()) as { data?: { id?: unknown }[] };
    return (Array.isArray(data) ? data : []).map((model) => model?.id).filter((id): id is string => typeof id === 'string' && id !== '').slice(0, LIMIT);
  } catch {
    return [];
  }
}

/** What the programs of this machine serve; models that only make vectors are left out. */
export async function localModels(ask: typeof fetch = fetch): Promise<FoundModel[]> {
  const lists = await Promise.all(SERVERS.map(async ({ provider, server, baseUrl }) => (await listModels(baseUrl, '', ask)).map((model) => ({ provider, server, model }))));
  return lists.flat().filter(({ model }) => !/embed|bge-|minilm/i.test(model));
}
