// The keys of models: in the secret storage of the editor, never in a file. A key is given to the program only for the
// endpoint that it was entered for.
import type { SecretStorage, WorkspaceConfiguration } from 'vscode';

/** The variable in which the program gets the key. */
const VARIABLE = 'AURORA_API_KEY';

export interface Endpoint {
  provider: string;
  /** Empty: the provider's. */
  baseUrl: string;
}

const nameOf = ({ provider, baseUrl }: Endpoint): string => `llm.key ${provider} ${baseUrl}`;

export class ModelKeys {
  readonly onDidChange: SecretStorage['onDidChange'];

  constructor(private readonly secrets: SecretStorage) {
    this.onDidChange = secrets.onDidChange;
  }

  get(endpoint: Endpoint): Thenable<string | undefined> {
    return this.secrets.get(nameOf(endpoint));
  }

  set(endpoint: Endpoint, key: string): Thenable<void> {
    return this.secrets.store(nameOf(endpoint), key);
  }

  /** What of the environment gives the program its key; nothing where a person has named a variable of his own. */
  async environment(config: Pick<WorkspaceConfiguration, 'get'>): Promise<Record<string, string>> {
    if (config.get('llm.apiKeyEnv', '') !== '') return {};
    const key = await this.get({ provider: config.get('llm.provider', ''), baseUrl: config.get('llm.baseUrl', '') });
    return key ? { [VARIABLE]: key, AURORA_LLM_API_KEY_ENV: VARIABLE } : {};
  }
}
