// Which languages another extension serves, so that hovers and symbols don't say twice where something is defined.
import * as vscode from 'vscode';

/** The usual extensions by the languages that they serve. */
const servers: Readonly<Record<string, readonly string[]>> = {
  'golang.go': ['go'],
  'ms-python.vscode-pylance': ['python'],
  'detachhead.basedpyright': ['python'],
  'vscode.typescript-language-features': ['typescript', 'typescriptreact', 'javascript', 'javascriptreact'],
  'rust-lang.rust-analyzer': ['rust'],
  'redhat.java': ['java'],
  'llvm-vs-code-extensions.vscode-clangd': ['c', 'cpp'],
  'ms-vscode.cpptools': ['c', 'cpp'],
  'ms-dotnettools.csharp': ['csharp'],
  'shopify.ruby-lsp': ['ruby'],
  'bmewburn.vscode-intelephense-client': ['php'],
};

/** The languages that an enabled extension serves. */
export function servedElsewhere(): string[] {
  const ids = Object.keys(servers).filter((id) => vscode.extensions.getExtension(id) !== undefined);
  return [...new Set(ids.flatMap((id) => servers[id] ?? []))].sort();
}
