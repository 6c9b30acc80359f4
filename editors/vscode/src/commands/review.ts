// AURORA: Review Changes.
import * as vscode from 'vscode';
import type { ReviewFinding, ReviewParams, ReviewResult, ReviewTest } from '../protocol';
import { t } from '../l10n';
import { uriOf } from '../memory/files';
import type { Sidecar } from '../sidecar';
import { sharedViews } from '../views';

const SEVERITIES: Record<string, vscode.DiagnosticSeverity> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  note: vscode.DiagnosticSeverity.Information,
};

/** A problem that a person can answer. */
class FoundProblem extends vscode.Diagnostic {
  /** Of the note that it is about; '' for none. */
  record = '';
  /** Of the finding; '' for what can't be dismissed. */
  finding = '';
}

/** Shows what a change leaves behind as problems. Those of the work tree are looked for again after each save, until there are none. */
export class Reviewer implements vscode.Disposable, vscode.CodeActionProvider {
  private problems: vscode.DiagnosticCollection | undefined;
  /** What the problems are of that a save can mend. */
  private mendable: ReviewParams | undefined;
  private readonly saves = vscode.workspace.onDidSaveTextDocument(() => void this.again());
  private readonly actions = vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, this, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] });

  constructor(private readonly sidecar: Sidecar) {}

  dispose(): void {
    this.problems?.dispose();
    this.actions.dispose();
    this.saves.dispose();
  }

  /** What a person says of a note that the changed code is about. */
  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const here = (this.problems?.get(document.uri) ?? []).filter((problem): problem is FoundProblem => problem instanceof FoundProblem && problem.range.intersection(range) !== undefined);
    return here.flatMap((problem) => [
      ...(problem.record
        ? [
            action(t('The note is still true'), problem, 'aurora.review.accept', document.uri, problem.record),
            action(t('Change the note'), problem, 'aurora.review.edit', problem.record),
          ]
        : []),
      ...(problem.finding ? [action(t('Not related: do not show this again'), problem, 'aurora.dismiss', { ids: [problem.finding] })] : []),
    ]);
  }

  /** A note is right as the code is now. */
  async accept(uri: vscode.Uri, record: string): Promise<void> {
    await this.sidecar.request('aurora/revise', { id: record, accept: true });
    this.drop(uri, (problem) => problem.record === record);
  }

  /** What findings hold against each other has nothing to do with it: they are never made again, unless that is taken back. */
  async dismiss(ids: string[]): Promise<void> {
    await this.sidecar.request('aurora/dismiss', { ids });
    const uris: vscode.Uri[] = [];
    this.problems?.forEach((uri) => uris.push(uri));
    for (const uri of uris) this.drop(uri, (problem) => ids.includes(problem.finding));
    void this.offerUndo(ids);
  }

  private async offerUndo(ids: string[]): Promise<void> {
    const choice = await vscode.window.showInformationMessage(t('AURORA: This is not shown again.'), t('Undo'));
    if (choice === t('Undo')) await this.sidecar.request('aurora/dismiss', { ids, undo: true });
  }

  async edit(record: string): Promise<void> {
    const { records } = await this.sidecar.request('aurora/records', { id: record });
    const [found] = records;
    if (found) await vscode.commands.executeCommand('vscode.open', found.file && found.hit.uri ? vscode.Uri.parse(found.hit.uri) : uriOf(found));
  }

  private drop(uri: vscode.Uri, which: (problem: FoundProblem) => boolean): void {
    const left = (this.problems?.get(uri) ?? []).filter((problem) => !(problem instanceof FoundProblem && which(problem)));
    this.problems?.set(uri, left);
  }

  /** Reviews the work tree of the folder that the editor in front is in, or what is staged, or a branch. */
  async review(what: Pick<ReviewParams, 'staged' | 'range'> = {}): Promise<void> {
    const front = vscode.window.activeTextEditor?.document.uri;
    const folder = ((front && vscode.workspace.getWorkspaceFolder(front)) ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
    if (!folder) {
      void vscode.window.showInformationMessage(t('AURORA: Open a folder first.'));
      return;
    }
    const params = { folder, ...what };
    const result = await this.sidecar.request('aurora/review', params);
    this.show(result, params);
    void this.tell(result, params);
  }

  /** Asks what to review that is not the work tree. */
  async choose(): Promise<void> {
    const staged = { label: t('What Is Staged') };
    const branch = { label: t('A Branch…') };
    const chosen = await vscode.window.showQuickPick([staged, branch], { title: t('AURORA: Review') });
    if (chosen === staged) await this.review({ staged: true });
    if (chosen !== branch) return;
    const base = await vscode.window.showInputBox({ title: t('AURORA: Review a Branch'), prompt: t('The branch, tag or commit that this one left'), value: 'main' });
    if (base?.trim()) await this.review({ range: `${base.trim()}..` });
  }

  private async again(): Promise<void> {
    const params = this.mendable;
    if (!params || this.sidecar.state.kind !== 'running') return;
    const result = await this.sidecar.request('aurora/review', params).catch(() => undefined);
    if (result && params === this.mendable) this.show(result, params); // not when another review came between
  }

  private async tell(result: ReviewResult, params: ReviewParams): Promise<void> {
    const count = result.findings.length;
    const said = result.files === 1 ? t('AURORA: {0} found in 1 changed file.', count) : t('AURORA: {0} found in {1} changed files.', count, result.files);
    const [problems, summarize, tests] = [t('Show Problems'), t('Summarize'), t('Type Test Commands')];
    const choices = [...(count > 0 ? [problems] : []), ...(count > 0 && result.model ? [summarize] : []), ...(result.tests.length > 0 ? [tests] : [])];
    const choice = await vscode.window.showInformationMessage([said, ...result.notes].join(' '), ...choices);
    if (choice === problems) await vscode.commands.executeCommand('workbench.actions.view.problems');
    if (choice === summarize) await this.summarize(params);
    if (choice === tests) typeTests(result.tests);
  }

  /** Shows what the model says of the findings, each sentence with its places. */
  private async summarize(params: ReviewParams): Promise<void> {
    const result = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: t('AURORA: summary'), cancellable: true }, (_, token) =>
      this.sidecar.request('aurora/review', { ...params, summary: true }, token),
    );
    this.show(result, params);
    if (!result.summary) {
      void vscode.window.showWarningMessage(`AURORA: ${result.notes.join(' ')}`);
      return;
    }
    await sharedViews().preview('Summary of the changes.md', summaryOf(result));
  }

  private show(result: ReviewResult, params: ReviewParams): void {
    this.mendable = result.findings.length > 0 && !params.staged && !params.range ? params : undefined;
    this.problems ??= vscode.languages.createDiagnosticCollection('aurora-review');
    this.problems.clear();
    const root = vscode.Uri.file(result.folder);
    for (const path of new Set(result.findings.map((finding) => finding.path))) {
      const found = result.findings.filter((finding) => finding.path === path);
      this.problems.set(
        vscode.Uri.joinPath(root, path),
        found.map((finding) => problemOf(finding, root)),
      );
    }
  }
}

function action(title: string, problem: vscode.Diagnostic, command: string, ...given: unknown[]): vscode.CodeAction {
  const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  made.diagnostics = [problem];
  made.command = { title, command, arguments: given };
  return made;
}

/** A line, one-based, as a whole; the first one for a file as a whole. */
const lineRange = (line = 1): vscode.Range => new vscode.Range(line - 1, 0, line - 1, Number.MAX_SAFE_INTEGER);

function problemOf(finding: ReviewFinding, root: vscode.Uri): vscode.Diagnostic {
  const problem = new FoundProblem(
    lineRange(finding.line),
    `${finding.message} ${finding.evidence}`,
    SEVERITIES[finding.severity] ?? vscode.DiagnosticSeverity.Information,
  );
  problem.source = 'AURORA';
  problem.code = finding.rule;
  problem.record = finding.record ?? '';
  problem.finding = finding.id ?? '';
  problem.relatedInformation = (finding.related ?? []).map(
    ({ path, line, message }) => new vscode.DiagnosticRelatedInformation(new vscode.Location(vscode.Uri.joinPath(root, path), lineRange(line)), message),
  );
  return problem;
}

function summaryOf(result: ReviewResult): string {
  const sentences = (result.summary?.sentences ?? []).map((sentence) => {
    const places = sentence.findings.map((at) => result.findings[at]).filter((finding) => finding !== undefined);
    return `- ${escaped(sentence.text)} (${[...new Set(places.map((finding) => escaped(finding.line ? `${finding.path}:${finding.line}` : finding.path)))].join(', ')})`;
  });
  const notes = result.notes.map((note) => `\n${escaped(note)}\n`);
  return ['# Summary of the changes', '', ...sentences, ...notes].join('\n') + '\n';
}

/** Text as Markdown shows it unchanged, except for code in backquotes. */
function escaped(text: string): string {
  const parts = text.split(/(`[^`]*`)/);
  return parts.map((part, i) => (i % 2 === 1 ? part : part.replace(/[\\*_[\]<>#|~]/g, '\\$&'))).join('');
}

/** Writes the commands into a terminal; the user runs them. */
function typeTests(tests: readonly ReviewTest[]): void {
  const terminal = vscode.window.createTerminal('AURORA: tests');
  terminal.show();
  terminal.sendText(tests.map((test) => test.command).join(' && '), false);
}
