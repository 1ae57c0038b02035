/** Fields that field selectors may name. */
import { get, list, type Raw, string } from '../../runtime/schema/reading/read.js';

/** Paths without their leading dot, as in `spec.signerName`. */
export function readSelectableFields(raw: Raw): readonly string[] {
  return list(raw).flatMap((each) => string(get(each, 'jsonPath'))?.replace(/^\./, '') ?? []);
}
