// AURORA: Review Changes.
import * as vscode from 'vscode';
import type { ReviewFinding, ReviewResult, ReviewTest } from '../protocol';
import type { Sidecar } from '../sidecar';

const SEVERITIES: Record<string, vscode.DiagnosticSeverity> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  note: vscode.DiagnosticSeverity.Information,
};

/** Shows what the work tree leaves behind as problems, until the next review. */
export class Reviewer implements vscode.Disposable {
  private problems: vscode.DiagnosticCollection | undefined;

  constructor(private readonly sidecar: Sidecar) {}

  dispose(): void {
    this.problems?.dispose();
  }

  async review(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    if (!folder) {
      void vscode.window.showInformationMessage('AURORA: Open a folder first.');
      return;
    }
    const result = await this.sidecar.request('aurora/review', { folder });
    this.show(result);
    void tell(result);
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

function problemOf(finding: ReviewFinding): vscode.Diagnostic {
  const line = Math.max((finding.line ?? 1) - 1, 0);
  const problem = new vscode.Diagnostic(
    new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER),
    `${finding.message} ${finding.evidence}`,
    SEVERITIES[finding.severity] ?? vscode.DiagnosticSeverity.Information,
  );
  problem.source = 'AURORA';
  problem.code = finding.rule;
  return problem;
}

async function tell(result: ReviewResult): Promise<void> {
  const files = result.files === 1 ? '1 changed file' : `${result.files} changed files`;
  const message = `AURORA: ${result.findings.length} found in ${files}. ${result.notes.join(' ')}`.trim();
  const choices = [...(result.findings.length > 0 ? ['Show Problems'] : []), ...(result.tests.length > 0 ? ['Type Test Commands'] : [])];
  const choice = await vscode.window.showInformationMessage(message, ...choices);
  if (choice === 'Show Problems') await vscode.commands.executeCommand('workbench.actions.view.problems');
  if (choice === 'Type Test Commands') typeTests(result.tests);
}

/** Writes the commands into a terminal; the user runs them. */
function typeTests(tests: readonly ReviewTest[]): void {
  const terminal = vscode.window.createTerminal('AURORA: tests');
  terminal.show();
  terminal.sendText(tests.map((test) => test.command).join(' && '), false);
}
