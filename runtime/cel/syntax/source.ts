/** Positions in the text of an expression. */
import { characters } from '../../objects/lines.js';

/** A mistake in an expression. Lines and columns count from 1; columns count code points. */
export interface Issue {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A mistake of the parser or the checker, with an offset instead of a line and a column. */
export interface RawIssue {
  /** UTF-16 offset in the text; -1 if the mistake is about the whole. */
  readonly at: number;
  readonly message: string;
}

/** The most mistakes reported for one expression. */
const maxIssues = 100;

/** Returns the mistakes in the order of their positions, with line and column. */
export function locate(text: string, issues: readonly RawIssue[]): Issue[] {
  const starts = lineStarts(text);
  return [...issues]
    .sort((a, b) => a.at - b.at)
    .slice(0, maxIssues)
    .map(({ at, message }) => ({ ...position(text, starts, at), message }));
}

function position(text: string, starts: readonly number[], at: number): { line: number; column: number } {
  if (at < 0) return { line: -1, column: 0 };
  let line = 0;
  while (line + 1 < starts.length && (starts[line + 1] ?? 0) <= at) line++;
  return { line: line + 1, column: characters(text.slice(starts[line] ?? 0, at)) + 1 };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return starts;
}

/** Returns the mistakes as one text. As in the reference, each has its line of the source and a mark below it. */
export function describeIssues(text: string, issues: readonly Issue[]): string {
  const lines = text.split('\n');
  return issues
    .map(({ line, column, message }) => {
      const head = `ERROR: <input>:${line}:${column}: ${message}`;
      const source = line < 1 ? undefined : lines[line - 1];
      if (source === undefined) return head;
      return `${head}\n | ${source.replaceAll('\t', ' ')}\n | ${'.'.repeat(column - 1)}^`;
    })
    .join('\n');
}
