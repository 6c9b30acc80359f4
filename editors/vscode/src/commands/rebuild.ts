// AURORA: Rebuild Index.
import * as vscode from 'vscode';
import { t } from '../l10n';
import type { Job } from '../protocol';
import type { Sidecar } from '../sidecar';
import { count } from '../status';

const POLL_MS = 250;

/** Asks first, and then shows how far the job is until it has ended. */
export async function rebuild(sidecar: Sidecar): Promise<void> {
  const estimate = await sidecar.request('aurora/rebuild', { options: { validateOnly: true } });
  const rebuildIt = t('Rebuild');
  const chosen = await vscode.window.showWarningMessage(
    t('Delete the index and make it again?'),
    {
      modal: true,
      detail: `${count(estimate.estimatedFiles, 'file')}, about ${count(estimate.estimatedSeconds, 'second')}. Search goes on meanwhile; memory is not touched.`,
    },
    rebuildIt,
  );
  if (chosen !== rebuildIt) return;
  const { jobId } = await sidecar.request('aurora/rebuild', { confirm: true });
  if (!jobId) return;
  const job = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('AURORA: rebuilding the index'), cancellable: true },
    (progress, token) => follow(sidecar, jobId, progress, token),
  );
  tell(job);
}

async function follow(sidecar: Sidecar, jobId: string, progress: vscode.Progress<{ message?: string; increment?: number }>, token: vscode.CancellationToken): Promise<Job> {
  const cancelling = token.onCancellationRequested(() => void sidecar.request('aurora/cancelRebuild', { jobId }).catch(() => undefined));
  let shown = 0;
  try {
    for (;;) {
      const job = await sidecar.request('aurora/job', { jobId });
      if (job.status !== 'in_progress' && job.status !== 'queued') return job;
      const { filesProcessed, filesTotal, percentComplete } = job.progress;
      progress.report({ message: `${filesProcessed} of ${filesTotal} files`, increment: percentComplete - shown });
      shown = percentComplete;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    cancelling.dispose();
  }
}

function tell(job: Job): void {
  if (job.status === 'completed') {
    void vscode.window.showInformationMessage(`AURORA: The index is new: ${count(job.progress.filesProcessed, 'file')}.`);
  } else if (job.status === 'cancelled') {
    void vscode.window.showInformationMessage(t('AURORA: The rebuild was cancelled; what was indexed so far can be searched.'));
  } else {
    void vscode.window.showErrorMessage(t('AURORA: The rebuild failed: {0}.', job.error ?? job.status));
  }
}
