import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { api, cursorOn, eventually, extension, indexed, open, until } from './helpers';

const text = (hovers: vscode.Hover[]): string => hovers.flatMap((hover) => hover.contents).map((part) => (typeof part === 'string' ? part : part.value)).join('\n');

describe('features, with the real sidecar', () => {
  before(indexed);
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('activates without waiting for the program', async () => {
    const { activationMs } = await api();
    // eslint-disable-next-line no-console -- a figure of the documentation
    console.log(`      activated in ${activationMs.toFixed(1)} ms`);
    assert.ok(activationMs < 5000, `${activationMs} ms`); // it waited for something; how fast it is, the line above tells
  });

  it('has every command that the manifest names', async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    const { contributes } = extension().packageJSON as { contributes: { commands: { command: string }[] } };
    assert.deepEqual(contributes.commands.map(({ command }) => command).filter((command) => !known.has(command)), []);
  });

  it('takes no key that VS Code has a use for', async () => {
    const { contributes } = extension().packageJSON as { contributes: { keybindings: { key: string }[] } };
    const ours = contributes.keybindings.map(({ key }) => key);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse('vscode://defaultsettings/keybindings.json'));
    const theirs = [...document.getText().matchAll(/"key": "([^"]+)",\s*"command": "([^"]+)"/g)].filter(([, , command]) => !command?.startsWith('aurora.'));
    assert.ok(theirs.length > 300, `${theirs.length} default keys`);
    assert.deepEqual(theirs.filter(([, key]) => ours.includes(key ?? '')).map(([, key, command]) => `${key} ${command}`), []);
  });

  it('hovers with a card', async () => {
    const editor = await open('internal/basket/basket.go');
    const at = cursorOn(editor, 'TotalCents() int64');
    let hovers: vscode.Hover[] = [];
    await eventually('a card', async () => {
      hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', editor.document.uri, at);
      return hovers.length > 0; // on a busy machine the sidecar leaves a hover unanswered: it has 20 ms
    });
    assert.match(text(hovers), /TotalCents is the sum of all items/);
    assert.equal(hovers.length, 1);
  });

  for (const { what, name, code, message, related } of [
    { what: 'a caller that is left behind', name: 'volumeDiscount(share float64, ', code: 'caller-not-updated', message: 'volumeDiscount takes 3 arguments now, and 1 call still passes another number', related: 'calls it with 2 arguments' },
    { what: 'a caller of a name that is gone', name: 'bulkDiscount(', code: 'removed-still-used', message: 'This change renames volumeDiscount to bulkDiscount', related: 'calls volumeDiscount' },
  ]) {
    it(`reviews the work tree: ${what}`, async () => {
      const editor = await open('internal/basket/basket.go');
      const { uri } = editor.document;
      const before = await vscode.workspace.fs.readFile(uri);
      const after = new TextDecoder().decode(before).replace(/^func volumeDiscount\(/m, `func ${name}`);
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(after));
      const left = (): vscode.Diagnostic[] => vscode.languages.getDiagnostics().flatMap(([, all]) => all).filter((problem) => problem.code === code);
      try {
        await eventually(what, async () => {
          await vscode.commands.executeCommand('aurora.review');
          return left().some((problem) => problem.message.includes(message));
        });
        const places = left().flatMap((problem) => problem.relatedInformation ?? []);
        assert.equal(left().length, 1);
        assert.ok(places.some((place) => place.message.includes(related) && place.location.uri.path === uri.path), JSON.stringify(places));
      } finally {
        await vscode.workspace.fs.writeFile(uri, before);
      }
      await eventually('nothing left', async () => {
        await vscode.commands.executeCommand('aurora.review');
        return left().length === 0;
      });
    });
  }

  it('says why lines are so, at the cursor and at a place that is given', async () => {
    const { document } = await open('internal/basket/basket.go');
    const previews = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label === 'Preview Why this line.md');
    const place = { textDocument: { uri: document.uri.toString() }, range: { start: { line: 25, character: 0 }, end: { line: 25, character: 0 } } };
    for (const argument of [undefined, place]) {
      await vscode.commands.executeCommand('aurora.why', argument);
      await eventually('a preview', () => Promise.resolve(previews().length === 1));
      await vscode.window.tabGroups.close(previews());
      await vscode.window.showTextDocument(document);
    }
  });

  it('takes what a person says of a note that a change touches', async () => {
    const editor = await open('internal/basket/basket.go');
    const { uri } = editor.document;
    const before = await vscode.workspace.fs.readFile(uri);
    const { sidecar } = await api();
    const { id } = await sidecar.request('aurora/remember', { content: 'A tenth, as the farmers agreed', sourceRef: 'internal/basket/basket.go:35' });
    const after = new TextDecoder().decode(before).replace('return cents / 10', 'return 7 * offset(cents, items) - surcharge(items, cents) % 13');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(after));
    const touched = (): vscode.Diagnostic[] => vscode.languages.getDiagnostics(uri).filter(({ code }) => code === 'touched-note');
    const offered = async (title: string): Promise<vscode.CodeAction | undefined> =>
      (await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, touched()[0]?.range ?? new vscode.Range(0, 0, 0, 0))).find((action) => action.title === title);
    try {
      await until('the changed text', [vscode.workspace.onDidChangeTextDocument], () => editor.document.getText() === after);
      await eventually('the note', async () => {
        await vscode.commands.executeCommand('aurora.review');
        return touched().length === 1;
      });
      await eventually('what can be said of it', async () => (await offered('Change the note')) !== undefined && (await offered('The note is still true')) !== undefined);
      const { command } = (await offered('The note is still true')) ?? {};
      assert.ok(command);
      await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
      assert.deepEqual(touched(), []);
      const { records } = await sidecar.request('aurora/records', { id });
      assert.equal(records[0]?.stale ?? '', '', 'the note is cited as the code is now');
    } finally {
      await vscode.workspace.fs.writeFile(uri, before);
      await sidecar.request('aurora/forget', { ids: [id] });
    }
  });

  it('hints after a save at the notes that a change touches, until they are called unrelated', async () => {
    const editor = await open('cmd/orchard/main.go');
    const { uri } = editor.document;
    const before = await vscode.workspace.fs.readFile(uri);
    const { sidecar } = await api();
    const { id } = await sidecar.request('aurora/remember', { content: 'Items are added once, as the millers agreed', sourceRef: 'cmd/orchard/main.go:20' });
    const config = vscode.workspace.getConfiguration('aurora');
    const hints = (): vscode.Diagnostic[] => vscode.languages.getDiagnostics(uri).filter(({ message, severity }) => message.includes('millers') && severity === vscode.DiagnosticSeverity.Hint);
    const fix = async (title: string): Promise<vscode.CodeAction | undefined> =>
      (await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, hints()[0]?.range ?? new vscode.Range(0, 0, 0, 0), undefined, 20)).find((action) => action.title === title);
    try {
      await config.update('lsp.review', 'save', vscode.ConfigurationTarget.Global);
      const at = cursorOn(editor, 'b.AddItem(arg, p)');
      await editor.edit((change) => change.insert(at, '/* now */ '));
      assert.ok(await editor.document.save());
      await until('a hint', [vscode.languages.onDidChangeDiagnostics], () => hints().length === 1);
      assert.ok(await fix('The note is still true'));
      assert.ok(await fix('Change the note'));
      const { command } = (await fix('Not related: do not show this again')) ?? {};
      assert.ok(command);
      await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
      await until('no hint', [vscode.languages.onDidChangeDiagnostics], () => hints().length === 0);
    } finally {
      await config.update('lsp.review', undefined, vscode.ConfigurationTarget.Global);
      await vscode.workspace.fs.writeFile(uri, before);
      await sidecar.request('aurora/forget', { ids: [id] });
    }
  });

  it('turns hovers off and on while it runs', async () => {
    const editor = await open('internal/basket/basket.go');
    const at = cursorOn(editor, 'TotalCents() int64');
    const hover = (): Thenable<vscode.Hover[]> => vscode.commands.executeCommand('vscode.executeHoverProvider', editor.document.uri, at);
    const config = vscode.workspace.getConfiguration('aurora');
    const { pid } = (await api()).sidecar;
    await config.update('lsp.hover.enabled', false, vscode.ConfigurationTarget.Global);
    await eventually('no hover', async () => (await hover()).length === 0);
    await config.update('lsp.hover.enabled', undefined, vscode.ConfigurationTarget.Global);
    await eventually('a hover', async () => (await hover()).length === 1);
    assert.equal((await api()).sidecar.pid, pid, 'the sidecar was started again');
  });

  it('offers actions of its own kinds, none of them preferred', async () => {
    const editor = await open('internal/basket/basket.go');
    const at = cursorOn(editor, 'TotalCents() int64');
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', editor.document.uri, new vscode.Range(at, at), undefined, 10);
    const ours = actions.filter((action) => action.kind?.value.startsWith('source.aurora.'));
    assert.equal(ours.length, 5);
    assert.deepEqual(ours.filter((action) => action.isPreferred), []);
    assert.deepEqual([...new Set(ours.map((action) => action.command?.command))].sort(), ['aurora.openContext', 'aurora.query', 'aurora.related', 'aurora.remember', 'aurora.why']);
  });

  it('shows the context of a code action in a view of its own', async () => {
    const editor = await open('internal/basket/basket.go');
    const at = cursorOn(editor, 'TotalCents() int64');
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', editor.document.uri, new vscode.Range(at, at), undefined, 10);
    const command = actions.find((action) => action.command?.command === 'aurora.openContext')?.command;
    assert.ok(command);
    const shown = until('the context', [vscode.window.onDidChangeActiveTextEditor], () => {
      const document = vscode.window.activeTextEditor?.document;
      return document?.uri.scheme === 'aurora-view' && document;
    });
    void vscode.commands.executeCommand(command.command, ...(command.arguments as unknown[])); // it waits for "Copy"
    const document = await shown;
    assert.match(document.getText(), /TotalCents/);
    assert.equal(document.languageId, 'markdown');
  });

  it('finds symbols by name', async () => {
    const symbols = await vscode.commands.executeCommand<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', 'TotalCents');
    assert.ok(symbols.some((symbol) => symbol.name === 'TotalCents' && symbol.location.uri.path.endsWith('/basket.go')), JSON.stringify(symbols));
  });

  it('knows what is typed before it is saved', async () => {
    const editor = await open('internal/price/price.go');
    await editor.edit((edit) => edit.insert(new vscode.Position(editor.document.lineCount, 0), '\n// quincePrice is new.\nfunc quincePrice() int { return 7 }\n'));
    const { sidecar } = await api();
    await eventually('the typed function', async () => (await sidecar.request('aurora/search', { query: 'quincePrice' })).hits[0]?.source === 'overlay');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('remembers in a file of the project', async () => {
    await open('internal/basket/basket.go');
    const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/'), '.aurora/notes');
    try {
      await vscode.commands.executeCommand('aurora.rememberShared', { content: 'Figs are sold by weight' });
      const text = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'figs-are-sold-by-weight.md'));
      assert.equal(new TextDecoder().decode(text), 'Figs are sold by weight\n');
    } finally {
      await vscode.workspace.fs.delete(folder, { recursive: true });
    }
  });

  it('offers what commits state, here nothing', async () => {
    const { sidecar } = await api();
    const { commits, offers } = await sidecar.request('aurora/decisions', { everyone: true });
    assert.deepEqual({ commits, offers }, { commits: 1, offers: [] });
    assert.ok((await vscode.commands.getCommands(true)).includes('aurora.capture'));
  });

  it('remembers, recalls and forgets', async () => {
    await open('internal/basket/basket.go');
    await vscode.commands.executeCommand('aurora.remember', { content: 'Decision: medlars are sold by the crate' });
    const { sidecar } = await api();
    const search = { query: 'medlars crate', scope: { types: ['knowledge'] } };
    const { hits } = await sidecar.request('aurora/search', search);
    assert.match(hits[0]?.snippet ?? '', /medlars are sold/);
    assert.equal((await sidecar.request('aurora/forget', { ids: [hits[0]?.id ?? ''] })).deleted, 1);
    const left = (await sidecar.request('aurora/search', search)).hits.filter(({ source }) => source === 'memory');
    assert.deepEqual(left, []); // documents may answer, too
  });

  it('answers in a view, which may be closed at once', async () => {
    const tabs = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => tab.input instanceof vscode.TabInputWebview);
    await vscode.commands.executeCommand('aurora.query', { query: 'where is TotalCents defined?' });
    await until('the answer', [vscode.window.tabGroups.onDidChangeTabs], () => tabs().length === 1);
    assert.match(tabs()[0]?.label ?? '', /where is TotalCents/);
    const asking = vscode.commands.executeCommand('aurora.query', { query: 'who calls TotalCents?' });
    assert.equal(tabs().length, 1, 'a view of its own for the second question');
    await vscode.window.tabGroups.close(tabs());
    await asking;
    assert.equal(tabs().length, 0);
  });

  it('writes a report without the folders', async () => {
    await vscode.commands.executeCommand('aurora.report');
    const written = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(written, /Extension 0\./);
    assert.match(written, /Files: \d+ of \d+ indexed/);
    assert.doesNotMatch(written, new RegExp(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? 'nothing'));
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('has nothing to say about an untitled document, and does not fail', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'go', content: 'package x\n' });
    await vscode.window.showTextDocument(document);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, new vscode.Position(0, 9));
    assert.deepEqual(hovers, []);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('has nothing to say about a document of another file system, and is not told of it', async () => {
    const provider = vscode.workspace.registerTextDocumentContentProvider('elsewhere', { provideTextDocumentContent: () => 'package x\n\nfunc mulberryFarAway() {}\n' });
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse('elsewhere://host/far/away.go'));
    await vscode.window.showTextDocument(document);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, new vscode.Position(2, 8));
    assert.deepEqual(hovers, []);
    const { sidecar } = await api();
    const { hits } = await sidecar.request('aurora/search', { query: 'mulberryFarAway' });
    assert.deepEqual(hits.filter(({ name }) => name === 'mulberryFarAway'), []);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    provider.dispose();
  });
});
