/** Shows the lines of a text around a place, with a mark below it. */

/** Lines that are shown before the one that is meant. */
const linesBefore = 2;
/** Characters of a line that are shown. */
const widest = 110;

/** The lines, with their numbers; empty where the text has no such line. Line and column count from 1. */
export function codeFrame(text: string, line: number, column: number): string {
  const lines = text.split(/\r\n|\r|\n/);
  const meant = lines[line - 1];
  if (meant === undefined || (meant === '' && lines.length === 1)) return '';
  const first = Math.max(0, line - 1 - linesBefore);
  const width = String(line).length;
  const shown = lines
    .slice(first, line)
    .map((content, index) => `  ${String(first + index + 1).padStart(width)} | ${printable(content)}`.trimEnd());
  const before = printable([...meant].slice(0, column - 1).join(''));
  return column > widest
    ? shown.join('\n')
    : [...shown, `  ${' '.repeat(width)} | ${' '.repeat(before.length)}^`].join('\n');
}

/** Tabs count as one blank, so that the mark stands where it should; what controls terminals is left out. */
const printable = (text: string): string =>
  text
    .replaceAll('\t', ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, widest);
