// Colours for the code of answers: comments, strings, numbers and keywords, which is what all languages have. Pure.

/** The words of one family of languages, and how it writes comments and strings. */
interface Family {
  keywords: Set<string>;
  tokens: RegExp;
}

const words = (list: string): Set<string> => new Set(list.split(' '));

const CURLY = words(
  'abstract as async await auto bool boolean break byte case catch chan char class const constexpr continue crate debugger default defer delete do double dyn else enum export extends extern fallthrough false final finally float fn for foreach from func function get go goto if impl implements import in instanceof int interface internal is let long loop map match mod module mut namespace new nil null nullptr object of operator out override package private protected pub public range readonly ref return sealed select self Self short signed sizeof static string struct super switch template this throw throws trait true try type typedef typename typeof undefined union unsafe unsigned use using val var virtual void volatile when where while with yield',
);
const HASH = words(
  'alias and as assert async await begin break case class continue def del do done elif else elsif end ensure esac except export false False fi finally for from function global if import in is lambda local match module next nil None nonlocal not or pass raise redo rescue retry return self set then True true try undef unless until when while with yield',
);
const DASH = words(
  'all alter and as asc begin between by case constraint create cross default delete desc distinct do drop else elseif end exists false for foreign from function group having if in inner insert into is join key left like limit local nil not null on or order outer primary references repeat returning right select set table then true union unique until update values view when where while with',
);

// A string of bounded length: where none ends, looking for its end from each quote would take quadratic time.
const STRINGS = String.raw`"(?:\\.|[^"\\\n]){0,500}"|'(?:\\.|[^'\\\n]){0,500}'`;
const REST = String.raw`\b\d[\w.]*|[A-Za-z_$][\w$]*`;
const tokens = (comments: string, more = ''): RegExp => new RegExp(`(${comments})|(${more}${STRINGS})|${REST}`, 'gs');

const curly: Family = { keywords: CURLY, tokens: tokens(String.raw`//[^\n]*|/\*.*?(?:\*/|$)`, '`(?:\\\\.|[^`\\\\])*`|') };
const hash: Family = { keywords: HASH, tokens: tokens(String.raw`#[^\n]*`, String.raw`"""(?:.*?)(?:"""|$)|'''(?:.*?)(?:'''|$)|`) };
const dash: Family = { keywords: DASH, tokens: tokens(String.raw`--[^\n]*|/\*.*?(?:\*/|$)`) };

const FAMILIES = new Map<string, Family>([
  ...'c cpp c++ cc h hpp cs csharp css dart go golang groovy java javascript js json jsonc jsx kotlin kt less objc php proto rs rust scala scss swift ts tsx typescript zig'
    .split(' ')
    .map((name) => [name, curly] as const),
  ...'bash dockerfile elixir makefile make nix perl pl py python r rb ruby sh shell toml yaml yml zsh'.split(' ').map((name) => [name, hash] as const),
  ...'ada elm haskell hs lua sql vhdl'.split(' ').map((name) => [name, dash] as const),
]);

/**
 * The code as HTML, each piece with a class of its kind: comment, string, number, keyword. Undefined where the language
 * is not known.
 * @param language the first word of a fence, such as "go"
 * @param escape makes text safe for HTML
 */
export function highlight(code: string, language: string, escape: (text: string) => string): string | undefined {
  const family = FAMILIES.get(language.toLowerCase());
  if (!family) return undefined;
  let html = '';
  let at = 0;
  for (const found of code.matchAll(family.tokens)) {
    const kind = kindOf(found, family, language);
    if (kind === '') continue;
    html += `${escape(code.slice(at, found.index))}<span class="tok-${kind}">${escape(found[0])}</span>`;
    at = found.index + found[0].length;
  }
  return html + escape(code.slice(at));
}

function kindOf([text, comment, string]: RegExpMatchArray, { keywords }: Family, language: string): string {
  if (comment !== undefined) return 'comment';
  if (string !== undefined) return 'string';
  if (/^\d/.test(text)) return 'number';
  return keywords.has(language.toLowerCase() === 'sql' ? text.toLowerCase() : text) ? 'keyword' : '';
}
