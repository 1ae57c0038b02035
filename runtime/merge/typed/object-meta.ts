/** The schema of object metadata, which is the same for every kind. */
import type { Schema } from '../../contract/index.js';
import { type FieldSet, fieldSet } from '../field-set.js';
import { fieldName, type PathElement } from '../path-element.js';
import { DEDUCED, type TypePlan } from '../type-plan.js';

const text: Schema = { type: 'string' };
const count: Schema = { type: 'integer', format: 'int64' };
const time: Schema = { type: 'string', format: 'date-time' };
const textMap: Schema = { type: 'object', additionalProperties: text };

/** A reference is written as a whole. Two managers may not each own a half. */
const ownerReference: Schema = {
  type: 'object',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: text,
    kind: text,
    name: text,
    uid: text,
    controller: { type: 'boolean' },
    blockOwnerDeletion: { type: 'boolean' },
  },
  'x-kubernetes-map-type': 'atomic',
};

const managedFieldsEntry: Schema = {
  type: 'object',
  properties: {
    manager: text,
    operation: text,
    apiVersion: text,
    time,
    fieldsType: text,
    fieldsV1: { type: 'object' },
    subresource: text,
  },
};

/** The schema of metadata for merging. */
export const OBJECT_META: Schema = {
  type: 'object',
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: count,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: count,
    labels: textMap,
    annotations: textMap,
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    ownerReferences: {
      type: 'array',
      items: ownerReference,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
    },
    managedFields: { type: 'array', items: managedFieldsEntry, 'x-kubernetes-list-type': 'atomic' },
  },
};

/** Members of metadata that the server sets, or that identify the object. No manager owns them. */
export const SERVER_OWNED_META: readonly string[] = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'managedFields',
];

/**
 * Adds each member that the schema names if the set has only parts of it. Removal needs this: a configuration owns
 * `spec.replicas` but not `spec`, and `spec` is removed once no manager owns any part of it. Metadata is never removed.
 */
export function withNamedFields(type: TypePlan | undefined, set: FieldSet): FieldSet {
  return fieldSet(set.owned, namedChildren(type, set));
}

/** Returns the children with named members. Only a schema names members, so it limits the depth of the recursion. */
function namedChildren(type: TypePlan | undefined, set: FieldSet): ReadonlyMap<PathElement, FieldSet> {
  if (set.children.size === 0 || type === undefined || type === DEDUCED) return set.children;
  const children = new Map<PathElement, FieldSet>();
  for (const [element, child] of set.children) {
    const name = fieldName(element);
    const field = name === undefined ? undefined : type.map?.fields.get(name);
    const inner = field?.type ?? (name === undefined ? type.list?.items : type.map?.values);
    const named = field !== undefined && field.tracking === 'all';
    children.set(element, fieldSet(child.owned || named, namedChildren(inner, child)));
  }
  return children;
}
