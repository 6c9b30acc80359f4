// Activation: registers what the manifest names, and starts the sidecar beside it.
import * as vscode from 'vscode';
import { icons } from './answer/panel';
import { AnswerPanels } from './answer/panels';
import { chatParticipant } from './chat';
import { ask } from './commands/ask';
import { captureDecisions } from './commands/capture';
import { chooseModel } from './commands/chooseModel';
import { showContext } from './commands/context';
import { explainRanking } from './commands/explain';
import type { ActionArgument } from './commands/place';
import { rebuild } from './commands/rebuild';
import { showRelated } from './commands/related';
import { Reviewer } from './commands/review';
import { showWhy } from './commands/why';
import { remember } from './commands/remember';
import type { DismissParams, ReviewParams, ReviseParams } from './protocol';
import { report } from './commands/report';
import { showStatus } from './commands/showStatus';
import { trustWorkspace } from './commands/trust';
import { CommitWatcher } from './commits';
import { watchFocus } from './focus';
import { Jumper } from './jump';
import { memoryCommands } from './memory/commands';
import { MemoryFiles, SCHEME as MEMORY_SCHEME } from './memory/files';
import { speak } from './l10n';
import { offerMcpServers } from './mcpServers';
import { ModelKeys } from './model/keys';
import { ModelLender } from './model/lender';
import { MemoryTree } from './memory/tree';
import { showError, watchFailures } from './notify';
import { SearchPicker } from './search/picker';
import { RecentQueries } from './search/recent';
import { declaredKeys, isOwn } from './settings';
import { Sidecar } from './sidecar';
import { spent } from './status';
import { StatusBar } from './statusBar';
import { SCHEME, sharedViews } from './views';

/** Settings that come within this time restart the sidecar once. */
const SETTINGS_MS = 300;

interface Parts {
  context: vscode.ExtensionContext;
  log: vscode.LogOutputChannel;
  lender: ModelLender;
  keys: ModelKeys;
  sidecar: Sidecar;
  jumper: Jumper;
  panels: AnswerPanels;
  picker: SearchPicker;
  tree: MemoryTree;
  reviewer: Reviewer;
}

/** What other extensions, and the tests, see of this one. */
export interface Api {
  /** How long activation took, in milliseconds. */
  activationMs: number;
  sidecar: Pick<Sidecar, 'state' | 'status' | 'pid' | 'request' | 'onDidChangeState' | 'onDidChangeStatus' | 'onProgress'>;
}

let running: Sidecar | undefined;

export function activate(context: vscode.ExtensionContext): Api {
  const began = performance.now();
  speak(vscode.l10n.bundle as Record<string, string> | undefined);
  const parts = assemble(context);
  const statusBar = new StatusBar(parts.sidecar);
  context.subscriptions.push(
    parts.log,
    parts.lender,
    parts.sidecar,
    parts.lender.onDidChange(() => parts.sidecar.sendLiveSettings()),
    parts.jumper,
    parts.panels,
    parts.tree,
    parts.reviewer,
    statusBar,
    sharedViews(),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, sharedViews()),
    vscode.window.registerTreeDataProvider('aurora.memory', parts.tree),
    ...memoryFiles(parts),
    parts.panels.onDidChangeAsking((asking) => {
      statusBar.setAsking(asking);
      if (asking === 0) void showBudget(parts, statusBar);
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void parts.sidecar.start()),
    watchFailures(parts.sidecar),
    watchFocus(parts.sidecar, parts.log),
    chatParticipant({ sidecar: parts.sidecar, lender: parts.lender, claimed: parts.panels.claimed }, icons(context.extensionUri)),
    offerMcpServers(parts.sidecar, String((context.extension.packageJSON as { version: string }).version)),
    new CommitWatcher(parts.sidecar, parts.log, () => parts.tree.refresh()),
    ...registerCommands(commands(parts)),
    watchSettings(parts.sidecar, parts.keys, declaredKeys(context.extension.packageJSON)),
  );
  void vscode.commands.executeCommand('setContext', 'aurora.state', 'off');
  running = parts.sidecar;
  void parts.sidecar.start().catch((error: unknown) => parts.log.error(String(error)));
  const activationMs = performance.now() - began;
  parts.log.info(`activated in ${activationMs.toFixed(1)} ms`);
  return { activationMs, sidecar: parts.sidecar };
}

/** What models have cost so far, where there is one; it is looked up after an answer. */
async function showBudget({ sidecar, log }: Parts, statusBar: StatusBar): Promise<void> {
  if (!sidecar.status.llm?.configured) return;
  try {
    statusBar.setBudget(spent(await sidecar.request('aurora/budget', {})));
  } catch (error) {
    log.info(`budget: ${String(error)}`); // the sidecar may have ended with the question
  }
}

export function deactivate(): Promise<void> | undefined {
  return running?.shutdown();
}

function assemble(context: vscode.ExtensionContext): Parts {
  const log = vscode.window.createOutputChannel('AURORA', { log: true });
  const lender = new ModelLender(log);
  const keys = new ModelKeys(context.secrets);
  const sidecar = new Sidecar(context, log, lender, keys);
  const jumper = new Jumper(sidecar);
  return {
    context,
    log,
    lender,
    keys,
    sidecar,
    jumper,
    panels: new AnswerPanels(context.extensionUri, sidecar, jumper, lender),
    picker: new SearchPicker(sidecar, jumper, new RecentQueries(context.workspaceState)),
    tree: new MemoryTree(sidecar),
    reviewer: new Reviewer(sidecar),
  };
}

/** The documents of memory records, and what makes the memory view look again. */
function memoryFiles({ sidecar, tree }: Parts): vscode.Disposable[] {
  const files = new MemoryFiles(sidecar, () => tree.refresh());
  let counted = '';
  return [
    files,
    vscode.workspace.registerFileSystemProvider(MEMORY_SCHEME, files, { isCaseSensitive: true }),
    sidecar.onDidChangeState(() => tree.refresh()),
    sidecar.onDidChangeStatus(({ memory }) => {
      const counts = JSON.stringify([memory?.knowledge, memory?.reasoning]);
      if (counts !== counted) tree.refreshSoon(); // in another window, too
      counted = counts;
    }),
    vscode.window.onDidChangeActiveTextEditor(() => tree.refreshSoon()),
    vscode.workspace.onDidSaveTextDocument(() => tree.refreshSoon()), // what a record cites may have changed
  ];
}

/** The commands by id; those that the server's code actions name take their arguments. */
function commands(parts: Parts): Record<string, (...given: never[]) => unknown> {
  const { context, log, lender, keys, sidecar, jumper, panels, picker, tree, reviewer } = parts;
  return {
    'aurora.query': (argument?: ActionArgument) => ask(panels, argument),
    'aurora.change': (argument?: ActionArgument) => ask(panels, argument, true),
    'aurora.search': (argument?: ActionArgument) => picker.open(argument?.query),
    'aurora.openContext': (argument?: ActionArgument) => showContext(sidecar, jumper, argument),
    'aurora.related': (argument?: ActionArgument) => showRelated(sidecar, jumper, argument),
    'aurora.why': (argument?: ActionArgument) => showWhy(sidecar, argument),
    'aurora.review': (what?: Pick<ReviewParams, 'staged' | 'range'>) => reviewer.review(what),
    'aurora.reviewOther': () => reviewer.choose(),
    'aurora.review.accept': async (uri: vscode.Uri, record: string) => {
      await reviewer.accept(uri, record);
      tree.refresh();
    },
    'aurora.review.edit': (record: string) => reviewer.edit(record),
    'aurora.revise': async (given: ReviseParams) => {
      await sidecar.request('aurora/revise', given);
      tree.refresh();
    },
    'aurora.dismiss': (given: DismissParams) => reviewer.dismiss(given.ids),
    'aurora.remember': async (argument?: ActionArgument) => {
      await remember(sidecar, argument);
      tree.refresh();
    },
    'aurora.rememberShared': async (argument?: ActionArgument) => {
      await remember(sidecar, argument, true);
      tree.refresh();
    },
    'aurora.capture': async () => {
      await captureDecisions(sidecar);
      tree.refresh();
    },
    'aurora.explainRanking': () => explainRanking(picker.last),
    'aurora.status': () => showStatus(sidecar, lender.summary),
    'aurora.chooseModel': () => chooseModel({ sidecar, keys, lender, log }),
    'aurora.rebuild': () => rebuild(sidecar),
    'aurora.trust': () => trustWorkspace(sidecar),
    'aurora.pause': () => sidecar.pause(),
    'aurora.resume': () => sidecar.restart(),
    'aurora.restart': () => sidecar.restart(),
    'aurora.openLog': () => log.show(),
    'aurora.report': () => report(context, sidecar),
    ...memoryCommands({ sidecar, jumper, tree }),
  };
}

function registerCommands(all: Record<string, (...given: never[]) => unknown>): vscode.Disposable[] {
  return Object.entries(all).map(([id, run]) =>
    vscode.commands.registerCommand(id, async (...given: never[]) => {
      try {
        await run(...given);
      } catch (error) {
        showError(error);
      }
    }),
  );
}

/** Settings reach the sidecar: some at once, the others by starting it again. */
function watchSettings(sidecar: Sidecar, keys: ModelKeys, names: readonly string[]): vscode.Disposable {
  const restarting = names.filter((key) => !isOwn(key) && !/^lsp\.(hover|codeActions|codeLens|review)\b/.test(key)).concat('server.path', 'server.args');
  let timer: NodeJS.Timeout | undefined;
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void sidecar.applySettings(), SETTINGS_MS);
  };
  const changedKey = keys.onDidChange(restart);
  const listener = vscode.workspace.onDidChangeConfiguration((event) => {
    if (restarting.some((key) => event.affectsConfiguration(`aurora.${key}`))) {
      restart();
    } else if (event.affectsConfiguration('aurora.lsp')) sidecar.sendLiveSettings();
  });
  const granted = vscode.workspace.onDidGrantWorkspaceTrust(() => void sidecar.applyTrust());
  return {
    dispose: () => {
      clearTimeout(timer);
      listener.dispose();
      changedKey.dispose();
      granted.dispose();
    },
  };
}
