// AURORA: Explain Last Ranking.
import * as vscode from 'vscode';
import { t } from '../l10n';
import { hitLabel, hitName } from '../hits';
import type { Hit } from '../protocol';
import type { LastSearch } from '../search/picker';
import { sharedViews } from '../views';

const number = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(3));
const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/\s+/g, ' ');

function row(hit: Hit, rank: number): string {
  const { bm25, semantic, activation, graph, final } = hit.scores;
  const cells = [String(rank), hitName(hit), hitLabel(hit), number(final), number(bm25), number(semantic), number(activation), number(graph), hit.explanation];
  return `| ${cells.map(cell).join(' | ')} |`;
}

/** The ranking as a table. */
export function explanation({ query, result }: LastSearch): string {
  const head = ['#', 'hit', 'place', 'score', 'words', 'meaning', 'activation', 'neighbours', 'why'];
  const lines = [
    `# Ranking of "${query}"`,
    '',
    `${result.hits.length} of ${result.total} hits, ${result.mode}, ${result.elapsedMs.toFixed(1)} ms, snapshot ${result.index.snapshot}`,
    ...result.notes.map((note) => `- ${note}`),
    '',
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...result.hits.map((hit, index) => row(hit, index + 1)),
  ];
  return `${lines.join('\n')}\n`;
}

export async function explainRanking(last: LastSearch | undefined): Promise<void> {
  if (!last) {
    void vscode.window.showInformationMessage(t('AURORA: There was no search yet; run AURORA: Search Code and Memory.'));
    return;
  }
  await sharedViews().show('Ranking.md', explanation(last));
}
