/** Reasons for which a Service gets no addresses or ports. */
import type { FieldError } from '../../../runtime/contract/index.js';

/** Mistakes of the writer, or a range that is used up. */
export type Refusal = { readonly errors: readonly FieldError[] } | { readonly usedUp: string };
