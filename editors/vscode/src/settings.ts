// The settings of the editor, and how those of the sidecar reach it.
import type { WorkspaceConfiguration } from 'vscode';

/** The settings that are the extension's own; all others under "aurora" are the sidecar's. */
const OWN = ['server.', 'trace.', 'searchPicker.', 'context.', 'languageModel.', 'capture.'];

/** What the sidecar takes while it runs. */
const LIVE = ['lsp.hover.enabled', 'lsp.codeActions.enabled', 'lsp.codeLens.enabled', 'lsp.review'];

export function isOwn(key: string): boolean {
  return OWN.some((prefix) => key.startsWith(prefix));
}

/** The keys under "aurora" that a manifest declares, without "aurora.". */
export function declaredKeys(manifest: unknown): string[] {
  const { contributes } = manifest as { contributes: { configuration: { properties: Record<string, unknown> }[] } };
  return contributes.configuration.flatMap((section) => Object.keys(section.properties)).map((key) => key.slice('aurora.'.length));
}

/** AURORA_INDEX_MAX_FILE_SIZE_MB for index.maxFileSizeMb. */
export function environmentName(key: string): string {
  return 'AURORA_' + key.replace(/[A-Z]/g, (letter) => '_' + letter).replaceAll('.', '_').toUpperCase();
}

/** A value as a variable of the environment holds it: a string as it is, all else as JSON. */
function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * The settings of the sidecar that somebody has changed, as its environment: the sidecar's process is shared by the
 * editors that want the same, so they must be known before it starts.
 */
export function sidecarEnvironment(config: Pick<WorkspaceConfiguration, 'inspect'>, keys: readonly string[]): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const key of keys) {
    if (isOwn(key) || LIVE.includes(key)) continue;
    const value = changed(config, key);
    if (value !== undefined && value !== null) environment[environmentName(key)] = written(value);
  }
  return environment;
}

/** What somebody has set, undefined for nothing. */
function changed(config: Pick<WorkspaceConfiguration, 'inspect'>, key: string): unknown {
  const found = config.inspect<unknown>(key);
  return found?.workspaceValue ?? found?.globalValue;
}

/**
 * What goes along with initialize and with didChangeConfiguration. null leaves it to the sidecar's own settings files,
 * and takes back what was said before.
 */
export function liveSettings(config: Pick<WorkspaceConfiguration, 'inspect'>): Record<string, unknown> {
  return Object.fromEntries(LIVE.map((key) => [key, changed(config, key) ?? null]));
}
