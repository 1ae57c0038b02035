/** Reads the decoded bodies of typed kinds. */
import type { JsonObject, JsonValue, Schema } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { itemStructName, structName, wantedType } from '../../../runtime/schema/emit/type-names.js';
import { type Node, NodeTable } from '../../../runtime/schema/node.js';
import * as support from '../../../runtime/schema/support.js';
import { typeAgain } from './again.js';

type Wrong = support.Mismatch | undefined;

/** Whether unknown fields stay. */
const isOpen = (schema: Schema): boolean => schema['x-kubernetes-preserve-unknown-fields'] === true;

/** Reads the fields of an object in place; answers the first value of a wrong type. */
export function readObject(schema: Schema, object: JsonObject, struct: string, skipped: readonly string[] = []): Wrong {
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    if (skipped.includes(name)) continue;
    const wrong = readField(child, object, name, struct);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function readField(schema: Schema, object: JsonObject, name: string, struct: string): Wrong {
  const presence = schema['x-kindforge-presence'] ?? 'explicit';
  const zero = zeroOf(schema);
  let value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (presence === 'always' && (value === undefined || value === null)) {
    object[name] = zero;
    if (zero === null) return undefined;
    value = object[name];
  }
  if (presence === 'nullable' && (value === undefined || value === null)) {
    object[name] = null;
    return undefined;
  }
  const isZero = presence === 'implicit' && (value === '' || value === 0 || value === false) && value === zero0(schema);
  if (value === null || isZero) delete object[name];
  if (value === undefined || value === null || isZero) return undefined;
  const read = readValue(schema, value, { struct, field: name, own: structName(nodeOf(schema), struct, name) });
  if (read.wrong !== undefined) return read.wrong;
  object[name] = read.value;
  const isStruct = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0;
  if (presence === 'implicit' && !isStruct && (schema.type === 'array' || schema.type === 'object')) {
    if (support.isEmpty(object[name])) delete object[name];
  }
  return undefined;
}

interface Read {
  readonly wrong?: support.Mismatch;
  readonly value: JsonValue;
}

/** Where a value stands: the field that holds it, the struct that the field belongs to, and the struct that it is. */
interface Place {
  readonly struct: string;
  readonly field: string;
  readonly own: string;
}

function readValue(schema: Schema, value: JsonValue, place: Place): Read {
  const again = typeAgain(schema);
  if (again !== undefined) return readAgain(schema, again, value, place);
  const { struct, field } = place;
  const unless = (passes: boolean, report: typeof support.mismatch): Read =>
    passes ? { value } : { wrong: report(struct, field, wantedBy(schema, place), value), value };
  if (schema['x-kubernetes-int-or-string']) {
    const isEither = typeof value === 'string' || support.isInt32(value);
    return isEither ? { value } : { wrong: support.notInteger(struct, field, 'int32', value), value };
  }
  switch (schema.type) {
    case 'boolean':
      return unless(typeof value === 'boolean', support.mismatch);
    case 'number':
      return unless(support.isNumber(value), support.mismatch);
    case 'integer':
      return unless(schema.format === 'int32' ? support.isInt32(value) : support.isInt64(value), support.notInteger);
    case 'string':
      return readText(schema, value, place);
    case 'array':
      return Array.isArray(value) ? readList(schema, value, place) : unless(false, support.mismatch);
    case 'object':
      if (isOpen(schema)) return { value };
      return isObject(value) ? readNested(schema, value, place) : unless(false, support.mismatch);
    default:
      return { value };
  }
}

/** A value of a type that it is within, or perhaps something else. */
function readAgain(schema: Schema, again: Schema, value: JsonValue, place: Place): Read {
  const { struct, field } = place;
  const or = schema['x-kindforge-or'];
  const [name = ''] = schema['x-kindforge-within']?.split('#/').reverse() ?? [];
  if (or === undefined && !isObject(value)) {
    return { wrong: support.mismatch(struct, field, wantedBy(schema, place), value), value };
  }
  for (const one of Array.isArray(value) ? value : [value]) {
    const wrong = isObject(one) ? readObject(again, one, name) : undefined;
    if (wrong !== undefined) return { wrong: support.under(field, wrong), value };
  }
  return { value };
}

function readText(schema: Schema, value: JsonValue, place: Place): Read {
  const { struct, field } = place;
  const wanted = wantedBy(schema, place);
  const isMicro = schema['x-kindforge-time'] === 'micros';
  if (schema.format === 'quantity') {
    const read = support.readQuantity(value, struct, field, wanted);
    return typeof read === 'string' ? { value: read } : { wrong: read, value };
  }
  if (isMicro || schema.format === 'date-time' || schema.format === 'byte') {
    const bytes = schema.format === 'byte' && !isMicro;
    const reader = isMicro ? support.readMicroTime : bytes ? support.readBytes : support.readTime;
    const read = reader(value, struct, field, wanted);
    return typeof read === 'string' ? { value: read } : { wrong: read, value };
  }
  return typeof value === 'string' ? { value } : { wrong: support.mismatch(struct, field, wanted, value), value };
}

function readList({ items }: Schema, value: JsonValue[], place: Place): Read {
  for (let i = 0; items !== undefined && i < value.length; i++) {
    const read = readElement(items, value[i] ?? null, place);
    if (read.wrong !== undefined) return read;
    value[i] = read.value;
  }
  return { value };
}

/** An item of a list or a value of a map: null stands for the zero. */
function readElement(schema: Schema, value: JsonValue, { struct, field }: Place): Read {
  const filled = value === null ? emptyElement(schema) : value;
  return readValue(schema, filled, { struct, field, own: itemStructName(nodeOf(schema), struct, field) });
}

function emptyElement(schema: Schema): JsonValue {
  if (schema.type === 'array') return [];
  return schema.type === 'string' && schema.format === 'byte' ? '' : zeroOf(schema);
}

function readNested(schema: Schema, value: JsonObject, place: Place): Read {
  if (typeof schema.additionalProperties === 'object') {
    for (const key of Object.keys(value)) {
      const read = readElement(schema.additionalProperties, value[key] ?? null, place);
      if (read.wrong !== undefined) return read;
      value[key] = read.value;
    }
    return { value };
  }
  const wrong = readObject(schema, value, place.own);
  return wrong === undefined ? { value } : { wrong: support.under(place.field, wrong), value };
}

const nodes = new NodeTable();

/** Names of types are no rule that could be told in two ways, so they come from the compiler. */
const nodeOf = (schema: Schema): Node => nodes.node(schema);

function wantedBy(schema: Schema, { struct, field, own }: Place): string {
  const { additionalProperties, items } = schema;
  const inner = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  return wantedType(nodeOf(schema), inner ? itemStructName(nodeOf(inner), struct, field) : own, 'v1');
}

/** The value of a field that is never absent, where it was not given. */
function zeroOf(schema: Schema): JsonValue {
  if (schema['x-kubernetes-int-or-string']) return 0;
  if (schema.type === 'object') return {};
  if (schema.type === 'string' && (schema.format === 'date-time' || schema.format === 'byte')) return null;
  return zero0(schema) ?? null;
}

function zero0({ type, format }: Schema): JsonValue | undefined {
  if (type === 'string') return format === 'quantity' ? '0' : '';
  if (type === 'boolean') return false;
  return type === 'integer' || type === 'number' ? 0 : undefined;
}
