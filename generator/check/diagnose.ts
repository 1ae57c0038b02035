/** Turns problems into diagnostics: finds their lines and columns, and puts them in the order of the text. */

import { lineCounter, type SourcePosition } from '../../runtime/objects/lines.js';
import { severityOf } from '../diagnostics/codes.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { Problem } from '../diagnostics/problem.js';
import type { LoadedFile } from '../load/load-folder.js';
import { createOffsets } from '../load/positions.js';

/** A problem with the document it is in. */
export interface PlacedProblem {
  readonly problem: Problem;
  /** Index of the document in its file. */
  readonly document: number;
  /** Whether the document has the native format, which tolerates nothing. */
  readonly isNative: boolean;
}

/** The diagnostics of a file, and the problems that they come from. */
export interface Diagnosed {
  readonly problems: readonly PlacedProblem[];
  /** By line and column, each once. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the diagnostics of one file. Only reads the text again for problems that are not in `previous`. */
export function diagnoseFile(file: LoadedFile, problems: readonly PlacedProblem[], previous?: Diagnosed): Diagnosed {
  if (previous !== undefined && isSame(previous.problems, problems)) return previous;
  if (problems.length === 0 && file.problems.length === 0) return { problems, diagnostics: [] };
  const place = lineCounter(file.text);
  const offsetOf = createOffsets(file.text);
  const found = file.problems.map(({ offset, ...rest }) =>
    diagnostic(file.path, place(offset), severityOf(rest.code, true), rest),
  );
  for (const { problem, document, isNative } of problems) {
    const offset = offsetOf(document, problem.path, problem.at ?? 'value');
    found.push(
      diagnostic(file.path, place(offset), severityOf(problem.code, isNative), advised(problem, found.length)),
    );
  }
  return { problems, diagnostics: unique(found.sort(byPlace)) };
}

/** A problem with its suggestion, if there is one. */
type Advised = Pick<Problem, 'code' | 'message'> & { readonly suggestion?: string };

/** Maximum number of problems of a file that get suggestions that take time to find. */
const MOST_SOUGHT = 200;

function advised({ code, message, suggestion }: Problem, before: number): Advised {
  const found = typeof suggestion !== 'function' ? suggestion : before < MOST_SOUGHT ? suggestion() : undefined;
  return { code, message, ...(found === undefined ? {} : { suggestion: found }) };
}

function isSame(a: readonly PlacedProblem[], b: readonly PlacedProblem[]): boolean {
  return a.length === b.length && a.every((each, index) => each.problem === b[index]?.problem);
}

/** Returns a diagnostic for a path without a text. */
export function diagnosePath(
  path: string,
  code: 'KF1001' | 'KF1013',
  message: string,
  suggestion?: string,
): Diagnostic {
  return diagnostic(path, { line: 1, column: 1 }, 'error', {
    code,
    message,
    ...(suggestion === undefined ? {} : { suggestion }),
  });
}

function diagnostic(
  file: string,
  { line, column }: SourcePosition,
  severity: Diagnostic['severity'],
  { code, message, suggestion }: Advised,
): Diagnostic {
  return {
    file,
    line,
    column,
    code,
    severity,
    message: shorten(message),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** Cuts a message, because texts in definitions can be of any length. */
function shorten(message: string): string {
  return message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;
}

const LONGEST_MESSAGE = 500;

function byPlace(a: Diagnostic, b: Diagnostic): number {
  return a.line - b.line || a.column - b.column || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);
}

function unique(sorted: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return sorted.filter((each) => {
    const key = `${each.line}:${each.column} ${each.code} ${each.message}`;
    return !seen.has(key) && seen.add(key);
  });
}
