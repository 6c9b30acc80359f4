// The words that people read, in the language of the editor. Pure: what translates is set when the extension, or the
// view, starts.

type Values = readonly (string | number)[];

const filled = (text: string, values: Values): string => text.replace(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));

let words: Record<string, string> = {};

/** What the texts of the code are in the language of the editor; those that lack stay English. */
export function speak(bundle: Record<string, string> | undefined): void {
  words = bundle ?? {};
}

/** A text with its values in the places of {0}, {1} and so on. */
export function t(text: string, ...values: Values): string {
  return filled(words[text] ?? text, values);
}
