// Markdown of answers as HTML for the answer view. An answer may repeat whatever stands in a file, so nothing in it may
// act: no HTML, no images, no scripts, and no links but those that the view itself made. Pure.
import MarkdownIt from 'markdown-it';
import { highlight } from './highlight';

const markdown = new MarkdownIt({
  html: false,
  linkify: false,
  typographer: false,
  highlight: (code, language): string => highlight(code, language, escape) ?? '', // '': escaped by the parser
});

// What was escaped stays apart from other text: "\\[1\\]" stands in words that are quoted, and is no source of this answer.
markdown.core.ruler.disable('text_join');

// Every address is let through the parser, for the rules below to show it as text.
markdown.validateLink = () => true;

const escape = (text: string): string => markdown.utils.escapeHtml(text);

interface Environment {
  citations: number;
  /** Whether a link to this address may be offered; the view asks to open it, the extension checks it again. */
  mayOpen: (address: string) => boolean;
  open: boolean[];
}

markdown.renderer.rules['image'] = (tokens, index) => {
  const token = tokens[index];
  return `<span class="inert">[image: ${escape(token?.content ?? '')}]</span>`;
};

markdown.renderer.rules['link_open'] = (tokens, index, _options, environment: Environment) => {
  const address = tokens[index]?.attrGet('href') ?? '';
  const allowed = environment.mayOpen(address);
  environment.open.push(allowed);
  return allowed ? `<button class="link" data-file="${escape(address)}">` : `<span class="inert" title="${escape(address)}">`;
};

markdown.renderer.rules['link_close'] = (_tokens, _index, _options, environment: Environment) =>
  environment.open.pop() ? '</button>' : '</span>';

/** [1] becomes a button, where there is such a citation. */
function withCitations(text: string, citations: number): string {
  return escape(text).replace(/\[(\d{1,4})\]/g, (whole, digits: string) => {
    const number = Number(digits);
    if (number < 1 || number > citations) return whole;
    return `<button class="citation" data-citation="${number - 1}" title="Open source ${number}">${number}</button>`;
  });
}

markdown.renderer.rules['text'] = (tokens, index, _options, environment: Environment) =>
  withCitations(tokens[index]?.content ?? '', environment.citations);

markdown.renderer.rules['text_special'] = (tokens, index) => escape(tokens[index]?.content ?? '');

const fence = markdown.renderer.rules['fence'];

/** Lines of a diff stand out as they do in an editor. */
markdown.renderer.rules['fence'] = (tokens, index, options, environment, self) => {
  const token = tokens[index];
  if (token?.info.trim() !== 'diff') return fence?.(tokens, index, options, environment, self) ?? '';
  const line = (text: string): string => {
    const kind = /^(\+\+\+|---|diff |new file )/.test(text) ? 'head' : /^@@/.test(text) ? 'place' : /^\+/.test(text) ? 'added' : /^-/.test(text) ? 'removed' : '';
    return kind === '' ? escape(text) : `<span class="${kind}">${escape(text)}</span>`;
  };
  return `<pre><code class="language-diff">${token.content.split('\n').map(line).join('\n')}</code></pre>\n`;
};

/**
 * @param citations how many sources the answer has
 * @param mayOpen whether an address is a file that the view may offer to open
 */
export function renderMarkdown(text: string, citations: number, mayOpen: (address: string) => boolean): string {
  return markdown.render(text, { citations, mayOpen, open: [] } satisfies Environment);
}
