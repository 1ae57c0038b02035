/** A schema for merging: which values are leaves, and how to identify the parts of other values. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import type { PathElement } from './path-element.js';

export type ScalarKind = 'string' | 'numeric' | 'boolean' | 'untyped';

/**
 * How one place in an object merges. It may allow several JSON types. A member that is `undefined` means that its type
 * is not allowed.
 */
export interface TypePlan {
  readonly scalar: ScalarKind | undefined;
  readonly list: ListPlan | undefined;
  readonly map: MapPlan | undefined;
  /** Whether anything here or below is atomic, but could have been granular in an earlier schema (see `reconcile`). */
  readonly hasAtomicParts: boolean;
}

/** `atomic` means one owner for the whole, `set` scalars with one owner each, and `map` objects that keys identify. */
export type ListRelation = 'atomic' | 'set' | 'map';

export interface ListPlan {
  readonly relation: ListRelation;
  /** Sorted by name; only for `map`. */
  readonly keys: readonly ListKey[];
  readonly items: TypePlan;
}

export interface ListKey {
  readonly name: string;
  /** The value of a key that an item does not have. */
  readonly default?: JsonValue;
  /** Whether each item must have this key or its default. Not all of the other keys may be missing. */
  readonly required: boolean;
}

export interface MapPlan {
  /** Whether the whole has one owner. */
  readonly atomic: boolean;
  /** Members that the schema names. */
  readonly fields: ReadonlyMap<string, FieldPlan>;
  /** The type of every other member; `undefined` if there cannot be others. */
  readonly values: TypePlan | undefined;
}

/** How managers own a member: with its parts, only its parts, or not at all. */
export type Tracking = 'all' | 'parts' | 'none';

export interface FieldPlan {
  readonly element: PathElement;
  readonly type: TypePlan;
  readonly tracking: Tracking;
}

/** The plan of a resource version, made once with the resource. */
export interface TypedPlan {
  readonly root: TypePlan;
  /** A new object before the first write, with the parts that always exist. */
  readonly initial: JsonObject;
}

/** Any value, with one owner for the whole. */
export const UNTYPED_ATOMIC: TypePlan = selfReferring((self) => ({
  scalar: 'untyped',
  list: { relation: 'atomic', keys: [], items: self },
  map: { atomic: true, fields: new Map(), values: self },
  hasAtomicParts: false,
}));

/** Any value without a schema. Each member has its own owner, and each list has one. */
export const DEDUCED: TypePlan = selfReferring((self) => ({
  scalar: 'untyped',
  list: { relation: 'atomic', keys: [], items: UNTYPED_ATOMIC },
  map: { atomic: false, fields: new Map(), values: self },
  hasAtomicParts: false,
}));

function selfReferring(build: (self: TypePlan) => TypePlan): TypePlan {
  const self: { -readonly [K in keyof TypePlan]: TypePlan[K] } = {
    scalar: undefined,
    list: undefined,
    map: undefined,
    hasAtomicParts: false,
  };
  return Object.assign(self, build(self));
}

/** Returns the plan of a member. Members without a schema merge as `DEDUCED`. */
export function memberType(map: MapPlan, key: string): TypePlan {
  return map.fields.get(key)?.type ?? map.values ?? DEDUCED;
}

/** Returns the plan of an object (or null) with separately owned members, if the value is such an object. */
export function granularMap(type: TypePlan, value: JsonValue): MapPlan | undefined {
  const fits = value === null || (typeof value === 'object' && !Array.isArray(value));
  return fits && type.map !== undefined && !type.map.atomic ? type.map : undefined;
}

/** Returns the plan of a list (or null) with separately owned items, if the value is such a list. */
export function granularList(type: TypePlan, value: JsonValue): ListPlan | undefined {
  const list = type.list;
  if (list === undefined || list.relation === 'atomic') return undefined;
  if (Array.isArray(value)) return list;
  return value === null && type.map === undefined && type.scalar === undefined ? list : undefined;
}
