// The MCP server of each folder, for the agents of the editor: they get this workspace without any set-up.
import * as vscode from 'vscode';
import type { Sidecar } from './sidecar';

/** What VS Code has from version 1.101 on. */
interface McpServer {
  label: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  version: string;
  cwd?: vscode.Uri;
}

interface McpApi {
  registerMcpServerDefinitionProvider?(
    id: string,
    provider: {
      onDidChangeMcpServerDefinitions: vscode.Event<void>;
      provideMcpServerDefinitions(): McpServer[];
      resolveMcpServerDefinition(server: McpServer): Promise<McpServer>;
    },
  ): vscode.Disposable;
}

type McpServerClass = new (label: string, command: string, args: string[], env: Record<string, string>, version: string) => McpServer;

/** Those that agents get by default, and what else an assistant is asked for in an editor. */
const TOOLS = 'default,recall,why,review';

/** Offers the MCP server of each folder; none before the workspace is trusted, or without the program. */
export function offerMcpServers(sidecar: Pick<Sidecar, 'onDidChangeState' | 'program' | 'withoutKey'>, version: string): vscode.Disposable {
  const api = vscode.lm as unknown as McpApi;
  const Definition = (vscode as unknown as { McpStdioServerDefinition?: McpServerClass }).McpStdioServerDefinition;
  if (!api.registerMcpServerDefinitionProvider || !Definition) return new vscode.Disposable(() => undefined);

  const servers = (): McpServer[] => {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    if (!vscode.workspace.isTrusted || folders.length === 0) return [];
    try {
      const { path, environment } = sidecar.withoutKey();
      return folders.map(({ name, uri }) => {
        const label = folders.length > 1 ? `AURORA: ${name}` : 'AURORA';
        return Object.assign(new Definition(label, path, ['mcp', '--project', uri.fsPath, '--tools', TOOLS], environment, version), { cwd: uri });
      });
    } catch {
      return []; // the sidecar, which has no program either, says so
    }
  };

  /** Before it starts, for VS Code keeps what it is offered. */
  const resolve = async (server: McpServer): Promise<McpServer> => Object.assign(server, { env: (await sidecar.program()).environment });

  const changed = new vscode.EventEmitter<void>();
  const listeners = [
    changed,
    sidecar.onDidChangeState(({ kind }) => kind !== 'starting' && changed.fire()), // with other settings, or in another folder
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
  ];
  try {
    listeners.push(api.registerMcpServerDefinitionProvider('aurora', { onDidChangeMcpServerDefinitions: changed.event, provideMcpServerDefinitions: servers, resolveMcpServerDefinition: resolve }));
  } catch {
    // VS Code 1.100 has the function as a proposal, for which the manifest would have another name
  }
  return vscode.Disposable.from(...listeners);
}
