/** Compares a stored object with the result of a write. */
import type { DynamicObject } from 'kindforge/client';
import { diffOf, type FieldChange } from '../object/diff.js';
import { isRecord } from './place.js';

export interface StoredChanges {
  /** The differences from the present object. */
  readonly changes: readonly FieldChange[];
  /** The fields that the server would store differently: defaults, generated names, normal forms. */
  readonly filledIn: readonly FieldChange[];
}

/** Compares the object that would be stored with the present object, and with the user's object. */
export function storedChanges(
  before: DynamicObject | undefined,
  stored: DynamicObject,
  written: DynamicObject,
): StoredChanges {
  const [old, next, wanted] = [before ?? { metadata: {} }, stored, written].map(withoutBookkeeping);
  const filledIn = diffOf(wanted, next);
  const paths = new Set(filledIn.map(({ path }) => path));
  return { changes: diffOf(old, next).filter(({ path }) => !paths.has(path)), filledIn };
}

/** Fields that every write changes, or that only the server writes. */
const bookkeeping = new Set(['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink']);

function withoutBookkeeping(object: object): object {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      name === 'metadata' && isRecord(value)
        ? Object.fromEntries(Object.entries(value).filter(([field]) => !bookkeeping.has(field)))
        : value,
    ]),
  );
}
