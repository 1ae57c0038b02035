/** Defaults of a pod's spec that hang on other fields, which no schema can say. */
import type { JsonObject } from '../../runtime/contract/index.js';

/** Fills in the defaults of a spec, in place. */
export function canonicalizePodSpec(_spec: JsonObject | undefined): void {}
