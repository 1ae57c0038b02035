/** Compiles the schema of a resource to the plan that merges its objects. */

import type { JsonObject, JsonValue, Schema } from '../../contract/index.js';
import { getOwn, setOwn } from '../../objects/guards.js';
import { byCodePoint } from '../../objects/printing.js';
import { fieldElement } from '../path-element.js';
import {
  DEDUCED,
  type FieldPlan,
  type ListKey,
  type ListPlan,
  type ListRelation,
  type MapPlan,
  type ScalarKind,
  type Tracking,
  type TypedPlan,
  type TypePlan,
  UNTYPED_ATOMIC,
} from '../type-plan.js';
import { OBJECT_META, SERVER_OWNED_META } from './object-meta.js';

/** How the bodies of a kind are decoded, as in `ResourceModule.decoding`. */
export type Decoding = 'typed' | 'structural';

/**
 * Compiles the plan of a resource version. Takes time linear in the schema, and compiles shared parts once. With
 * `keysMayMiss`, items of lists may lack a key that the schema requires.
 */
export function compileTypedPlan(schema: Schema, decoding: Decoding, keysMayMiss = false): TypedPlan {
  const compiler: Compiler = { typed: decoding === 'typed', keysMayMiss, inherited: new Map(), plain: new Map() };
  const declared = planOf(compiler, schema, false);
  const metadata = untracked(planOf({ ...compiler, typed: true }, OBJECT_META, false), SERVER_OWNED_META);
  const root = withFields(asGranular(declared), [
    ['apiVersion', SCALAR.string, 'none'],
    ['kind', SCALAR.string, 'none'],
    ['metadata', metadata, 'parts'],
  ]);
  return { root, initial: { ...initialObject(schema, decoding === 'typed'), metadata: {} } };
}

/** Makes a plan granular, because nobody can own an object as a whole, even if its schema is atomic. */
function asGranular(plan: TypePlan): TypePlan {
  const map = plan.map ?? DEDUCED.map;
  return map?.atomic ? { ...plan, map: { ...map, atomic: false, values: DEDUCED } } : plan;
}

/** Returns the plan with some members that nobody can own. */
function untracked(plan: TypePlan, names: readonly string[]): TypePlan {
  const more = names.map((name) => [name, plan.map?.fields.get(name)?.type ?? DEDUCED, 'none'] as const);
  return withFields(plan, more);
}

interface Compiler {
  readonly typed: boolean;
  readonly keysMayMiss: boolean;
  /** The plans of nodes below a node that preserves unknown fields; `plain` has the plans of other nodes. */
  readonly inherited: Map<Schema, TypePlan>;
  readonly plain: Map<Schema, TypePlan>;
}

const SCALAR: Readonly<Record<ScalarKind, TypePlan>> = {
  string: scalarPlan('string'),
  numeric: scalarPlan('numeric'),
  boolean: scalarPlan('boolean'),
  untyped: scalarPlan('untyped'),
};

function scalarPlan(scalar: ScalarKind): TypePlan {
  return { scalar, list: undefined, map: undefined, hasAtomicParts: false };
}

/** Compiles a schema. If it preserves unknown fields, all schemas below it do too. */
function planOf(compiler: Compiler, schema: Schema, preserves: boolean): TypePlan {
  const open = preserves || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const known = open ? compiler.inherited : compiler.plain;
  const seen = known.get(schema);
  if (seen !== undefined) return seen;
  const plan = buildPlan(compiler, schema, open);
  known.set(schema, plan);
  return plan;
}

function buildPlan(compiler: Compiler, schema: Schema, open: boolean): TypePlan {
  const shared = SPECIAL_TYPES.get(sharedTypeName(schema));
  if (shared !== undefined) return shared;
  if (schema['x-kubernetes-int-or-string'] === true) return SCALAR.untyped;
  switch (schema.type) {
    case 'object':
      return objectPlan(compiler, schema, open);
    case 'array':
      return listPlan(compiler, schema, open);
    case 'integer':
    case 'number':
      return SCALAR.numeric;
    case 'boolean':
      return SCALAR.boolean;
    case 'string':
      return schema.format === undefined || schema.format === 'byte' ? SCALAR.string : SCALAR.untyped;
    default:
      return untypedPlan(compiler, schema, open);
  }
}

/** Shared types that allow more than their schema says: quantities may be numbers, raw extensions any value. */
const SPECIAL_TYPES: ReadonlyMap<string, TypePlan> = new Map([
  ['Quantity', SCALAR.untyped],
  ['RawExtension', UNTYPED_ATOMIC],
]);

function sharedTypeName(schema: Schema): string {
  return schema['x-kindforge-type']?.split(/[#/]/).at(-1) ?? '';
}

/** Compiles a node without a type: an object if it names members, otherwise any value. */
function untypedPlan(compiler: Compiler, schema: Schema, open: boolean): TypePlan {
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) {
    return objectPlan(compiler, schema, open);
  }
  if (schema.items !== undefined) return listPlan(compiler, schema, open);
  return open ? DEDUCED : UNTYPED_ATOMIC;
}

function objectPlan(compiler: Compiler, schema: Schema, open: boolean): TypePlan {
  const fields = new Map<string, FieldPlan>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    fields.set(name, { element: fieldElement(name), type: planOf(compiler, property, open), tracking: 'all' });
  }
  const map: MapPlan = {
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    fields,
    values: valuesPlan(compiler, schema, open),
  };
  const plan = mapTypePlan(map);
  return schema['x-kubernetes-embedded-resource'] === true ? withEmbeddedFields(compiler, plan) : plan;
}

function mapTypePlan(map: MapPlan): TypePlan {
  const inside = [...map.fields.values()].some(({ type }) => type.hasAtomicParts);
  const hasAtomicParts = map.atomic || inside || (map.values?.hasAtomicParts ?? false);
  return { scalar: undefined, list: undefined, map, hasAtomicParts };
}

/** Adds the fields of an embedded object, including its metadata. */
function withEmbeddedFields(compiler: Compiler, plan: TypePlan): TypePlan {
  const metadata = planOf({ ...compiler, typed: true }, OBJECT_META, false);
  return withFields(plan, [
    ['apiVersion', SCALAR.string, 'all'],
    ['kind', SCALAR.string, 'all'],
    ['metadata', metadata, 'all'],
  ]);
}

function withFields(plan: TypePlan, more: readonly (readonly [string, TypePlan, Tracking])[]): TypePlan {
  const map = plan.map ?? { atomic: false, fields: new Map(), values: DEDUCED };
  const fields = new Map(map.fields);
  for (const [name, type, tracking] of more) fields.set(name, { element: fieldElement(name), type, tracking });
  return mapTypePlan({ ...map, fields });
}

/** Returns the type of members that are not in `properties`. An object without properties may have any members. */
function valuesPlan(compiler: Compiler, schema: Schema, open: boolean): TypePlan | undefined {
  const additional = schema.additionalProperties;
  if (typeof additional === 'object') return planOf(compiler, additional, open);
  if (additional === undefined) return open || schema.properties === undefined ? DEDUCED : undefined;
  return additional || open ? DEDUCED : undefined;
}

function listPlan(compiler: Compiler, schema: Schema, open: boolean): TypePlan {
  const items = schema.items === undefined ? DEDUCED : planOf(compiler, schema.items, open);
  const relation = relationOf(schema);
  const keys = relation === 'map' ? keysOf(compiler, schema) : [];
  const list: ListPlan = { relation, keys, items };
  const hasAtomicParts = relation === 'atomic' || items.hasAtomicParts;
  return { scalar: undefined, list, map: undefined, hasAtomicParts };
}

/**
 * Returns the list type. Without a list type, the markers of strategic merge decide. Without markers, lists are atomic.
 */
function relationOf(schema: Schema): ListRelation {
  const declared = schema['x-kubernetes-list-type'];
  if (declared !== undefined) return declared;
  const merges = schema['x-kubernetes-patch-strategy']?.split(',').includes('merge') ?? false;
  if (!merges) return 'atomic';
  return schema['x-kubernetes-patch-merge-key'] === undefined ? 'set' : 'map';
}

function keysOf(compiler: Compiler, schema: Schema): readonly ListKey[] {
  const mergeKey = schema['x-kubernetes-patch-merge-key'];
  const legacy = schema['x-kubernetes-list-type'] === undefined;
  const names = legacy ? [mergeKey ?? ''] : (schema['x-kubernetes-list-map-keys'] ?? []);
  return [...names].sort(byCodePoint).map((name) => listKey(compiler, schema.items, name));
}

/** Returns a key of a list. In typed kinds a missing required key has its zero value, like every required scalar. */
function listKey(compiler: Compiler, items: Schema | undefined, name: string): ListKey {
  const property = getOwn(items?.properties ?? {}, name);
  const required = items?.required?.includes(name) ?? false;
  const standIn = property?.default ?? (compiler.typed && required ? zeroOf(property) : undefined);
  const needed = required && !compiler.keysMayMiss;
  return standIn === undefined ? { name, required: needed } : { name, required: needed, default: standIn };
}

function zeroOf(schema: Schema | undefined): JsonValue | undefined {
  if (schema?.type === 'string') return '';
  if (schema?.type === 'integer' || schema?.type === 'number') return 0;
  return schema?.type === 'boolean' ? false : undefined;
}

/**
 * Returns the parts of an object that always exist. A manager that writes below them does not become their owner. Lists
 * of items with required keys always exist too, as null.
 */
function initialObject(schema: Schema, typed: boolean): JsonObject {
  const initial: JsonObject = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    // A required object of a typed kind always exists.
    const required = typed && property.type === 'object' && schema.required?.includes(name);
    const presence = property['x-kindforge-presence'];
    if (presence === 'nullable') setOwn(initial, name, null);
    else if (presence === 'always' || required) setOwn(initial, name, initialValue(property));
  }
  return initial;
}

/** Returns the value of a part that always exists, before the first write. */
function initialValue(schema: Schema): JsonValue {
  if (schema.type === 'object') return { ...initialObject(schema, false), ...requiredLists(schema) };
  const { type, format } = schema;
  if (type === 'string') return format === undefined ? '' : null;
  if (type === 'boolean') return false;
  return type === 'integer' || type === 'number' ? 0 : null;
}

function requiredLists(schema: Schema): JsonObject {
  const lists: JsonObject = {};
  for (const name of schema.required ?? []) {
    const property = getOwn(schema.properties ?? {}, name);
    if (property?.type === 'array' && relationOf(property) === 'map') setOwn(lists, name, null);
  }
  return lists;
}
