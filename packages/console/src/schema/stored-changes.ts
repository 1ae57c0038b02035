/** Compares a stored object with what a write would make of it. */
import type { DynamicObject } from 'kindforge/client';
import { diffOf, type FieldChange } from '../object/diff.js';
import { isRecord } from './place.js';

export interface StoredChanges {
  /** The differences from the object as it is. */
  readonly changes: readonly FieldChange[];
  /** The fields that the server would store otherwise than written: defaults, generated names, normal forms. */
  readonly filledIn: readonly FieldChange[];
}

/** Compares what would be stored with the object as it is, and with what the user wrote. */
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

/** Fields that change with every write, or that only the server writes. */
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
