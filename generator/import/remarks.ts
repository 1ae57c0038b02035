/** The remarks of an import: mistakes of the document, and parts of it that the native format cannot hold. */
import type { Path } from '../diagnostics/problem.js';

/** A remark on one place of a document. */
export interface Remark {
  /** `error`: the document is wrong, and nothing is written. `note`: something was left out or must be added. */
  readonly severity: 'error' | 'note';
  /** From the document's root; empty for the document as a whole. */
  readonly path: Path;
  readonly message: string;
}

export type Remarks = (remark: Remark) => void;

/** Maximum number of errors. A document with more is wrong as a whole. */
export const MAX_ERRORS = 100;

/** Maximum length of a printed path, in UTF-16 units. A longer one loses its middle. */
const MAX_PATH = 400;

/** Maximum number of printed lines; nobody reads more. */
const MAX_LINES = 200;

/** Returns a path as in `paths["/api/v1/pods"].get.responses`. */
export function printPath(path: Path): string {
  const text = path.map((step, index) => printStep(step, index === 0)).join('');
  return text.length <= MAX_PATH ? text : `${text.slice(0, MAX_PATH / 2)}…${text.slice(-MAX_PATH / 2)}`;
}

function printStep(step: string | number, isFirst: boolean): string {
  if (typeof step === 'number') return `[${step}]`;
  if (!/^[\w$-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
  return isFirst ? step : `.${step}`;
}

/** Returns a line per remark. */
export function printRemarks(remarks: readonly Remark[]): readonly string[] {
  return remarks.map(({ path, message }) => (path.length === 0 ? message : `${printPath(path)}: ${message}`));
}

/** Returns a line per message. A message for many places names the first, and the number of the others. */
export function summarizeRemarks(remarks: readonly Remark[]): readonly string[] {
  const places = new Map<string, Path[]>();
  for (const { path, message } of remarks) {
    const known = places.get(message);
    if (known === undefined) places.set(message, [path]);
    else known.push(path);
  }
  const lines = [...places].slice(0, MAX_LINES).map(([message, [first = [], ...more]]) => {
    const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
    return first.length === 0 ? message : `${printPath(first)}${rest}: ${message}`;
  });
  return places.size <= MAX_LINES ? lines : [...lines, `and ${places.size - MAX_LINES} more`];
}
