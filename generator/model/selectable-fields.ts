/** Fields that field selectors may name. */
import type { Version } from '../load/definition-format.js';
import type { Part } from './part.js';

type WrittenField = NonNullable<Version['selectableFields']>[number];

/** Reads paths without their leading dot, as in `spec.signerName`. */
export function readSelectableFields(fields: readonly Part<WrittenField>[]): readonly string[] {
  return fields.flatMap((field) => field.string('jsonPath')?.replace(/^\./, '') ?? []);
}
