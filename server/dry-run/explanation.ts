/** The outcome of a request that was tried. */
import type { AdmissionStep, JsonValue } from '../../runtime/contract/index.js';

export interface Explanation {
  /** As in `create configmaps a in namespace default`. */
  readonly request: string;
  readonly code: number;
  readonly answer: JsonValue;
  readonly steps: readonly AdmissionStep[];
}
