/** The schema of metadata, for objects inside other objects. */
import type { FieldError, JsonObject, Schema, SchemaFunctions } from '../contract/index.js';

const text: Schema = { type: 'string', 'x-kindforge-presence': 'implicit' };
const requiredText: Schema = { type: 'string', 'x-kindforge-presence': 'always' };
const time: Schema = { type: 'string', format: 'date-time', 'x-kindforge-type': 'v1/Time' };
const count: Schema = { type: 'integer', format: 'int64', 'x-kindforge-presence': 'implicit' };
const texts: Schema = { type: 'object', additionalProperties: { type: 'string' }, 'x-kindforge-presence': 'implicit' };

const ownerReference: Schema = {
  type: 'object',
  'x-kindforge-type': 'v1/OwnerReference',
  properties: {
    apiVersion: requiredText,
    kind: requiredText,
    name: requiredText,
    uid: { ...requiredText, 'x-kindforge-type': 'types/UID' },
    controller: { type: 'boolean' },
    blockOwnerDeletion: { type: 'boolean' },
  },
};

const managedFieldsEntry: Schema = {
  type: 'object',
  'x-kindforge-type': 'v1/ManagedFieldsEntry',
  properties: {
    manager: text,
    operation: { ...text, 'x-kindforge-type': 'v1/ManagedFieldsOperationType' },
    apiVersion: text,
    time,
    fieldsType: text,
    fieldsV1: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, 'x-kindforge-type': 'v1/FieldsV1' },
    subresource: text,
  },
};

const listOf = (items: Schema): Schema => ({ type: 'array', items, 'x-kindforge-presence': 'implicit' });

/** The schema of every object's `metadata`. */
export const objectMetaSchema: Schema = {
  type: 'object',
  'x-kindforge-type': 'v1/ObjectMeta',
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: { ...text, 'x-kindforge-type': 'types/UID' },
    resourceVersion: text,
    generation: count,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: { type: 'integer', format: 'int64' },
    labels: texts,
    annotations: texts,
    ownerReferences: listOf(ownerReference),
    finalizers: listOf({ type: 'string' }),
    managedFields: listOf(managedFieldsEntry),
  },
};

const isRepeat = ({ reason }: FieldError): boolean => reason === 'FieldValueDuplicate';

/**
 * Returns the schema errors of an update. Leaves out repeats if the old object of a custom resource also has repeats at
 * any place, because clients may change such an object without repairing all of it.
 */
export function withoutOldRepeats(
  functions: Pick<SchemaFunctions, 'validate'>,
  decoding: 'typed' | 'structural',
  found: readonly FieldError[],
  old: JsonObject,
): readonly FieldError[] {
  if (decoding !== 'structural' || !found.some(isRepeat)) return found;
  const before: FieldError[] = [];
  functions.validate(old, before);
  return before.some(isRepeat) ? found.filter((error) => !isRepeat(error)) : found;
}
