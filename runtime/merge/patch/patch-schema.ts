/** The strategies and merge keys of a schema for strategic merge, member by member. */
import type { JsonValue, Result, Schema } from '../../contract/index.js';
import { canonicalJson } from '../order.js';
import { OBJECT_META } from '../typed/object-meta.js';

/** How one member merges. */
export interface PatchRule {
  readonly schema: Schema | undefined;
  /** Whether lists merge item by item. Otherwise the patch's list replaces the live list. */
  readonly merge: boolean;
  /** Whether the patch replaces a whole object. */
  readonly replace: boolean;
  /** The member that identifies the items of a merged list of objects. */
  readonly mergeKey: string | undefined;
}

/** Returns a kind's schema with the metadata that every kind has. Called once per resource version. */
export function strategicSchema(schema: Schema): Schema {
  return { ...schema, properties: { ...schema.properties, metadata: PATCHED_META } };
}

const { properties: META_FIELDS = {} } = OBJECT_META;

/** Metadata with the markers of strategic merge. Strategic merge ignores list types. */
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

/** Returns whether an object's schema names a member, or allows any. */
export function knowsMember(schema: Schema | undefined, key: string): boolean {
  return schema?.properties === undefined || Object.hasOwn(schema.properties, key);
}

/** Returns how a member of an object merges. */
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

/** Returns the failure of a patch that cannot be applied. */
export function refuse(message: string): Result<never> {
  return { ok: false, failure: { reason: 'BadRequest', message } };
}

export function badRetainKeys(): Result<never> {
  return refuse('invalid patch format of retainKeys');
}

export function unknownDirective(directive: JsonValue, patch: JsonValue): Result<never> {
  const name = typeof directive === 'string' ? directive : canonicalJson(directive);
  return refuse(`unknown patch type: ${name} in map: ${canonicalJson(patch)}`);
}

export function missingMergeKey(item: JsonValue, mergeKey: string): Result<never> {
  return refuse(`map: ${canonicalJson(item)} does not contain declared merge key: ${mergeKey}`);
}

export function notAList(found: JsonValue): Result<never> {
  return refuse(`expected a list, but received ${canonicalJson(found)}`);
}

export function mixedList(): Result<never> {
  return refuse('list element types are not identical');
}

/** The member that has the directive for its object or list item. */
export const DIRECTIVE = '$patch';

/** The member that lists the members to keep. */
export const RETAIN_KEYS = '$retainKeys';

const ORDER_PREFIX = '$setElementOrder/';
const DELETE_PREFIX = '$deleteFromPrimitiveList/';

/** Returns the member that a `$setElementOrder/…` key orders; `undefined` for other keys. */
export function orderedMember(key: string): string | undefined {
  return key.startsWith(ORDER_PREFIX) ? key.slice(ORDER_PREFIX.length) : undefined;
}

/** Returns the member of a `$deleteFromPrimitiveList/…` key; `undefined` for other keys. */
export function deletedFromMember(key: string): string | undefined {
  return key.startsWith(DELETE_PREFIX) ? key.slice(DELETE_PREFIX.length) : undefined;
}
