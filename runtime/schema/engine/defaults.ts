/** Fills in defaults, and removes nulls from fields in which null is not a value. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import type { Field, Fields, Node, Table } from './table.js';

type Value = JsonValue | undefined;

/** Fills in the defaults of a typed kind in place. Reading has removed the nulls. */
export function fillTyped({ root, body }: Table, object: JsonObject): void {
  if (root.defaults === 'walk') fillObject(root, body, object, false);
}

/** Fills in the defaults of a structural kind in place, and removes the nulls that its schema does not allow. */
export function fillStructural({ root, body }: Table, object: JsonObject): void {
  if (root.defaults === 'nothing') return;
  // The rest of the object belongs to the runtime, so that only the fields of the schema lose their nulls.
  dropNamedNulls(object, body.plain);
  fillObject(root, body, object, true);
}

function fill(found: Node, value: Value, nulls: boolean): void {
  if (typeof value !== 'object' || value === null) return;
  const node = found.again ?? found;
  if (node.defaults === 'nulls') dropNullsBelow(value);
  else if (Array.isArray(value)) fillItems(node.items, value, nulls);
  else {
    if (nulls) dropNullFields(node, value);
    fillObject(node, node.fields, value, nulls);
  }
}

/** Drops nulls. Fields without a schema keep theirs. */
function dropNullFields({ fields, keepsUnknown, values, anyValues }: Node, object: JsonObject): void {
  if (fields.list.length === 0) return;
  if (keepsUnknown || anyValues || values !== undefined) dropNamedNulls(object, fields.plain);
  else dropNulls(object, fields.nullable);
}

function fillObject(node: Node, fields: Fields, object: JsonObject, nulls: boolean): void {
  for (const field of fields.withDefault) fillField(field, object);
  for (const field of fields.aboveDefaults) {
    fill(field.node, field.isInherited ? getOwn(object, field.name) : object[field.name], nulls);
  }
  if (node.values !== undefined) fillValues(node.values, node.fields, object, nulls);
}

/** Sets the default of an absent field. A field that is always stored already has its zero. */
function fillField(field: Field, object: JsonObject): void {
  const { name, isInherited, defaultsZero, default: value } = field;
  const found = isInherited ? getOwn(object, name) : object[name];
  if (value !== undefined && (defaultsZero ? !found : found === undefined)) setOwn(object, name, clone(value));
}

function fillValues(node: Node, { byName }: Fields, object: JsonObject, nulls: boolean): void {
  const { default: fallback, nullable } = node.schema;
  const replaces = nulls && nullable !== true;
  if (!replaces && node.defaults === 'nothing') return;
  for (const key in object) {
    if (byName.has(key)) continue;
    if (replaces && object[key] === null) {
      if (fallback === undefined || fallback === null) delete object[key];
      else object[key] = clone(fallback);
    }
    fill(node, object[key], nulls);
  }
}

function fillItems(node: Node | undefined, list: JsonValue[], nulls: boolean): void {
  if (node === undefined) return;
  const { default: fallback, nullable } = node.schema;
  const replaces = nulls && nullable !== true && fallback !== undefined && fallback !== null;
  if (!replaces && node.defaults === 'nothing') return;
  for (let i = 0; i < list.length; i++) {
    if (replaces && list[i] === null) list[i] = clone(fallback);
    const item = list[i];
    if (isObject(item) || Array.isArray(item)) fill(node, item, nulls);
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
