// Stands in for the package "entities", whose tables of all HTML entities would be a sixth of the bundle: answers have
// the five of XML, the space, and numbers; any other entity stays as it is written.

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

function numbered(code: number): string {
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
}

export function decodeHTML(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w+));/g, (whole, decimal: string, hexadecimal: string, name: string) => {
    if (decimal) return numbered(Number.parseInt(decimal, 10));
    if (hexadecimal) return numbered(Number.parseInt(hexadecimal, 16));
    return NAMED[name] ?? whole;
  });
}
