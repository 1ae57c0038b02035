/** Reads transcripts, that is, commands with their output, and compares them with the real output. */
import type { Block } from './read-page.js';

/** One command of a transcript and its expected output. */
export interface Shown {
  /** Line of the page, from 1. */
  readonly line: number;
  readonly command: string;
  readonly output: readonly string[];
}

/** Lists the commands of a transcript: lines after `$ `, continued after `> `. All other lines are output. */
export function commandsShown({ lines, line }: Pick<Block, 'lines' | 'line'>): Shown[] {
  const shown: { line: number; command: string; output: string[] }[] = [];
  lines.forEach((content, index) => {
    const last = shown.at(-1);
    if (content.startsWith('$ ')) shown.push({ line: line + index, command: content.slice(2), output: [] });
    else if (content.startsWith('> ') && last && last.output.length === 0) last.command += `\n${content.slice(2)}`;
    else last?.output.push(content);
  });
  return shown;
}

/**
 * Compares a text with a transcript. Several blanks count as one. An … matches anything; alone in a line, it matches
 * any lines.
 */
export function printsAs(expected: readonly string[], found: string): boolean {
  const pattern = trimEnds(expected)
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*' : `${patternOf(line)}\\n`))
    .join('');
  const text = `${trimEnds(found.split('\n')).map(oneBlank).join('\n')}\n`;
  return pattern === '' ? text.trim() === '' : new RegExp(`^${pattern}$`).test(text);
}

/** Removes the lines of progress from a command's output. Their number depends on the speed of the machine. */
export const withoutProgress = (found: string): string =>
  found.replaceAll(/^(?:[a-z]+ing(?: bytes)? \d+(?:\/\d+)? |kindforge: reads what is stored: ).*\n/gm, '');

const oneBlank = (line: string): string => line.trim().replaceAll(/\s+/g, ' ');

const patternOf = (line: string): string =>
  oneBlank(line)
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*');

/** Removes empty lines at both ends. */
function trimEnds(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}
