/** Removes the fields that a schema does not have, and fills in the defaults of absent fields. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import { byCodePoint } from '../../objects/printing.js';
import { Path } from './findings.js';
import { type Field, type Fields, isHead, type Node, type Table } from './table.js';
import type { Value } from './value.js';

/** The most reported paths of one object, and their most characters in total. */
const maxPaths = 1000;
const maxCharacters = 1024 * 1024;

/** Returns the path of a property; at the root, only the name. */
export function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Removes unknown fields and remembers their paths up to a bound. Beyond the bound, it still removes fields. */
export class UnknownFields {
  private readonly paths: string[] = [];
  private characters = 0;

  /** Removes one field. */
  drop(object: JsonObject, name: string, path: string): void {
    delete object[name];
    if (this.paths.length >= maxPaths || this.characters >= maxCharacters) return;
    const full = below(path, name);
    this.characters += full.length;
    this.paths.push(full);
  }

  /** Reports every path, in alphabetical order if `sorted`, otherwise in the order of the walk. */
  reportTo(report: (path: string) => void, sorted: boolean): void {
    if (sorted) this.paths.sort(byCodePoint);
    for (const path of this.paths) report(path);
  }
}

/** A value that may have fields, and its path. */
type OpenValue = readonly [value: Value, path: string];

/** Adds the items of a list that are not scalars to the open values. */
function openItems(list: readonly Value[], path: string, open: OpenValue[]): void {
  for (const [i, item] of list.entries()) if (typeof item === 'object') open.push([item, `${path}[${i}]`]);
}

/**
 * Empties every object in a value that should be a scalar or a list of scalars, because its schema has no fields. Walks
 * lists in lists of any depth without recursion.
 */
function dropContents(value: Value, path: string, unknown: UnknownFields): void {
  if (typeof value !== 'object' || value === null) return;
  const open: OpenValue[] = [[value, path]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [found, at] = next;
    if (isObject(found)) for (const name of Object.keys(found)) unknown.drop(found, name, at);
    else if (Array.isArray(found)) openItems(found, at, open);
  }
}

/** Prunes the fields of a whole object in place, except its head. Adds removed fields to `unknown`. */
export function pruneObject(root: Node, object: JsonObject, unknown: UnknownFields): void {
  new Pruner(unknown).fields(root, object, { keeping: root.keepsUnknown, head: true });
}

/** Prunes a value at a path in place. */
export function pruneValue(node: Node, value: Value, path: string, unknown: UnknownFields): void {
  const pruner = new Pruner(unknown);
  pruner.path.enter(path);
  pruner.value(node, value);
}

interface Manner {
  /** Whether to keep fields that the schema does not have. */
  readonly keeping: boolean;
  /** Whether to keep the fields that every object has unchanged. */
  readonly head: boolean;
}

const strict: Manner = { keeping: false, head: false };
const keeping: Manner = { keeping: true, head: false };
const strictWithHead: Manner = { keeping: false, head: true };
const keepingWithHead: Manner = { keeping: true, head: true };

class Pruner {
  readonly path = new Path();

  constructor(private readonly unknown: UnknownFields) {}

  fields({ fields, values, anyValues }: Node, object: JsonObject, manner: Manner): void {
    const { byName } = fields;
    for (const key in object) {
      if (manner.head && isHead(key)) continue;
      const field = byName.get(key);
      const node = field === undefined ? values : field.node;
      if (node !== undefined || anyValues) {
        const value = object[key];
        if (typeof value !== 'object' || value === null) continue;
        this.path.enter(field === undefined ? `.${key}` : field.step);
        if (node === undefined) this.empty(value);
        else this.value(node, value);
        this.path.leave();
      } else if (!manner.keeping) this.unknown.drop(object, key, this.path.toString());
    }
  }

  /** Prunes a value. Empties a value of another type than its schema's. */
  value(node: Node, value: Value): void {
    if (typeof value !== 'object' || value === null) return;
    if (node.again !== undefined) this.again(node, node.again, value);
    else if (node.keepsUnknown) this.known(node, value);
    else if (node.isOpaque) this.empty(value);
    else if (Array.isArray(value)) this.items(node.items, value);
    else if (holdsObjects(node)) this.fields(node, value, node.embedded ? strictWithHead : strict);
    else this.empty(value);
  }

  /** Prunes only the parts that a schema describes, in a value that keeps unknown fields. */
  private known(node: Node, value: JsonObject | JsonValue[]): void {
    if (node.again !== undefined) this.again(node, node.again, value);
    else if (!Array.isArray(value)) this.fields(node, value, node.embedded ? keepingWithHead : keeping);
    else if (node.items !== undefined) {
      for (const [i, item] of value.entries()) {
        if (typeof item !== 'object' || item === null) continue;
        this.path.enter(i);
        this.known(node.items, item);
        this.path.leave();
      }
    }
  }

  private items(node: Node | undefined, list: JsonValue[]): void {
    if (node === undefined || node.isOpaque) {
      this.empty(list);
      return;
    }
    for (let i = 0; i < list.length; i++) {
      this.path.enter(i);
      this.value(node, list[i]);
      this.path.leave();
    }
  }

  /**
   * Prunes values of a type that contains itself. Does not report unknown fields in values that may be of another type.
   */
  private again(node: Node, type: Node, value: JsonObject | JsonValue[]): void {
    if (node.reading === 'again') this.value(type, value);
    else for (const one of Array.isArray(value) ? value : [value]) if (isObject(one)) pruneUnreported(type, one);
  }

  private empty(value: JsonObject | JsonValue[]): void {
    dropContents(value, this.path.toString(), this.unknown);
  }
}

const pruneUnreported = (type: Node, value: JsonObject): void => pruneValue(type, value, '', new UnknownFields());

const holdsObjects = (node: Node): boolean =>
  node.fields.list.length > 0 || node.values !== undefined || node.anyValues || node.embedded;

/**
 * The changes of a walk. `typed` fills in defaults, because reading has already removed the nulls. `structural` also
 * removes nulls that the schema does not allow. `nulls` only replaces such nulls with the default, or removes them if
 * the field has no default.
 */
type Mode = 'typed' | 'structural' | 'nulls';

/** Fills in the defaults of a typed kind in place. */
export function fillTyped({ root, body }: Table, object: JsonObject): void {
  if (root.defaults === 'walk') fillObject(root, body, object, 'typed');
}

/** Fills in the defaults of a structural kind in place, and removes the nulls that its schema does not allow. */
export function fillStructural(table: Table, object: JsonObject): void {
  fillBody(table, object, 'structural');
}

/**
 * Removes the nulls that the schema of a structural kind does not allow, in place. Does not add defaults to absent
 * fields.
 */
export function replaceNulls(table: Table, object: JsonObject): void {
  fillBody(table, object, 'nulls');
}

function fillBody({ root, body }: Table, object: JsonObject, mode: Mode): void {
  if (root.defaults === 'nothing') return;
  if (mode === 'nulls') replaceNullFields(body, object);
  // Removes nulls only from fields of the schema. The rest of the object belongs to the runtime.
  dropNamedNulls(object, body.plain);
  fillObject(root, body, object, mode);
}

function fill(found: Node, value: Value, mode: Mode): void {
  if (typeof value !== 'object' || value === null) return;
  const node = found.again ?? found;
  if (node.defaults === 'nulls') dropNullsBelow(value);
  else if (Array.isArray(value)) fillItems(node.items, value, mode);
  else {
    if (mode === 'nulls') replaceNullFields(node.fields, value);
    if (mode !== 'typed') dropNullFields(node, value);
    fillObject(node, node.fields, value, mode);
  }
}

/** Replaces nulls with defaults in fields that cannot be null. */
function replaceNullFields({ withDefault }: Fields, object: JsonObject): void {
  for (const { name, node, default: value } of withDefault) {
    if (value !== undefined && node.schema.nullable !== true && getOwn(object, name) === null)
      setOwn(object, name, clone(value));
  }
}

/** Removes nulls, except in fields without a schema. */
function dropNullFields({ fields, keepsUnknown, values, anyValues }: Node, object: JsonObject): void {
  if (fields.list.length === 0) return;
  if (keepsUnknown || anyValues || values !== undefined) dropNamedNulls(object, fields.plain);
  else dropNulls(object, fields.nullable);
}

function fillObject(node: Node, fields: Fields, object: JsonObject, mode: Mode): void {
  if (mode !== 'nulls') for (const field of fields.withDefault) fillField(field, object);
  for (const field of fields.aboveDefaults) {
    fill(field.node, field.isInherited ? getOwn(object, field.name) : object[field.name], mode);
  }
  if (node.values !== undefined) fillValues(node.values, node.fields, object, mode);
}

/** Sets the default of an absent field. Also replaces the zero of a field that is always stored. */
function fillField(field: Field, object: JsonObject): void {
  const { name, isInherited, defaultsZero, default: value } = field;
  const found = isInherited ? getOwn(object, name) : object[name];
  if (value !== undefined && (defaultsZero ? !found : found === undefined)) setOwn(object, name, clone(value));
}

function fillValues(node: Node, { byName }: Fields, object: JsonObject, mode: Mode): void {
  const { default: fallback, nullable } = node.schema;
  const replaces = mode !== 'typed' && nullable !== true;
  if (!replaces && node.defaults === 'nothing') return;
  for (const key in object) {
    if (byName.has(key)) continue;
    if (replaces && object[key] === null) {
      if (fallback === undefined || fallback === null) delete object[key];
      else object[key] = clone(fallback);
    }
    fill(node, object[key], mode);
  }
}

function fillItems(node: Node | undefined, list: JsonValue[], mode: Mode): void {
  if (node === undefined) return;
  const { default: fallback, nullable } = node.schema;
  const replaces = mode !== 'typed' && nullable !== true && fallback !== undefined && fallback !== null;
  if (!replaces && node.defaults === 'nothing') return;
  for (let i = 0; i < list.length; i++) {
    if (replaces && list[i] === null) list[i] = clone(fallback);
    const item = list[i];
    if (isObject(item) || Array.isArray(item)) fill(node, item, mode);
  }
}

/** Removes the null properties of an object, except nullable ones. */
function dropNulls(object: JsonObject, nullable?: ReadonlySet<string>): void {
  for (const key in object) {
    if (object[key] === null && !nullable?.has(key)) delete object[key];
  }
}

/** Removes the named properties that are null, for objects with unknown fields. */
function dropNamedNulls(object: JsonObject, names: ReadonlySet<string>): void {
  for (const key in object) {
    if (object[key] === null && names.has(key)) delete object[key];
  }
}

/** Removes null properties at every depth, for parts without defaults and without fields that may be null. */
function dropNullsBelow(value: Value): void {
  if (typeof value !== 'object' || value === null) return;
  const open: Value[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isObject(next)) dropNulls(next);
    for (const child of childrenOf(next)) if (typeof child === 'object' && child !== null) open.push(child);
  }
}

function childrenOf(value: Value): Value[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}
