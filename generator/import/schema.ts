/**
 * Converts a schema of an OpenAPI document into a node of the native format. Keeps everything that the format can
 * express.
 */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { getOwn, setOwn } from '../../runtime/objects/guards.js';
import { identity } from '../../runtime/schema/engine/value.js';
import { get, isObject, list, object, type Raw, string, written } from '../../runtime/schema/read.js';
import { isSchemaKey } from '../../runtime/schema/schema-keys.js';
import type { Path } from '../diagnostics/problem.js';
import { zeroOrDefault } from './defaults.js';
import { idOf, unwrap } from './document.js';
import { typed } from './hidden-types.js';
import type { Remarks } from './remarks.js';

/** The context of a conversion. */
export interface Conversion {
  /** Converts a reference to a definition; undefined if the definition does not exist. */
  readonly reference: (id: string) => JsonObject | undefined;
  readonly remarks: Remarks;
}

/** Keys that `convertNode` itself handles. */
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

/** Keys that describe a type. Beside a `$ref` they are ignored, because the referenced type has its own. */
const SHAPE = new Set(['type', 'format', 'properties', 'items', 'additionalProperties', 'required', 'uniqueItems']);

const JUNCTORS = new Set(['allOf', 'anyOf', 'oneOf', 'not']);

/** Keys that do not restrict values. */
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

/** Returns a node that accepts and keeps any value. */
export const anything = (): JsonObject => ({ [ANYTHING]: true });

/** Converts a node and everything below it. Recursion is as deep as the text, which its reader limits. */
export function convertNode(raw: Raw, path: Path, conversion: Conversion): JsonObject {
  if (!isObject(raw)) {
    conversion.remarks({ severity: 'error', path, message: 'must be a schema' });
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
    const message =
      text === undefined ? 'must be a string' : `refers to a definition that does not exist: ${JSON.stringify(text)}`;
    conversion.remarks({ severity: 'error', path: [...path, '$ref'], message });
    return anything();
  }
  const siblings = Object.fromEntries(written(source).filter(([key]) => !SHAPE.has(key)));
  const node = { ...target, ...keywords(siblings, path, conversion) };
  return { ...node, ...zeroOrDefault(source, node) };
}

/** Returns whether a node is an integer or a string, in any of the ways to write it. */
function isIntOrString(source: JsonObject): boolean {
  if (source[INT_OR_STRING] === true || source.format === 'int-or-string') return true;
  const types = [...list(source.anyOf), ...list(source.oneOf)].map((each) => string(get(each, 'type')));
  return source.type === undefined && types.length === 2 && types.includes('integer') && types.includes('string');
}

/** Converts type, fields and items. */
function shapeOf(source: JsonObject, path: Path, conversion: Conversion): JsonObject {
  const type = typeOf(source, path, conversion.remarks);
  if (type === 'array') return arrayOf(source, path, conversion);
  if (type === 'object') return objectOf(source, path, conversion);
  return type === undefined ? anything() : { type };
}

/** Returns the type as written or as it follows from other keys; undefined if the node may hold anything. */
function typeOf(source: JsonObject, path: Path, remarks: Remarks): string | undefined {
  const type = string(source.type);
  if (type !== undefined && TYPES.has(type)) return type;
  if (source.type !== undefined && source.type !== null) {
    const message = `${JSON.stringify(source.type)} must be one of the types ${[...TYPES].join(', ')}`;
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
    // Documents describe an object with unknown fields and an object without fields in the same way.
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

/** Returns the values of an enum, each once. */
function distinct(values: readonly JsonValue[]): JsonValue[] {
  return [...new Map(values.map((value) => [identity(value), value])).values()];
}

/** Returns whether a key only repeats a fact of the node. */
function saysNothing(key: string, source: JsonObject): boolean {
  if (key === 'format') return source.format === 'int-or-string';
  return SPECIAL.has(key) && (source[key] === false || (key === ANYTHING && isIntOrString(source)));
}

/** Converts all keys that the format also has, except those about structure. */
function keywords(source: JsonObject, path: Path, conversion: Conversion): JsonObject {
  const node: JsonObject = {};
  for (const [key, value] of written(source)) {
    const left = (why: string): void =>
      conversion.remarks({ severity: 'note', path: [...path, key], message: `\`${key}\` is left out: ${why}` });
    if (STRUCTURE.has(key) || SILENT.has(key) || saysNothing(key, source)) continue;
    if (JUNCTORS.has(key)) {
      if (isIntOrString(source)) continue;
      const rules = withoutTypes(key, value);
      if (rules === undefined) left('its schemas define types');
      else node[key] = rules;
    } else if (!markerFits(key, source)) left(`it has no effect on a value of type ${String(source.type)}`);
    else if (key === 'enum' && Array.isArray(value)) node.enum = distinct(value);
    else if (isSchemaKey(key) && !key.startsWith('x-kindforge-')) node[key] = value;
    else left('the native format has no such key');
  }
  const pattern = source['x-re2-pattern'];
  return typeof pattern === 'string' ? { ...node, pattern } : node;
}

const ONLY_FOR: Readonly<Record<string, string>> = {
  'x-kubernetes-list-type': 'array',
  'x-kubernetes-list-map-keys': 'array',
  'x-kubernetes-patch-merge-key': 'array',
  'x-kubernetes-map-type': 'object',
};

/** Returns whether a marker fits a node of this schema. Does not look into references. */
function markerFits(key: string, source: JsonObject): boolean {
  const only = getOwn(ONLY_FOR, key);
  if (only === undefined || source.$ref !== undefined || source.type === undefined) return true;
  // Bytes are a list to servers written in Go.
  return source.type === only || (key === 'x-kubernetes-list-type' && source.format === 'byte');
}

/** Keys that would make a rule define a type. */
const FORBIDDEN = new Set(['type', 'description', 'title', 'default', 'nullable', 'additionalProperties', 'example']);

/**
 * Returns the schemas of a combination without types, or `undefined` if nothing is left or an option is always true.
 */
function withoutTypes(junctor: string, rules: JsonValue): JsonValue | undefined {
  if (!Array.isArray(rules)) return ruleOf(rules);
  const kept = rules.map(ruleOf);
  // An empty rule is always true. If all rules must be true, it can be removed; a choice with it is always true.
  if (junctor !== 'allOf' && kept.includes(undefined)) return undefined;
  const said = kept.filter((rule) => rule !== undefined);
  return said.length === 0 ? undefined : said;
}

function ruleOf(raw: JsonValue): JsonObject | undefined {
  if (!isObject(raw) || raw.$ref !== undefined) return undefined;
  const rule: JsonObject = {};
  for (const [key, value] of written(raw)) {
    if (FORBIDDEN.has(key) || key.startsWith('x-')) continue;
    const kept = keptOf(key, value);
    if (kept !== undefined) setOwn(rule, key, kept);
  }
  return Object.keys(rule).length === 0 ? undefined : rule;
}

function keptOf(key: string, value: JsonValue): JsonValue | undefined {
  if (key === 'properties' && isObject(value)) return fieldsOf(value);
  if (['allOf', 'anyOf', 'oneOf', 'not'].includes(key)) return withoutTypes(key, value);
  return key === 'items' ? ruleOf(value) : value;
}

/** Returns fields. A field that must only exist, according to `required`, keeps an empty rule. */
function fieldsOf(fields: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [name, field] of written(fields)) setOwn(kept, name, ruleOf(field) ?? {});
  return kept;
}
