/** Reads a schema as TypeScript types. */
import type { Schema } from '../../../runtime/contract/index.js';
import { keepsUnknown } from '../../../runtime/schema/structural/index.js';
import type { SharedTypes } from '../shared-structures.js';
import { fieldDoc } from '../source/jsdoc.js';
import { isInherited } from '../source/naming.js';
import { createShapePool } from './shape-pool.js';
import type { Member, TypeNode } from './type-nodes.js';

const known = new WeakMap<Schema, boolean>();

/** The place of the members in an interface. */
const MEMBER_COLUMN = 2;

/** The type of a schema and its apply form: one node if both are the same. */
export interface Typed {
  readonly plain: TypeNode;
  readonly apply: TypeNode;
}

/** Builds types that share their shapes. There is one builder per generated file. */
export interface TypeBuilder {
  readonly build: (schema: Schema) => Typed;
  /** Returns the type of a shared type itself, not a reference to it. */
  readonly define: (schema: Schema) => Typed;
  /** Returns an object type that has the given members first, instead of the schema's own. */
  readonly defineObject: (schema: Schema, given: readonly Member[]) => Typed;
  /** Merges shapes. Call it once all types of the file are built, before they are named. */
  readonly settle: () => void;
}

const text = (value: string, union = false): TypeNode => ({ kind: 'text', text: value, union });

const UNKNOWN = text('unknown');
const NEVER = text('never');
const STRING = text('string');
const INT_OR_STRING = text('number | string', true);
const INT64 = text('number | bigint', true);
const SAFE = text('number');
const SCALARS: Readonly<Record<string, TypeNode>> = {
  string: STRING,
  integer: SAFE,
  number: text('number'),
  boolean: text('boolean'),
};

/** Returns the members that an embedded object has besides its own. */
const EMBEDDED: readonly Member[] = [
  { name: 'apiVersion', optional: false, type: STRING, doc: '' },
  { name: 'kind', optional: false, type: STRING, doc: '' },
  { name: 'metadata', optional: true, type: { kind: 'client', name: 'ObjectMeta' }, doc: '' },
];

/** Returns whether unknown fields are kept. */
export const isOpen = (schema: Schema): boolean =>
  schema[keepsUnknown] === true || schema.additionalProperties === true;

/** Returns whether the server writes `null` for an empty list, time or bytes. */
const isNullWhenEmpty = (schema: Schema): boolean =>
  schema['x-kindforge-presence'] === 'nullable' ||
  (schema['x-kindforge-presence'] === 'always' &&
    (schema.type === 'array' || schema.format === 'date-time' || schema.format === 'byte'));

const isNullable = (schema: Schema): boolean => schema.nullable === true || schema.enum?.includes(null) === true;

/** Returns whether all values of an integer are exact as a JavaScript number. */
const isSafe = ({ minimum, maximum }: Schema): boolean =>
  Number.isSafeInteger(minimum) && Number.isSafeInteger(maximum);

const orNull = (node: TypeNode): TypeNode =>
  node === UNKNOWN || node.kind === 'nullable' ? node : { kind: 'nullable', of: node };

const withNull = ({ plain, apply }: Typed): Typed =>
  plain === apply ? same(orNull(plain)) : { plain: orNull(plain), apply: orNull(apply) };

const reference = (name: string, schema: Schema): Typed => {
  const plain: TypeNode = { kind: 'shared', name, apply: false };
  return hasApplyForm(schema) ? { plain, apply: { kind: 'shared', name, apply: true } } : same(plain);
};

/**
 * Creates a builder without shapes. Reads each schema object once.
 * @param shared - the types that are declared elsewhere.
 */
export const createTypeBuilder = (shared: SharedTypes): TypeBuilder => {
  const pool = createShapePool();
  const built = new Map<Schema, Typed>();
  const openItems = new Map<Schema, Schema>();

  const defineObject = (schema: Schema, given: readonly Member[]): Typed => {
    const required = new Set(schema.required);
    const members = [...given];
    const changed: Member[] = [];
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (given.some((member) => member.name === name)) continue;
      const optional = !required.has(name);
      const typed = build(property);
      const { plain, apply } = optional && isNullWhenEmpty(property) ? withNull(typed) : typed;
      const member = { name, optional, type: plain, ...fieldDoc(property, MEMBER_COLUMN) };
      members.push(member);
      // An optional member with an inherited name has another type, which `Partial` does not know.
      if (apply !== plain || (!optional && isInherited(name))) changed.push({ ...member, optional: true, type: apply });
    }
    const plain = pool.object(members, isOpen(schema));
    return hasApplyForm(schema) ? { plain, apply: pool.apply(plain, changed) } : same(plain);
  };

  const mapOf = (schema: Schema, values: Schema): Typed => {
    const { plain, apply } = build(values);
    const map: TypeNode = { kind: 'map', values: plain };
    return isGranular(schema) && apply !== plain ? { plain: map, apply: { kind: 'map', values: apply } } : same(map);
  };

  const object = (schema: Schema): Typed => {
    if (schema['x-kubernetes-embedded-resource'] === true) return defineObject(schema, EMBEDDED);
    if (Object.keys(schema.properties ?? {}).length > 0) return defineObject(schema, []);
    if (typeof schema.additionalProperties === 'object') return mapOf(schema, schema.additionalProperties);
    return same({ kind: 'map', values: isOpen(schema) ? UNKNOWN : NEVER });
  };

  /** Returns whether unknown fields are kept in the items of a list, or in lists inside them. */
  const itemsOf = ({ items, ...schema }: Schema): Schema | undefined =>
    items === undefined || schema[keepsUnknown] !== true || isOpen(items) ? items : opened(items);

  const opened = (items: Schema): Schema => {
    const { 'x-kindforge-type': _closed, ...own } = items;
    const open = openItems.get(items) ?? { ...own, [keepsUnknown]: true };
    openItems.set(items, open);
    return open;
  };

  const list = (schema: Schema): Typed => {
    const each = itemsOf(schema);
    const { plain, apply } = each === undefined ? same(UNKNOWN) : build(each);
    const items: TypeNode = { kind: 'array', items: plain };
    if (!hasItemForm(schema)) return same(items);
    const keys = requiredKeys(schema);
    const keyed: TypeNode = keys.length === 0 ? apply : { kind: 'keyed', of: apply, plain, keys };
    return { plain: items, apply: { kind: 'array', items: keyed } };
  };

  const define = (schema: Schema): Typed => {
    if (schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string') return same(INT_OR_STRING);
    const union = schema.enum === undefined ? undefined : pool.union(schema.enum);
    if (union !== undefined) return same(union);
    if (schema.type === 'object' || schema.properties !== undefined) return object(schema);
    if (schema.type === 'array' || schema.items !== undefined) return list(schema);
    if (schema.type === 'integer' && schema.format === 'int64') return same(isSafe(schema) ? SAFE : INT64);
    const named = schema['x-kindforge-references'];
    if (named !== undefined) return same({ kind: 'reference', to: named.kind });
    return same(SCALARS[schema.type ?? ''] ?? UNKNOWN);
  };

  const read = (schema: Schema): Typed => {
    const name = shared.nameOf(schema);
    const typed = name === undefined ? define(schema) : reference(name, schema);
    return isNullable(schema) ? withNull(typed) : typed;
  };

  const build = (schema: Schema): Typed => {
    const before = built.get(schema);
    if (before !== undefined) return before;
    const typed = read(schema);
    built.set(schema, typed);
    return typed;
  };

  return { build, define, defineObject, settle: pool.settle };
};

// An apply configuration contains only fields that its author wants to own. So members of granular objects are
// optional, even if the whole object needs them. Objects and lists that are owned as a whole have no apply form. Items
// of a keyed list keep the members that identify them.

/** Returns whether different managers can own parts of a value of this schema. */
const isGranular = (schema: Schema): boolean =>
  schema.items !== undefined
    ? schema['x-kubernetes-list-type'] === 'map'
    : schema['x-kubernetes-map-type'] !== 'atomic' && schema['x-kubernetes-embedded-resource'] !== true;

/** Returns the keys of a keyed list that its items must have. Keys with a default may be left out. */
const requiredKeys = (list: Schema): readonly string[] => {
  const required = list.items?.required ?? [];
  return (list['x-kubernetes-list-map-keys'] ?? []).filter((key) => required.includes(key));
};

const hasProperty = ({ properties = {} }: Schema, name: string): boolean => Object.hasOwn(properties, name);

const examine = (schema: Schema): boolean => {
  if (!isGranular(schema)) return false;
  if (schema.items !== undefined) return hasItemForm(schema);
  if ((schema.required ?? []).some((name) => hasProperty(schema, name))) return true;
  if (typeof schema.additionalProperties === 'object' && hasApplyForm(schema.additionalProperties)) return true;
  return Object.values(schema.properties ?? {}).some(hasApplyForm);
};

/** Returns whether the apply form of this schema's type is another type. Walks each schema once. */
const hasApplyForm = (schema: Schema): boolean => {
  const answer = known.get(schema) ?? examine(schema);
  known.set(schema, answer);
  return answer;
};

/** Returns the same for the items of a list. They keep the list's keys. */
const hasItemForm = (list: Schema): boolean => {
  const { items } = list;
  if (items === undefined || !isGranular(list) || !isGranular(items)) return false;
  const keys = requiredKeys(list);
  const others = (items.required ?? []).filter((name) => !keys.includes(name) && hasProperty(items, name));
  return others.length > 0 || Object.values(items.properties ?? {}).some(hasApplyForm);
};

const same = (plain: TypeNode): Typed => ({ plain, apply: plain });
