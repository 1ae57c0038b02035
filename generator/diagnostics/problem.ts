/** A mistake at a path of a document. Its line and column are only computed for a report. */
import type { Code } from './codes.js';

/** Keys and list indexes from a document's root. */
export type Path = readonly (string | number)[];

export interface Problem {
  readonly code: Code;
  readonly path: Path;
  /** Whether the mistake is at the key or at its value. Default: the value. */
  readonly at?: 'key' | 'value';
  readonly message: string;
  readonly suggestion?: Suggestion;
}

/** How to fix it, in a few words; a function if finding that takes time. */
export type Suggestion = string | (() => string | undefined);

export type Report = (problem: Problem) => void;
