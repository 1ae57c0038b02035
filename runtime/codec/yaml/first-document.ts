/** Finds the first document of a text. */

/** `---` or `...` at the start of a line. There they always separate documents. */
const marker = /(?:^\ufeff?|[\r\n])(---|\.\.\.)(?=[ \t\r\n]|$)/g;
/** A line that is neither empty, nor a comment, nor a directive. */
const content = /(?:^|[\r\n])[ \t]*(?:[^\s#%]|(?<=[ \t])%)/;

/** A document within a text. */
export interface FirstDocument {
  /** The text up to the end of the document, without the rest, which API servers ignore too. */
  readonly text: string;
  /** The start of the content, after `---` if there is one. */
  readonly start: number;
}

/** Returns the first document of a text. */
export function firstDocument(text: string): FirstDocument {
  let start = 0;
  for (const match of text.matchAll(marker)) {
    const at = match.index + match[0].length - 3;
    if (start > 0 || match[1] === '...' || content.test(text.slice(0, at))) return { text: text.slice(0, at), start };
    start = at + 3;
  }
  return { text, start };
}
