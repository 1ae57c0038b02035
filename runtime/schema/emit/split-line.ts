/** Splits a line of generated code: at the arguments of a call, the parts of a condition, or the members of a literal. */

const brackets: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const quotes = `'"\``;

/**
 * The line, in lines of at most `width` columns where it can be split: a call gets a line for each argument, a condition
 * one for each part of `||` or `&&`, a list or an object one for each member. Lines with a regular expression or a
 * comment stay as they are.
 */
export function splitLine(line: string, width: number): readonly string[] {
  if (line.length <= width || hasSlash(line)) return [line];
  const group = lastGroup(line);
  if (group === undefined) return [line];
  const { open, close } = group;
  const head = line.slice(0, open + 1);
  const parts = partsOf(head, line.slice(open + 1, close));
  if (parts.length === 0) return [line];
  const margin = /^ */.exec(line)?.[0] ?? '';
  const inner = parts.flatMap((part) => splitLine(`${margin}  ${part}`, width));
  return [head, ...inner, `${margin}${line.slice(close)}`];
}

/** Whether there is a slash outside of texts, as of a regular expression or a comment. */
function hasSlash(line: string): boolean {
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    if (char === '/') return true;
    if (quotes.includes(char)) i = endOfText(line, i);
  }
  return false;
}

/** The last call or condition of the line, outside of other brackets, or else the last literal. */
function lastGroup(line: string): { readonly open: number; readonly close: number } | undefined {
  let last: { open: number; close: number } | undefined;
  let literal: typeof last;
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    if (quotes.includes(char)) i = endOfText(line, i);
    else if (char in brackets) {
      const close = closingBracket(line, i);
      // An opening bracket at the end of the line, as of a block.
      if (close === -1) return last ?? literal;
      if (close > i + 1) {
        if (char === '(') last = { open: i, close };
        else literal = { open: i, close };
      }
      i = close;
    }
  }
  return last ?? literal;
}

/** The lines between the brackets; none where there is nothing to split. */
function partsOf(head: string, content: string): readonly string[] {
  if (/\b(if|while) \($/.test(head)) return operandsOf(content);
  const isCall = /[\w$)\]]\($/.test(head);
  const isLiteral = /(^|[ ([{])[[{]$/.test(head);
  if ((!isCall && !isLiteral) || content.includes(';')) return [];
  return splitAt(content.trim(), ', ').map((part) => `${part},`);
}

function operandsOf(condition: string): readonly string[] {
  for (const operator of ['||', '&&']) {
    const parts = splitAt(condition, ` ${operator} `);
    if (parts.length > 1) return parts.map((part, i) => (i < parts.length - 1 ? `${part} ${operator}` : part));
  }
  return [];
}

/** Splits at a separator that stands outside of brackets and texts. */
function splitAt(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (quotes.includes(char)) i = endOfText(text, i);
    else if (char in brackets) i = Math.max(i, closingBracket(text, i));
    else if (text.startsWith(separator, i)) {
      parts.push(text.slice(start, i));
      start = i + separator.length;
    }
  }
  return [...parts, text.slice(start)];
}

/** Where the bracket at `open` is closed; -1 where it is not. Texts are passed over. */
export function closingBracket(line: string, open: number): number {
  const [opening, closing] = [line.charAt(open), brackets[line.charAt(open)]];
  let depth = 0;
  for (let i = open; i < line.length; i++) {
    const char = line.charAt(i);
    if (quotes.includes(char)) i = endOfText(line, i);
    else if (char === opening) depth++;
    else if (char === closing && --depth === 0) return i;
  }
  return -1;
}

/** Where the text in quotes that begins at `start` ends. */
function endOfText(line: string, start: number): number {
  const quote = line.charAt(start);
  for (let i = start + 1; i < line.length; i++) {
    const char = line.charAt(i);
    if (char === '\\') i++;
    else if (char === quote) return i;
  }
  return line.length;
}
