/** Turns one schema of an OpenAPI document into a node of the native format, keeping what the format can say. */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { setOwn } from '../../runtime/objects/guards.js';
import { identity } from '../../runtime/schema/engine/identity.js';
import { get, isObject, list, object, type Raw, string, written } from '../../runtime/schema/read.js';
import { isSchemaKey } from '../../runtime/schema/schema-keys.js';
import type { Path } from '../diagnostics/problem.js';
import { zeroOrDefault } from './defaults.js';
import { idOf, unwrap } from './document.js';
import { typed } from './hidden-types.js';
import { withoutTypes } from './junctors.js';
import { markerFits } from './markers.js';
import type { Remarks } from './remarks.js';

/** The context of a conversion. */
export interface Conversion {
  /** The conversion of a reference to a definition; undefined where there is no such definition. */
  readonly reference: (id: string) => JsonObject | undefined;
  readonly remarks: Remarks;
}

/** Keys that are dealt with by `convertNode` itself. */
const STRUCTURE = new Set([
  '$ref',
  'type',
  'properties',
  'items',
  'additionalProperties',
  'required',
  'default',
  'uniqueItems',
]);

/** Keys that say what a type is, which beside a reference the type alone decides. */
const SHAPE = new Set(['type', 'format', 'properties', 'items', 'additionalProperties', 'required', 'uniqueItems']);

const JUNCTORS = new Set(['allOf', 'anyOf', 'oneOf', 'not']);

/** Keys that say nothing about values; nobody misses them. */
const SILENT = new Set([
  'readOnly',
  'writeOnly',
  'deprecated',
  'xml',
  'x-kubernetes-group-version-kind',
  'x-re2-pattern',
]);

const TYPES = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean']);

export const ANYTHING = 'x-kubernetes-preserve-unknown-fields';
export const INT_OR_STRING = 'x-kubernetes-int-or-string';
const LIST_TYPE = 'x-kubernetes-list-type';

/** Markers that are true or absent. */
const SPECIAL = new Set([ANYTHING, INT_OR_STRING, 'x-kubernetes-embedded-resource']);

/** A node that accepts and keeps any value. */
export const anything = (): JsonObject => ({ [ANYTHING]: true });

/** Converts a node and what is below it. As deep as the text, which the reader of texts bounds. */
export function convertNode(raw: Raw, path: Path, conversion: Conversion): JsonObject {
  if (!isObject(raw)) {
    conversion.remarks({ severity: 'error', path, message: 'should be a schema' });
    return anything();
  }
  const source = typed(unwrap(raw));
  const reference = get(source, '$ref');
  if (reference !== undefined) return refer(reference, source, path, conversion);
  const shape = isIntOrString(source) ? { [INT_OR_STRING]: true } : shapeOf(source, path, conversion);
  const node: JsonObject = { ...shape, ...keywords(source, path, conversion) };
  return { ...node, ...zeroOrDefault(source, node) };
}

function refer(reference: JsonValue | undefined, source: JsonObject, path: Path, conversion: Conversion): JsonObject {
  const text = string(reference);
  const id = text === undefined ? undefined : idOf(text);
  const target = id === undefined ? undefined : conversion.reference(id);
  if (target === undefined) {
    const message = text === undefined ? 'should be a string' : `leads nowhere: ${JSON.stringify(text)}`;
    conversion.remarks({ severity: 'error', path: [...path, '$ref'], message });
    return anything();
  }
  const siblings = Object.fromEntries(written(source).filter(([key]) => !SHAPE.has(key)));
  const node = { ...target, ...keywords(siblings, path, conversion) };
  return { ...node, ...zeroOrDefault(source, node) };
}

/** Whether a node is an integer or a string, in any of the ways to say so. */
function isIntOrString(source: JsonObject): boolean {
  if (source[INT_OR_STRING] === true || source.format === 'int-or-string') return true;
  const types = [...list(source.anyOf), ...list(source.oneOf)].map((each) => string(get(each, 'type')));
  return source.type === undefined && types.length === 2 && types.includes('integer') && types.includes('string');
}

/** Type, fields and items. */
function shapeOf(source: JsonObject, path: Path, conversion: Conversion): JsonObject {
  const type = typeOf(source, path, conversion.remarks);
  if (type === 'array') return arrayOf(source, path, conversion);
  if (type === 'object') return objectOf(source, path, conversion);
  return type === undefined ? anything() : { type };
}

/** The type as it is written, or as it follows from what else is; undefined where the node may hold anything. */
function typeOf(source: JsonObject, path: Path, remarks: Remarks): string | undefined {
  const type = string(source.type);
  if (type !== undefined && TYPES.has(type)) return type;
  if (source.type !== undefined && source.type !== null) {
    const message = `${JSON.stringify(source.type)} is not a type; the types are ${[...TYPES].join(', ')}`;
    remarks({ severity: 'error', path: [...path, 'type'], message });
  }
  if (isObject(source.properties) || isObject(source.additionalProperties)) return 'object';
  return isObject(source.items) ? 'array' : undefined;
}

function arrayOf(source: JsonObject, path: Path, conversion: Conversion): JsonObject {
  const items = source.items === undefined ? anything() : convertNode(source.items, [...path, 'items'], conversion);
  const isSet = source.uniqueItems === true && source[LIST_TYPE] === undefined && isScalar(items);
  return { type: 'array', ...(isSet ? { [LIST_TYPE]: 'set' } : {}), items };
}

const isScalar = ({ type }: JsonObject): boolean => type !== undefined && type !== 'object' && type !== 'array';

function objectOf(source: JsonObject, path: Path, conversion: Conversion): JsonObject {
  const properties = object(source.properties);
  const values = source.additionalProperties;
  if (properties === undefined || Object.keys(properties).length === 0) {
    if (isObject(values) || typeof values === 'boolean') {
      return { type: 'object', ...mapOf(values, path, conversion) };
    }
    // A document says no more of an object whose fields it does not know than of one that has none.
    return { type: 'object', ...anything() };
  }
  const fields: JsonObject = {};
  for (const [name, child] of written(properties)) {
    setOwn(fields, name, convertNode(child, [...path, 'properties', name], conversion));
  }
  const required = list(source.required).filter((name) => typeof name === 'string' && Object.hasOwn(fields, name));
  return {
    type: 'object',
    ...(values === undefined || values === false ? {} : anything()),
    ...(required.length === 0 ? {} : { required }),
    properties: fields,
  };
}

function mapOf(values: JsonObject | boolean, path: Path, conversion: Conversion): JsonObject {
  if (values === false) return {};
  if (values === true) return anything();
  return { additionalProperties: convertNode(values, [...path, 'additionalProperties'], conversion) };
}

/** The values of an enum, each once. */
function distinct(values: readonly JsonValue[]): JsonValue[] {
  return [...new Map(values.map((value) => [identity(value), value])).values()];
}

/** Whether a key says of a node what it is anyway: that it is none of the special ones, or that it is one twice. */
function saysNothing(key: string, source: JsonObject): boolean {
  if (key === 'format') return source.format === 'int-or-string';
  return SPECIAL.has(key) && (source[key] === false || (key === ANYTHING && isIntOrString(source)));
}

/** All keys that the format has too, but for structure. */
function keywords(source: JsonObject, path: Path, conversion: Conversion): JsonObject {
  const node: JsonObject = {};
  for (const [key, value] of written(source)) {
    const left = (why: string): void =>
      conversion.remarks({ severity: 'note', path: [...path, key], message: `\`${key}\` is left out: ${why}` });
    if (STRUCTURE.has(key) || SILENT.has(key) || saysNothing(key, source)) continue;
    if (JUNCTORS.has(key)) {
      if (isIntOrString(source)) continue;
      const rules = withoutTypes(key, value);
      if (rules === undefined) left('its schemas are types of their own');
      else node[key] = rules;
    } else if (!markerFits(key, source)) left(`it means nothing on a value of type ${String(source.type)}`);
    else if (key === 'enum' && Array.isArray(value)) node.enum = distinct(value);
    else if (isSchemaKey(key) && !key.startsWith('x-kindforge-')) node[key] = value;
    else left('the native format has no such key');
  }
  const pattern = source['x-re2-pattern'];
  return typeof pattern === 'string' ? { ...node, pattern } : node;
}
