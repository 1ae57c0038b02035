/** Turns problems into diagnostics: finds their lines and columns, and puts them in the order of the text. */

import { lineCounter } from '../load/lines.js';
import type { LoadedFile } from '../load/load-folder.js';
import { findOffset, indexPositions } from '../load/positions.js';
import type { Diagnostic } from '../model.js';
import { codes } from './codes.js';
import type { Problem } from './problem.js';

/** A problem with the document it is in. */
export interface PlacedProblem extends Problem {
  /** Index of the document in its file. */
  readonly document: number;
}

/** The diagnostics of one file, by line and column, each once. The text is parsed again only if there are problems. */
export function diagnoseFile(file: LoadedFile, problems: readonly PlacedProblem[]): readonly Diagnostic[] {
  if (problems.length === 0 && file.problems.length === 0) return [];
  const place = lineCounter(file.text);
  const documents = problems.length === 0 ? [] : indexPositions(file.text);
  const found: Diagnostic[] = [];
  for (const { offset, ...rest } of file.problems) found.push(diagnostic(file.path, place(offset), rest));
  for (const problem of problems) {
    const positions = documents[problem.document];
    const offset = positions === undefined ? 0 : findOffset(positions, problem.path, problem.at ?? 'value');
    found.push(diagnostic(file.path, place(offset), problem));
  }
  return unique(found.sort(byPlace));
}

/** A diagnostic for something that has no text. */
export function diagnosePath(
  path: string,
  code: 'KF1001' | 'KF1013',
  message: string,
  suggestion?: string,
): Diagnostic {
  return diagnostic(
    path,
    { line: 1, column: 1 },
    { code, message, ...(suggestion === undefined ? {} : { suggestion }) },
  );
}

function diagnostic(
  file: string,
  place: { readonly line: number; readonly column: number },
  { code, message, suggestion }: Pick<Problem, 'code' | 'message' | 'suggestion'>,
): Diagnostic {
  const { line, column } = place;
  const { severity } = codes[code];
  return { file, line, column, code, severity, message, ...(suggestion === undefined ? {} : { suggestion }) };
}

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
