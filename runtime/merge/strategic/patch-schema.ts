/** The strategies and merge keys of a schema for strategic merge, member by member. */
import type { Schema } from '../../contract/index.js';
import { OBJECT_META } from '../typed/object-meta.js';

/** How one member merges. */
export interface PatchRule {
  readonly schema: Schema | undefined;
  /** Lists: merge by items. Without it a list replaces the other. */
  readonly merge: boolean;
  /** Objects: replaced as wholes. */
  readonly replace: boolean;
  /** Tells the items of a merged list of objects apart. */
  readonly mergeKey: string | undefined;
}

/** A kind's schema with the metadata that every kind has. Made once per resource version. */
export function strategicSchema(schema: Schema): Schema {
  return { ...schema, properties: { ...schema.properties, metadata: PATCHED_META } };
}

const { properties: META_FIELDS = {} } = OBJECT_META;

/** Metadata with the markers that strategic merge goes by, which know nothing of list types. */
const PATCHED_META: Schema = {
  ...OBJECT_META,
  properties: {
    ...META_FIELDS,
    finalizers: { ...META_FIELDS.finalizers, 'x-kubernetes-patch-strategy': 'merge' },
    ownerReferences: {
      ...META_FIELDS.ownerReferences,
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'uid',
    },
  },
};

/** Whether an object's schema names a member or has any member. */
export function knowsMember(schema: Schema | undefined, key: string): boolean {
  return schema?.properties === undefined || Object.hasOwn(schema.properties, key);
}

/** How a member of an object merges. */
export function ruleOf(schema: Schema | undefined, key: string): PatchRule {
  const properties = schema?.properties;
  const named = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const additional = schema?.additionalProperties;
  const member = named ?? (typeof additional === 'object' ? additional : undefined);
  const strategies = member?.['x-kubernetes-patch-strategy']?.split(',') ?? [];
  return {
    schema: member,
    merge: strategies.includes('merge'),
    replace: strategies.includes('replace'),
    mergeKey: member?.['x-kubernetes-patch-merge-key'],
  };
}
