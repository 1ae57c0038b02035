/** A schema as merging sees it: which values are leaves, and how the parts of the others are told apart. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import type { PathElement } from '../fieldpath/path-element.js';

/** The types of scalars. */
export type ScalarKind = 'string' | 'numeric' | 'boolean' | 'untyped';

/** How one place in an object merges. It may allow several JSON types; `undefined` is a type it does not allow. */
export interface TypePlan {
  readonly scalar: ScalarKind | undefined;
  readonly list: ListPlan | undefined;
  readonly map: MapPlan | undefined;
  /** Whether anything here or below is atomic that could have been granular once (see `reconcile.ts`). */
  readonly hasAtomicParts: boolean;
}

/** `atomic`: one owner for the whole. `set`: of scalars, one owner each. `map`: of objects told apart by keys. */
export type ListRelation = 'atomic' | 'set' | 'map';

export interface ListPlan {
  readonly relation: ListRelation;
  /** Sorted by name; empty but for `map`. */
  readonly keys: readonly ListKey[];
  readonly items: TypePlan;
}

export interface ListKey {
  readonly name: string;
  /** Stands in for an item's missing key. */
  readonly default?: JsonValue;
  /** Without it and without a default an item cannot be told apart; other keys may be missing, but not all. */
  readonly required: boolean;
}

export interface MapPlan {
  /** Whether the whole has one owner. */
  readonly atomic: boolean;
  /** Members that the schema names. */
  readonly fields: ReadonlyMap<string, FieldPlan>;
  /** Type of every other member; `undefined` where there may be none. */
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

/** Any value, where no schema says more: members have owners of their own, lists have one. */
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

/** The plan of a member; what no schema knows merges as deduced. */
export function memberType(map: MapPlan, key: string): TypePlan {
  return map.fields.get(key)?.type ?? map.values ?? DEDUCED;
}

/** The plan by which this value has parts with owners of their own, if it is an object (or null) and has. */
export function granularMap(type: TypePlan, value: JsonValue): MapPlan | undefined {
  const fits = value === null || (typeof value === 'object' && !Array.isArray(value));
  return fits && type.map !== undefined && !type.map.atomic ? type.map : undefined;
}

/** The plan by which this value has items with owners of their own, if it is a list (or null) and has. */
export function granularList(type: TypePlan, value: JsonValue): ListPlan | undefined {
  const list = type.list;
  if (list === undefined || list.relation === 'atomic') return undefined;
  if (Array.isArray(value)) return list;
  return value === null && type.map === undefined && type.scalar === undefined ? list : undefined;
}
