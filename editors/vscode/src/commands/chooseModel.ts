// AURORA: Choose a Model.
import { execFile } from 'node:child_process';
import * as vscode from 'vscode';
import type { ModelKeys } from '../model/keys';
import { listModels, localModels } from '../model/local';
import type { ModelLender } from '../model/lender';
import type { Sidecar } from '../sidecar';
import { t } from '../l10n';

export interface Parts {
  sidecar: Pick<Sidecar, 'program' | 'changeSettings'>;
  keys: ModelKeys;
  lender: Pick<ModelLender, 'summary'>;
  log: vscode.LogOutputChannel;
}

/** What is set: all empty means no model of AURORA's own. */
interface Choice {
  provider: string;
  baseUrl: string;
  model: string;
  /** Of the editor's model; undefined leaves the setting as it is. */
  use?: 'always' | 'never';
  key?: string;
  /** US dollars a month. */
  limit?: number;
}

type Item = vscode.QuickPickItem & { choose?: () => Promise<Choice | undefined> | Choice };

/** The longest that one call to a model may take, in milliseconds. */
const TEST_MS = 120_000;

const none: Choice = { provider: '', baseUrl: '', model: '' };

export async function chooseModel(parts: Parts): Promise<void> {
  const choice = await (await pickSource(parts))?.choose?.();
  if (!choice) return;
  await parts.sidecar.changeSettings(() => apply(choice, parts.keys));
  if (choice.provider === '' && choice.baseUrl === '') {
    vscode.window.setStatusBarMessage(choice.use === 'always' ? t('AURORA: asks the model of this editor') : t('AURORA: asks no model'), 5000);
    return;
  }
  await test(choice, parts);
}

/** Lists what there is; what runs on this machine comes when it has answered. */
async function pickSource(parts: Parts): Promise<Item | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = t('AURORA: Choose a Model');
  pick.placeholder = t('What writes and checks longer answers');
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.items = elsewhere(parts);
  pick.busy = true;
  void localModels().then((found) => {
    pick.busy = false;
    if (found.length === 0) return;
    const local = found.map(({ provider, server, model }): Item => ({ label: model, description: t('{0}, on this machine, free', server), choose: () => ({ provider, baseUrl: '', model }) }));
    pick.items = [heading(t('On this machine')), ...local, ...elsewhere(parts)];
  });
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => resolve(pick.activeItems[0]));
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

const heading = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });

function elsewhere({ keys, lender }: Parts): Item[] {
  const editors: Item[] = lender.summary === '' ? [] : [{ label: t('The model of this editor'), description: lender.summary, choose: () => ({ ...none, use: 'always' }) }];
  return [
    heading(t('With a key')),
    { label: 'OpenAI', description: t('questions and the snippets that answer them are sent there'), choose: () => hosted('openai', 'OpenAI', keys) },
    { label: 'Anthropic', description: t('questions and the snippets that answer them are sent there'), choose: () => hosted('anthropic', 'Anthropic', keys) },
    { label: t('Another endpoint…'), description: t('any that speaks the API of OpenAI'), choose: () => other(keys) },
    heading(t('Without one')),
    ...editors,
    { label: t('No model'), description: t('answers come from the index, git and memory alone'), choose: () => ({ ...none, use: 'never' }) },
  ];
}

async function hosted(provider: string, name: string, keys: ModelKeys): Promise<Choice | undefined> {
  const key = await askKey(name, await keys.get({ provider, baseUrl: '' }));
  if (key === undefined) return undefined;
  const model = await vscode.window.showInputBox({ title: t('The model of {0}', name), prompt: t('Empty: a cheap one and a good one, each for what it is good at'), ignoreFocusOut: true });
  if (model === undefined) return undefined;
  const limit = await askLimit();
  return limit === undefined ? undefined : { provider, baseUrl: '', model: model.trim(), key, limit };
}

async function other(keys: ModelKeys): Promise<Choice | undefined> {
  const baseUrl = await vscode.window.showInputBox({
    title: t('The address of the endpoint'),
    placeHolder: 'https://host/v1',
    ignoreFocusOut: true,
    validateInput: (typed) => (/^https?:\/\/[^\s/@]+(\/\S*)?$/.test(typed.trim()) ? undefined : t('An http or https address without a user, such as http://localhost:11434/v1')),
  });
  if (baseUrl === undefined) return undefined;
  const endpoint = { provider: '', baseUrl: baseUrl.trim() };
  const key = await askKey(endpoint.baseUrl, await keys.get(endpoint), t('Empty: it wants none'));
  if (key === undefined) return undefined;
  const listed = await listModels(endpoint.baseUrl, key);
  const title = t('The model of {0}', endpoint.baseUrl);
  const model = await (listed.length > 0
    ? vscode.window.showQuickPick(listed, { title, ignoreFocusOut: true })
    : vscode.window.showInputBox({ title, prompt: t('It lists none, so type its name'), ignoreFocusOut: true, validateInput: (typed) => (typed.trim() === '' ? t('A model needs a name') : undefined) }));
  if (model === undefined) return undefined;
  const limit = await askLimit();
  return limit === undefined ? undefined : { ...endpoint, model: model.trim(), key, limit };
}

async function askKey(name: string, known: string | undefined, prompt = t('Kept in the secret storage of the editor, and given to the program alone')): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({ title: t('The key of {0}', name), prompt: known ? t('Empty: the one that is kept') : prompt, password: true, ignoreFocusOut: true });
  return key === undefined ? undefined : key.trim() || known || '';
}

async function askLimit(): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    title: t('The most that models may cost in a month, in US dollars'),
    value: String(vscode.workspace.getConfiguration('aurora').get('costBudgets.hardLimitUsd', 500)),
    prompt: t('Questions are refused from there on, and warn from four fifths of it'),
    ignoreFocusOut: true,
    validateInput: (text) => (/^\d+(\.\d+)?$/.test(text.trim()) ? undefined : t('A number, such as 20')),
  });
  return typed === undefined ? undefined : Number(typed);
}

async function apply(choice: Choice, keys: ModelKeys): Promise<void> {
  const { provider, baseUrl, model, key, limit, use } = choice;
  if (key) await keys.set({ provider, baseUrl }, key);
  const config = vscode.workspace.getConfiguration('aurora');
  const settings: Record<string, unknown> = {
    'llm.provider': provider || undefined,
    'llm.baseUrl': baseUrl || undefined,
    'llm.model': model || undefined,
    ...(key ? { 'llm.apiKeyEnv': undefined } : {}),
    ...(limit === undefined ? {} : { 'costBudgets.hardLimitUsd': limit, 'costBudgets.softLimitUsd': Math.round(limit * 80) / 100 }),
    ...(use ? { 'languageModel.use': use } : {}),
  };
  for (const [name, value] of Object.entries(settings)) await config.update(name, value, vscode.ConfigurationTarget.Global);
}

interface Check {
  check: string;
  status: string;
  detail: string;
  remedy?: string;
}

/** One real call, by the program itself. */
async function test(choice: Choice, { sidecar, log }: Parts): Promise<void> {
  const name = choice.model || choice.provider;
  const check = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: t('AURORA: asking {0} one question', name) }, async () => examine(await sidecar.program()));
  log.info(`model: ${check.status}: ${check.detail}`);
  if (check.status === 'ok') void vscode.window.showInformationMessage(t('AURORA: {0} answers. {1}', name, check.detail));
  else void vscode.window.showWarningMessage(t('AURORA: {0} does not answer: {1}. {2}', name, check.detail, check.remedy ?? '').trim());
}

function examine({ path, environment }: Awaited<ReturnType<Sidecar['program']>>): Promise<Check> {
  return new Promise((resolve) => {
    const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    execFile(path, ['doctor', '--llm', '--json'], { cwd, env: { ...process.env, ...environment }, timeout: TEST_MS }, (error, stdout) => {
      try {
        const { checks } = JSON.parse(stdout) as { checks: Check[] };
        resolve(checks.find(({ check }) => check === 'model call') ?? checks.find(({ check }) => check === 'model') ?? { check: 'model', status: 'fail', detail: t('the program says nothing of it') });
      } catch {
        resolve({ check: 'model', status: 'fail', detail: error?.message ?? t('the program says nothing') });
      }
    });
  });
}
