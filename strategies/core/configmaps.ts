/** ConfigMap: rules for keys and size, and data that was made immutable. */
import type { ApiObject, FieldError, Strategy } from '../../runtime/contract/index.js';
import { tooLong } from '../../runtime/objects/field-error.js';
import { objectAt } from '../../runtime/objects/guards.js';
import { countKeys, decodedLength, immutableErrors, keyErrors, maxDataBytes } from './data-keys.js';

const dataFields = ['data', 'binaryData'] as const;

export function defineConfigMapStrategy(): Strategy {
  return {
    kind: 'ConfigMap',
    repeatsMetadataErrors: true,
    validate,
    validateUpdate: (object, old) => immutableErrors(object, old, dataFields),
    cell: (object, column) => (column === 'Data' ? countKeys(object, dataFields) : undefined),
  };
}

function validate(object: ApiObject): FieldError[] {
  const binaryData = objectAt(object, 'binaryData') ?? {};
  const twice = (key: string): readonly string[] =>
    Object.hasOwn(binaryData, key) ? ['duplicate of key present in binaryData'] : [];
  const errors = [...keyErrors(object, 'data', twice), ...keyErrors(object, 'binaryData')];
  // The empty path: the error is about the object as a whole.
  return sizeOf(object) > maxDataBytes ? [...errors, tooLong('', maxDataBytes)] : errors;
}

function sizeOf(object: ApiObject): number {
  let bytes = 0;
  for (const text of Object.values(objectAt(object, 'data') ?? {})) {
    if (typeof text === 'string') bytes += Buffer.byteLength(text);
  }
  for (const value of Object.values(objectAt(object, 'binaryData') ?? {})) bytes += decodedLength(value);
  return bytes;
}
