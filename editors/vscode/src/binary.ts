// Finds the program that the extension runs.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { t } from './l10n';

/** A problem that a person can solve. */
export interface Problem {
  message: string;
  remedy: string;
}

export interface Places {
  /** The setting; empty when it is not set. */
  setting: string;
  /** The extension's own folder for the program, which need not exist. */
  bundled: string;
  /** PATH of the environment. */
  searchPath: string;
  home: string;
  windows: boolean;
}

export type Found = { path: string; problem?: undefined } | { problem: Problem; path?: undefined };

const install = (): string => t('Install it (go install github.com/aurora-sidecar/aurora/cmd/aurora@latest), or name it in the setting aurora.server.path.');

type Kind = 'program' | 'folder' | 'not executable' | 'missing';

function kindOf(file: string, windows: boolean): Kind {
  try {
    if (fs.statSync(file).isDirectory()) return 'folder';
    if (!windows) fs.accessSync(file, fs.constants.X_OK);
    return 'program';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'not executable' : 'missing';
  }
}

function expandHome(file: string, home: string): string {
  return file === '~' || file.startsWith('~/') ? path.join(home, file.slice(1)) : file;
}

function fromSetting(places: Places): Found {
  const file = expandHome(places.setting, places.home);
  if (!path.isAbsolute(file)) {
    return {
      problem: {
        message: `The setting aurora.server.path is "${places.setting}", which is no absolute path.`,
        remedy: t('Write the whole path; ~/ stands for your home folder.'),
      },
    };
  }
  const kind = kindOf(file, places.windows);
  if (kind === 'program') return { path: file };
  const what = {
    folder: t('{0} is a folder, not a program.', file),
    'not executable': t('{0} is not executable.', file),
    missing: t('There is no {0}.', file),
  }[kind];
  const remedy = kind === 'not executable' ? `Run: chmod +x '${file}'` : t('Correct the setting aurora.server.path, or empty it to use aurora from PATH.');
  return { problem: { message: what, remedy } };
}

/** The program to run: the setting's, else the bundled one, else the first on PATH. */
export function findBinary(places: Places): Found {
  if (places.setting.trim() !== '') return fromSetting(places);
  const name = places.windows ? 'aurora.exe' : 'aurora';
  const folders = [places.bundled, ...places.searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder))];
  let unusable = '';
  for (const folder of folders) {
    const file = path.join(folder, name);
    const kind = kindOf(file, places.windows);
    if (kind === 'program') return { path: file };
    if (kind === 'not executable') unusable ||= file;
  }
  if (unusable !== '') {
    return { problem: { message: t('{0} is not executable.', unusable), remedy: `Run: chmod +x '${unusable}'` } };
  }
  return { problem: { message: t('The program aurora is not installed: it is not on PATH.'), remedy: install() } };
}
