/** Fills in defaults, and removes nulls from fields in which null is not a value. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import type { Field, Fields, Node, Table } from './table.js';

type Value = JsonValue | undefined;

/**
 * What a walk changes: `typed` fills in defaults, as reading has removed the nulls; `structural` removes the nulls that the
 * schema does not allow, too; `nulls` only does that, and puts the default in the place of a null.
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

/** Removes the nulls that the schema of a structural kind does not allow, in place. Adds no defaults to absent fields. */
export function replaceNulls(table: Table, object: JsonObject): void {
  fillBody(table, object, 'nulls');
}

function fillBody({ root, body }: Table, object: JsonObject, mode: Mode): void {
  if (root.defaults === 'nothing') return;
  if (mode === 'nulls') replaceNullFields(body, object);
  // The rest of the object belongs to the runtime, so that only the fields of the schema lose their nulls.
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

/** Puts defaults in the place of nulls that are not allowed. */
function replaceNullFields({ withDefault }: Fields, object: JsonObject): void {
  for (const { name, node, default: value } of withDefault) {
    if (value !== undefined && node.schema.nullable !== true && getOwn(object, name) === null)
      setOwn(object, name, clone(value));
  }
}

/** Drops nulls. Fields without a schema keep theirs. */
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

/** Sets the default of an absent field. A field that is always stored already has its zero. */
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
