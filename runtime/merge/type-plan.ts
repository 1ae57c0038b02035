/** A schema for merging: which values are leaves, and how the parts of the others are identified. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import type { PathElement } from './path-element.js';

export type ScalarKind = 'string' | 'numeric' | 'boolean' | 'untyped';

/** How one place in an object merges. It may allow several JSON types; `undefined` is a type it does not allow. */
export interface TypePlan {
  readonly scalar: ScalarKind | undefined;
  readonly list: ListPlan | undefined;
  readonly map: MapPlan | undefined;
  /** Whether anything here or below is atomic that could have been granular once (see `reconcile.ts`). */
  readonly hasAtomicParts: boolean;
}

/**
 * `atomic`: one owner for the whole. `set`: scalars with one owner each. `map`: objects that are identified by keys.
 */
export type ListRelation = 'atomic' | 'set' | 'map';

export interface ListPlan {
  readonly relation: ListRelation;
  /** Sorted by name; empty except for `map`. */
  readonly keys: readonly ListKey[];
  readonly items: TypePlan;
}

export interface ListKey {
  readonly name: string;
  /** Replaces a missing key of an item. */
  readonly default?: JsonValue;
  /** An item without this key and its default cannot be identified. Other keys may be missing, but not all. */
  readonly required: boolean;
}

export interface MapPlan {
  /** Whether the whole has one owner. */
  readonly atomic: boolean;
  /** Members that the schema names. */
  readonly fields: ReadonlyMap<string, FieldPlan>;
  /** Type of every other member; `undefined` if there can be none. */
  readonly values: TypePlan | undefined;
}

/** Whether managers come to own a member: with all its parts, only its parts, or not at all. */
export type Tracking = 'all' | 'parts' | 'none';

export interface FieldPlan {
  readonly element: PathElement;
  readonly type: TypePlan;
  readonly tracking: Tracking;
}

/** The plan of a resource version, made once when the resource is. */
export interface TypedPlan {
  readonly root: TypePlan;
  /** A new object before anything is written: the objects that always exist. */
  readonly initial: JsonObject;
}

/** Any value, one owner for the whole. */
export const UNTYPED_ATOMIC: TypePlan = selfReferring((self) => ({
  scalar: 'untyped',
  list: { relation: 'atomic', keys: [], items: self },
  map: { atomic: true, fields: new Map(), values: self },
  hasAtomicParts: false,
}));

/** Any value without a schema: its members have owners of their own, its lists have one. */
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

/** Returns the plan of a member. Members without a schema merge as deduced. */
export function memberType(map: MapPlan, key: string): TypePlan {
  return map.fields.get(key)?.type ?? map.values ?? DEDUCED;
}

/** Returns the plan of an object (or null) with separately owned members, if the value is one. */
export function granularMap(type: TypePlan, value: JsonValue): MapPlan | undefined {
  const fits = value === null || (typeof value === 'object' && !Array.isArray(value));
  return fits && type.map !== undefined && !type.map.atomic ? type.map : undefined;
}

/** Returns the plan of a list (or null) with separately owned items, if the value is one. */
export function granularList(type: TypePlan, value: JsonValue): ListPlan | undefined {
  const list = type.list;
  if (list === undefined || list.relation === 'atomic') return undefined;
  if (Array.isArray(value)) return list;
  return value === null && type.map === undefined && type.scalar === undefined ? list : undefined;
}
