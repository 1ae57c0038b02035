/** Types that documents describe less exactly than the native format can: times, quantities, and values of any shape. */
import type { JsonObject } from '../../runtime/contract/index.js';
import type { LibraryType } from './type-names.js';

/** The schema that is written for such a type. */
export interface SpecialType {
  /** Written wherever the type is used, in place of a reference. */
  readonly inPlace?: JsonObject;
  /** Written in the library, beside the description. */
  readonly schema?: JsonObject;
}

const OPEN: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const TYPES: ReadonlyMap<string, SpecialType> = new Map<string, SpecialType>([
  ['IntOrString', { inPlace: { 'x-kubernetes-int-or-string': true } }],
  ['Quantity', { schema: { type: 'string', format: 'quantity' } }],
  ['Time', { schema: { type: 'string', format: 'date-time' } }],
  ['MicroTime', { schema: { type: 'string', format: 'date-time', 'x-kindforge-time': 'micros' } }],
  ['RawExtension', { schema: OPEN }],
  ['FieldsV1', { schema: OPEN }],
]);

/** The special treatment of a type of the meta library, if any. */
export function specialType({ library, name }: LibraryType): SpecialType | undefined {
  return library === 'meta/v1' ? TYPES.get(name) : undefined;
}
