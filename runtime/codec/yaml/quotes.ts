/** Indents quoted texts that continue further left than they may: API servers read them, the parser here does not. */
import { yamlTokens } from './tokens.js';

/** How much text is gone over again for mending, in characters. */
const budget = 16 << 20;

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The text with such quoted texts indented. Line breaks stay where they are and the meaning is the same, since leading
 * blanks of continued lines do not count. Texts without a closing quote are left alone.
 */
export function indentQuotes(text: string): string {
  let mended = text;
  for (let spent = 0; spent <= budget; spent += text.length + 1) {
    const span = findBrokenQuote(mended);
    if (span === undefined) return mended;
    const indent = ' '.repeat(span.start - mended.lastIndexOf('\n', span.start - 1));
    const quoted = mended.slice(span.start, span.end).replace(/\n[ \t]*(?=[^\s])/g, `\n${indent}`);
    mended = mended.slice(0, span.start) + quoted + mended.slice(span.end);
  }
  return mended;
}

/** The first quoted text that the lexer cuts off although its closing quote follows. */
function findBrokenQuote(text: string): Span | undefined {
  for (const { type, text: source, offset } of yamlTokens(text)) {
    if (type !== 'single-quoted-scalar' && type !== 'double-quoted-scalar') continue;
    const end = closingQuote(text, offset);
    if (end === undefined) return undefined;
    if (end > offset + source.length) return { start: offset, end };
  }
  return undefined;
}

/** The offset after the quote that closes the one at `start`. */
function closingQuote(text: string, start: number): number | undefined {
  const quote = text.charAt(start);
  for (let i = start + 1; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\' && quote === '"') i++;
    else if (char === quote) {
      if (quote === '"' || text.charAt(i + 1) !== quote) return i + 1;
      i++;
    }
  }
  return undefined;
}
