/** A mistake in a file's text, found before the text means anything. */
import type { Code } from '../diagnostics/codes.js';

/** A mistake at an offset of the text, in UTF-16 units from 0. */
export interface TextProblem {
  readonly code: Code;
  readonly offset: number;
  readonly message: string;
  readonly suggestion?: string;
}
