// The page of the answer view. Pure.

export interface PageParts {
  nonce: string;
  cspSource: string;
  script: string;
  style: string;
}

/** Nothing is loaded but our script and style, from the extension's own folder. */
export function page({ nonce, cspSource, script, style }: PageParts): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}';">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>AURORA</title>
</head>
<body>
<main id="turns" aria-live="polite"></main>
<form id="ask">
<textarea id="question" rows="2" aria-label="Follow-up question" placeholder="Ask a follow-up question (Enter sends, Shift+Enter starts a line)"></textarea>
<button type="submit">Ask</button>
</form>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
