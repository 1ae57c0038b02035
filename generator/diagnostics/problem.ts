/** A mistake at a path of a document; its line and column are found only when it is reported. */
import type { Code } from './codes.js';

/** Keys and list indexes from a document's root. */
export type Path = readonly (string | number)[];

export interface Problem {
  readonly code: Code;
  readonly path: Path;
  /** Whether the key or its value is meant; the value where absent. */
  readonly at?: 'key' | 'value';
  readonly message: string;
  readonly suggestion?: Suggestion;
}

/** The way to mend it, in a few words; a function where finding that takes more than a moment. */
export type Suggestion = string | (() => string | undefined);

/** Collects problems. */
export type Report = (problem: Problem) => void;
