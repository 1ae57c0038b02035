/**
 * Holds an object against the schema that its server publishes. A general validator of JSON Schema does not know that
 * integers may be `bigint`, that the server drops unknown fields, or the markers of structural schemas; and it evaluates
 * program text, which pages may forbid.
 */
import type { KindSchema, Schemas } from './documents.js';
import { type OpenApiSchema, partsOf } from './open-api-schema.js';
import { faultOf } from './values.js';

/** A place where an object does not fit the schema. */
export interface SchemaFinding {
  /** As in `spec.containers[0].image`; empty for the object itself. */
  readonly path: string;
  readonly reason: 'unknown' | 'missing' | 'type' | 'value';
  /** As in `must be an integer, and is a string`. */
  readonly message: string;
}

/**
 * Everything that does not fit, in the order of the object. What is checked: types, unknown and missing fields, enumerations,
 * bounds, lengths and patterns. What only the server knows, such as formats, rules in CEL and what admission says, is not.
 */
export const checkAgainst = (object: object, { schema, schemas }: KindSchema): SchemaFinding[] =>
  check(object, schema, '', schemas);

function check(value: unknown, schema: OpenApiSchema, path: string, schemas: Schemas): SchemaFinding[] {
  // The server takes null for a field that is absent, and says so itself where it does not.
  if (value === null || value === undefined) return [];
  const parts = partsOf(schema, schemas);
  const fault = parts.map((part) => faultOf(value, part)).find((found) => found !== undefined);
  if (fault) return [{ path, ...fault }];
  const inside = Array.isArray(value)
    ? value.flatMap((item, i) => parts.flatMap(({ items = {} }) => check(item, items, `${path}[${i}]`, schemas)))
    : typeof value === 'object'
      ? checkFields(value, parts, path, schemas)
      : [];
  return [...inside, ...parts.flatMap((part) => checkAlternatives(value, part, path, schemas))];
}

function checkFields(value: object, parts: readonly OpenApiSchema[], path: string, schemas: Schemas): SchemaFinding[] {
  const missing = parts
    .flatMap(({ required = [] }) => required)
    .filter((name, i, all) => all.indexOf(name) === i && !isThere(value, name) && !hasDefault(name, parts, schemas))
    .map((name): SchemaFinding => ({ path: joinPath(path, name), reason: 'missing', message: 'is required' }));
  const present = Object.entries(value).flatMap(([name, field]): SchemaFinding[] => {
    const at = joinPath(path, name);
    const known = schemasOf(name, parts);
    if (known.length > 0) return known.flatMap((schema) => check(field, schema, at, schemas));
    if (isOpen(parts) || (isEmbedded(parts) && envelope.includes(name))) return [];
    return [{ path: at, reason: 'unknown', message: `is no field of the schema${suggest(name, parts)}` }];
  });
  return [...present, ...missing];
}

const envelope = ['apiVersion', 'kind', 'metadata'];

const isThere = (value: object, name: string): boolean =>
  Object.entries(value).some(([key, field]) => key === name && field !== undefined && field !== null);

const schemasOf = (name: string, parts: readonly OpenApiSchema[]): OpenApiSchema[] =>
  parts.flatMap(({ properties = {}, additionalProperties }) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property) return [property];
    return typeof additionalProperties === 'object' ? [additionalProperties] : [];
  });

/** The server sets what has a default, before it asks whether something is missing. */
const hasDefault = (name: string, parts: readonly OpenApiSchema[], schemas: Schemas): boolean =>
  schemasOf(name, parts).some((schema) => partsOf(schema, schemas).some((part) => part.default !== undefined));

/** Whether any field may be there: the schema says so, or names none. */
const isOpen = (parts: readonly OpenApiSchema[]): boolean =>
  parts.some((part) => part['x-kubernetes-preserve-unknown-fields'] || part.additionalProperties === true) ||
  parts.every((part) => part.properties === undefined && part.additionalProperties === undefined);

const isEmbedded = (parts: readonly OpenApiSchema[]): boolean =>
  parts.some((part) => part['x-kubernetes-embedded-resource']);

/** The field that was meant, where one differs only in its case or by an `s` at its end. */
function suggest(name: string, parts: readonly OpenApiSchema[]): string {
  const plain = (text: string): string => text.toLowerCase().replace(/s$/, '');
  const near = parts
    .flatMap(({ properties = {} }) => Object.keys(properties))
    .find((known) => plain(known) === plain(name));
  return near === undefined ? '' : `; is ${near} meant?`;
}

/** Of alternatives, which say no more than what values are right, unknown fields do not count. */
function checkAlternatives(value: unknown, schema: OpenApiSchema, path: string, schemas: Schemas): SchemaFinding[] {
  const fits = (one: OpenApiSchema): boolean =>
    check(value, one, path, schemas).every(({ reason }) => reason === 'unknown');
  const { anyOf, oneOf, not } = schema;
  const wrong = [
    anyOf && !anyOf.some(fits) && 'fits none of the alternatives of the schema',
    oneOf && oneOf.filter(fits).length !== 1 && 'must fit exactly one of the alternatives of the schema',
    not && fits(not) && 'is what the schema excludes',
  ];
  return wrong.flatMap((message) => (message ? [{ path, reason: 'value' as const, message }] : []));
}

/** Names that could be taken for something else stand in brackets. */
function joinPath(path: string, name: string): string {
  if (!/^[\w$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
