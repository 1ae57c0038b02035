/** A mistake with its file, line, column, code and message. */

/** A mistake in a definition. Printed as `file:line:column code message`, the suggestion on a line of its own. */
export interface Diagnostic {
  /** Relative to the schemas folder. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** Stable, as `KF1003`; every code has a row in `docs/diagnostics.md`. */
  readonly code: string;
  /** Errors stop generation, warnings do not. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly suggestion?: string;
}
