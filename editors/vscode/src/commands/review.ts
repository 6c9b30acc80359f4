// AURORA: Review Changes.
import * as vscode from 'vscode';
import type { ReviewFinding, ReviewResult, ReviewTest } from '../protocol';
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

/** Shows what the work tree leaves behind as problems, until the next review. */
export class Reviewer implements vscode.Disposable, vscode.CodeActionProvider {
  private problems: vscode.DiagnosticCollection | undefined;
  private readonly actions = vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, this, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] });

  constructor(private readonly sidecar: Sidecar) {}

  dispose(): void {
    this.problems?.dispose();
    this.actions.dispose();
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

  async review(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    if (!folder) {
      void vscode.window.showInformationMessage('AURORA: Open a folder first.');
      return;
    }
    const result = await this.sidecar.request('aurora/review', { folder });
    this.show(result);
    void this.tell(result, folder);
  }

  private async tell(result: ReviewResult, folder: string): Promise<void> {
    const files = result.files === 1 ? '1 changed file' : `${result.files} changed files`;
    const message = `AURORA: ${result.findings.length} found in ${files}. ${result.notes.join(' ')}`.trim();
    const found = result.findings.length > 0;
    const choices = [...(found ? ['Show Problems'] : []), ...(found && result.model ? ['Summarize'] : []), ...(result.tests.length > 0 ? ['Type Test Commands'] : [])];
    const choice = await vscode.window.showInformationMessage(message, ...choices);
    if (choice === 'Show Problems') await vscode.commands.executeCommand('workbench.actions.view.problems');
    if (choice === 'Summarize') await this.summarize(folder);
    if (choice === 'Type Test Commands') typeTests(result.tests);
  }

  /** Shows what the model says of the findings, each sentence with its places. */
  private async summarize(folder: string): Promise<void> {
    const result = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: 'AURORA: summary', cancellable: true }, (_, token) =>
      this.sidecar.request('aurora/review', { folder, summary: true }, token),
    );
    this.show(result);
    if (!result.summary) {
      void vscode.window.showWarningMessage(`AURORA: ${result.notes.join(' ')}`);
      return;
    }
    await sharedViews().preview('Summary of the changes.md', summaryOf(result));
  }

  private show(result: ReviewResult): void {
    this.problems ??= vscode.languages.createDiagnosticCollection('aurora-review');
    this.problems.clear();
    for (const path of new Set(result.findings.map((finding) => finding.path))) {
      const uri = vscode.Uri.joinPath(vscode.Uri.file(result.folder), path);
      this.problems.set(uri, result.findings.filter((finding) => finding.path === path).map(problemOf));
    }
  }
}

function action(title: string, problem: vscode.Diagnostic, command: string, ...given: unknown[]): vscode.CodeAction {
  const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  made.diagnostics = [problem];
  made.command = { title, command, arguments: given };
  return made;
}

function problemOf(finding: ReviewFinding): vscode.Diagnostic {
  const line = Math.max((finding.line ?? 1) - 1, 0);
  const problem = new FoundProblem(
    new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER),
    `${finding.message} ${finding.evidence}`,
    SEVERITIES[finding.severity] ?? vscode.DiagnosticSeverity.Information,
  );
  problem.source = 'AURORA';
  problem.code = finding.rule;
  problem.record = finding.record ?? '';
  problem.finding = finding.id ?? '';
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
