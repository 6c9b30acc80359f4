import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { api, eventually, indexed, scripted, state, until, withSetting } from './helpers';

const REAL = process.env['AURORA_TEST_SERVER'];

describe('trouble', () => {
  before(indexed);
  after(async () => {
    await vscode.workspace.getConfiguration('aurora').update('server.path', REAL, vscode.ConfigurationTarget.Global);
  });

  it('starts again after the program was killed', async () => {
    const { sidecar } = await api();
    const { pid } = sidecar;
    assert.ok(pid);
    const waiting = state('waiting');
    process.kill(pid, 'SIGKILL');
    const { problem, delayMs } = await waiting;
    assert.match(problem.message, /ended unexpectedly \(signal SIGKILL/);
    assert.equal(delayMs, 1000);
    assert.equal(await indexed(), 12);
    assert.notEqual(sidecar.pid, pid);
  });

  it('answers a question that is asked while it starts again', async () => {
    const { sidecar } = await api();
    await vscode.commands.executeCommand('aurora.restart');
    process.kill(sidecar.pid ?? 0, 'SIGKILL');
    await state('waiting');
    const { hits } = await sidecar.request('aurora/search', { query: 'TotalCents' });
    assert.ok(hits.length > 0);
  });

  it('answers a question that is asked while it is restarted', async () => {
    const { sidecar } = await api();
    const restarted = vscode.commands.executeCommand('aurora.restart');
    await until('the stop', [sidecar.onDidChangeState], () => sidecar.state.kind === 'off');
    const asked = sidecar.request('aurora/status', {});
    await restarted;
    assert.equal((await asked).folders.length, 1);
    await vscode.commands.executeCommand('aurora.pause');
    await assert.rejects(sidecar.request('aurora/status', {}), /paused/);
    await vscode.commands.executeCommand('aurora.resume');
    assert.equal(await indexed(), 12);
  });

  it('fails a question whose program is killed in the middle', async () => {
    await withSetting('server.path', scripted('hostile'));
    const { sidecar } = await api();
    const asked = sidecar.request('aurora/query', { query: 'wait for the kill' });
    const failed = assert.rejects(asked);
    await until('the question', [sidecar.onProgress], () => true);
    process.kill(sidecar.pid ?? 0, 'SIGKILL');
    await failed;
    await state('waiting');
    await state('running'); // else its new start may be taken for that of the next setting
  });

  const refused: [name: string, program: () => string, message: RegExp, remedy: RegExp][] = [
    ['is missing', () => '/no/such/aurora', /There is no \/no\/such\/aurora/, /setting/],
    ['is not executable', () => scripted('plain'), /is not executable/, /chmod/],
    ['is no program', () => scripted('garbage'), /could not be started|ended when it started/, /./],
    ['crashes at the start', () => scripted('crash'), /exit status 3: scripted: the index is from another world/, /log/],
    ['is another language server', () => scripted('stranger'), /Scripted 1 is not AURORA/, /setting/],
    ['speaks a later protocol', () => scripted('newer'), /speaks version 2 of the protocol, this extension version 1/, /Update the extension/],
  ];
  for (const [name, program, message, remedy] of refused) {
    it(`says what to do when the program ${name}`, async () => {
      const ended = await withSetting('server.path', program());
      assert.equal(ended.kind, 'failed');
      if (ended.kind !== 'failed') return;
      assert.match(ended.problem.message, message);
      assert.match(ended.problem.remedy, remedy);
    });
  }

  it('gives up on a program that says nothing', async () => {
    const config = vscode.workspace.getConfiguration('aurora');
    await config.update('server.startTimeoutSeconds', 1, vscode.ConfigurationTarget.Global);
    const ended = await withSetting('server.path', scripted('hang'));
    await config.update('server.startTimeoutSeconds', undefined, vscode.ConfigurationTarget.Global);
    assert.equal(ended.kind === 'failed' && ended.problem.message, 'The program did not answer within 1 s.');
  });

  it('fails a command with the same words, and starts when the setting is right', async () => {
    const { sidecar } = await api();
    await assert.rejects(sidecar.request('aurora/status', {}), /did not answer/);
    assert.equal((await withSetting('server.path', REAL)).kind, 'running');
    assert.equal(await indexed(), 12);
  });

  it('passes changed settings on, by starting the program again', async () => {
    const config = vscode.workspace.getConfiguration('aurora');
    assert.equal((await withSetting('index.ignorePatterns', ['web/**'])).kind, 'running');
    assert.equal(await indexed(), 10);
    assert.equal((await withSetting('index.ignorePatterns', undefined)).kind, 'running');
    assert.equal(await indexed(), 12);
    assert.deepEqual(config.get('index.ignorePatterns'), []);
  });

  it('takes no program, no file and no address from the settings of a folder', async () => {
    const folder = path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', '.vscode');
    const limit = (): number | undefined => vscode.workspace.getConfiguration('aurora').get('search.limit');
    fs.mkdirSync(folder);
    const theirs = { 'aurora.server.path': scripted('crash'), 'aurora.server.args': ['--listen', '127.0.0.1:1'], 'aurora.embeddings.baseUrl': 'http://192.0.2.1', 'aurora.llm.baseUrl': 'http://192.0.2.1', 'aurora.search.limit': 7 };
    fs.writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(theirs));
    await until('their settings', [vscode.workspace.onDidChangeConfiguration], () => limit() === 7);
    const config = vscode.workspace.getConfiguration('aurora');
    assert.deepEqual([config.get('server.path'), config.get('server.args'), config.get('llm.baseUrl')], [REAL, [], '']);
    assert.equal(config.get('embeddings.baseUrl'), '');
    fs.rmSync(folder, { recursive: true });
    await until('the end of their settings', [vscode.workspace.onDidChangeConfiguration], () => limit() === 10);
    await vscode.commands.executeCommand('aurora.restart');
    assert.equal(await indexed(), 12);
  });

  it('pauses and resumes', async () => {
    const { sidecar } = await api();
    await vscode.commands.executeCommand('aurora.pause');
    assert.equal(sidecar.state.kind, 'paused');
    await assert.rejects(sidecar.request('aurora/status', {}), /paused/);
    await vscode.commands.executeCommand('aurora.resume');
    assert.equal(await indexed(), 12);
  });

  it('follows changes on disk', async () => {
    const { sidecar } = await api();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const file = path.join(folder, 'added.py');
    fs.writeFileSync(file, 'def medlar():\n    return 1\n');
    const files = async (): Promise<number> => (await sidecar.request('aurora/status', {})).files.indexed;
    await eventually('the new file', async () => (await files()) === 13);
    fs.rmSync(file);
    await eventually('its end', async () => (await files()) === 12);
  });
});
