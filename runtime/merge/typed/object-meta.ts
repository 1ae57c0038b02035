/** The schema of object metadata, which is the same for every kind. */
import type { Schema } from '../../contract/index.js';
import { type FieldSet, fieldSet } from '../field-set.js';
import { fieldName, type PathElement } from '../path-element.js';
import { DEDUCED, type TypePlan } from '../type-plan.js';

const text: Schema = { type: 'string' };
const count: Schema = { type: 'integer', format: 'int64' };
const time: Schema = { type: 'string', format: 'date-time' };
const textMap: Schema = { type: 'object', additionalProperties: text };

/** A reference is written as a whole: two owners may not each own half of one. */
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

/** Metadata as merging sees it. */
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

/** Members of metadata that are the server's, or that say which object it is; no manager owns them. */
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
 * Adds every named member that the set only has parts of. Removal needs it: a configuration owns `spec.replicas` and
 * not `spec`, but `spec` is removed once no manager owns any part of it. Metadata is never removed.
 */
export function withNamedFields(type: TypePlan | undefined, set: FieldSet): FieldSet {
  return fieldSet(set.owned, namedChildren(type, set));
}

/**
 * Returns the children with named members. Nothing below is named without a schema; the schema bounds the depth of
 * named fields.
 */
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
