// The page of the answer view. Pure.
import { t } from '../l10n';

export interface PageParts {
  nonce: string;
  cspSource: string;
  script: string;
  style: string;
  /** The language of the editor, such as "de", and its words as JSON. */
  language: string;
  words: string;
}

const attribute = (text: string): string => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');

/** Nothing is loaded but our script and style, from the extension's own folder. */
export function page({ nonce, cspSource, script, style, language, words }: PageParts): string {
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}';">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="words" content="${attribute(words)}">
<link rel="stylesheet" href="${style}">
<title>AURORA</title>
</head>
<body>
<main id="turns" aria-live="polite"></main>
<form id="ask">
<textarea id="question" rows="2" aria-label="${attribute(t('Follow-up question'))}" placeholder="${attribute(t('Ask a follow-up question (Enter sends, Shift+Enter starts a line)'))}"></textarea>
<button type="submit">${attribute(t('Ask'))}</button>
</form>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
