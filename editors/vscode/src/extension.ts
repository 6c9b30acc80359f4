// Activation: registers what the manifest names, and starts the sidecar beside it.
import * as vscode from 'vscode';
import { AnswerPanels } from './answer/panel';
import { trustWorkspace } from './commands/agents';
import { ask } from './commands/ask';
import { showContext } from './commands/context';
import { explainRanking } from './commands/explain';
import type { ActionArgument } from './commands/place';
import { rebuild } from './commands/rebuild';
import { showRelated } from './commands/related';
import { remember } from './commands/remember';
import { report } from './commands/report';
import { showStatus } from './commands/showStatus';
import { Jumper } from './jump';
import { memoryCommands } from './memory/commands';
import { RememberedStore } from './memory/remembered';
import { MemoryTree } from './memory/tree';
import { showError, watchFailures } from './notify';
import { SearchPicker } from './search/picker';
import { RecentQueries } from './search/recent';
import { declaredKeys, isOwn } from './settings';
import { Sidecar } from './sidecar';
import { StatusBar } from './statusBar';
import { SCHEME, sharedViews } from './views';

/** Settings that come within this time restart the sidecar once. */
const SETTINGS_MS = 300;

interface Parts {
  context: vscode.ExtensionContext;
  log: vscode.LogOutputChannel;
  sidecar: Sidecar;
  jumper: Jumper;
  panels: AnswerPanels;
  picker: SearchPicker;
  tree: MemoryTree;
  remembered: RememberedStore;
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
  const parts = assemble(context);
  const statusBar = new StatusBar(parts.sidecar);
  context.subscriptions.push(
    parts.log,
    parts.sidecar,
    parts.jumper,
    parts.panels,
    parts.tree,
    statusBar,
    sharedViews(),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, sharedViews()),
    vscode.window.registerTreeDataProvider('aurora.memory', parts.tree),
    parts.panels.onDidChangeAsking((asking) => statusBar.setAsking(asking)),
    parts.sidecar.onDidChangeState(() => parts.tree.refresh()),
    vscode.window.onDidChangeActiveTextEditor(() => parts.tree.refresh()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void parts.sidecar.start()),
    watchFailures(parts.sidecar),
    ...registerCommands(commands(parts)),
    watchSettings(parts.sidecar, declaredKeys(context.extension.packageJSON)),
  );
  void vscode.commands.executeCommand('setContext', 'aurora.state', 'off');
  running = parts.sidecar;
  void parts.sidecar.start().catch((error: unknown) => parts.log.error(String(error)));
  const activationMs = performance.now() - began;
  parts.log.info(`activated in ${activationMs.toFixed(1)} ms`);
  return { activationMs, sidecar: parts.sidecar };
}

export function deactivate(): Promise<void> | undefined {
  return running?.shutdown();
}

function assemble(context: vscode.ExtensionContext): Parts {
  const log = vscode.window.createOutputChannel('AURORA', { log: true });
  const sidecar = new Sidecar(context, log);
  const jumper = new Jumper(sidecar);
  const remembered = new RememberedStore(context.workspaceState);
  return {
    context,
    log,
    sidecar,
    jumper,
    remembered,
    panels: new AnswerPanels(context.extensionUri, sidecar, jumper),
    picker: new SearchPicker(sidecar, jumper, new RecentQueries(context.workspaceState)),
    tree: new MemoryTree(sidecar, remembered),
  };
}

/** The commands by id; those that the server's code actions name take their arguments. */
function commands(parts: Parts): Record<string, (...given: never[]) => unknown> {
  const { context, log, sidecar, jumper, panels, picker, tree, remembered } = parts;
  return {
    'aurora.query': (argument?: ActionArgument) => ask(panels, argument),
    'aurora.search': (argument?: ActionArgument) => picker.open(argument?.query),
    'aurora.openContext': (argument?: ActionArgument) => showContext(sidecar, jumper, argument),
    'aurora.related': (argument?: ActionArgument) => showRelated(sidecar, jumper, argument),
    'aurora.remember': async (argument?: ActionArgument) => {
      await remember(sidecar, remembered, argument);
      tree.refresh();
    },
    'aurora.explainRanking': () => explainRanking(picker.last),
    'aurora.status': () => showStatus(sidecar),
    'aurora.rebuild': () => rebuild(sidecar),
    'aurora.trust': () => trustWorkspace(sidecar),
    'aurora.pause': () => sidecar.pause(),
    'aurora.resume': () => sidecar.restart(),
    'aurora.restart': () => sidecar.restart(),
    'aurora.openLog': () => log.show(),
    'aurora.report': () => report(context, sidecar),
    ...memoryCommands({ sidecar, jumper, tree, remembered }),
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

/** Settings reach the sidecar: some at once, the others by starting it anew. */
function watchSettings(sidecar: Sidecar, keys: readonly string[]): vscode.Disposable {
  const restarting = keys.filter((key) => !isOwn(key) && !/^lsp\.(hover|codeActions)\./.test(key)).concat('server.path', 'server.args');
  let timer: NodeJS.Timeout | undefined;
  const listener = vscode.workspace.onDidChangeConfiguration((event) => {
    if (restarting.some((key) => event.affectsConfiguration(`aurora.${key}`))) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (sidecar.state.kind !== 'paused') void sidecar.restart();
      }, SETTINGS_MS);
    } else if (event.affectsConfiguration('aurora.lsp')) sidecar.sendLiveSettings();
  });
  return {
    dispose: () => {
      clearTimeout(timer);
      listener.dispose();
    },
  };
}
