/** Arbitrary structural schemas, objects that mostly fit a schema, and objects with a few mistakes in them. */
import fc from 'fast-check';
import type { JsonObject, JsonValue, Schema } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';

/** Names of properties. Some have another meaning to a careless program. */
const names = [
  'a',
  'b',
  'spec',
  'apiVersion',
  'kind',
  'metadata',
  '__proto__',
  'constructor',
  "it's",
  'two words',
  'tick`',
];

const patterns = ['^a', 'b$', '^[a-z]{1,3}$', '\\d+', '^(a|b)*$', 'é'];
const textFormats = [
  'date',
  'date-time',
  'duration',
  'ipv4',
  'cidr',
  'uuid',
  'byte',
  'hostname',
  'email',
  'uri',
  'no-such-format',
];

/** Values that both schemas and objects are likely to use. */
const scalars: readonly JsonValue[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  7,
  2 ** 31,
  9007199254740993n,
  '',
  'a',
  'ab',
  'abab',
  'é',
  '😀',
  '12',
  '10.0.0.1',
  '10.0.0.0/8',
  '2024-02-29',
  '2024-02-29T12:00:00Z',
  '1h30m',
  'aGk=',
];

const scalar = fc.constantFrom(...scalars);
const name = fc.constantFrom(...names);
const small = fc.nat(3);

const anyValue = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.dictionary(name, tie('value'), { maxKeys: 4 }) },
  ),
})).value;

/** Makes a value now and then; the greater `rarity` is, the rarer. */
const optional = <T>(arbitrary: fc.Arbitrary<T>, rarity = 2): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: rarity, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const flag = optional(fc.constant(true), 5);

/** Removes the missing parts. */
function compact<T extends object>(record: T): Partial<T> {
  const copy = { ...record };
  for (const key of Object.keys(copy)) if (Reflect.get(copy, key) === undefined) Reflect.deleteProperty(copy, key);
  return copy;
}

const numbers = {
  minimum: optional(fc.constantFrom(-1, 0, 0.5, 1, 2)),
  maximum: optional(fc.constantFrom(0, 1, 1.5, 7, 2 ** 31)),
  exclusiveMinimum: flag,
  exclusiveMaximum: flag,
  multipleOf: optional(fc.constantFrom(1, 2, 0.5, 7)),
};

const texts = {
  minLength: optional(small),
  maxLength: optional(small),
  pattern: optional(fc.constantFrom(...patterns)),
  format: optional(fc.constantFrom(...textFormats)),
};

const choice = { enum: optional(fc.array(scalar, { minLength: 1, maxLength: 3 }), 6) };

/** Defaults must fit their schemas, or the definition is refused. So they contain null only if the schema allows it. */
const fallback = anyValue.map((value) => (value === null ? value : withoutNulls(value)));

function withoutNulls(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (!isObject(value)) return value ?? 0;
  const kept = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutNulls(item)]));
}

const own = { nullable: flag, default: optional(fallback, 6) };

/** Schemas of scalars, and of values of any type with keywords for several types. */
const leaf: fc.Arbitrary<Schema> = fc
  .oneof(
    fc.record({ type: fc.constant('string' as const), ...own, ...choice, ...texts }),
    fc.record({
      type: fc.constantFrom('integer' as const, 'number' as const),
      format: optional(fc.constantFrom('int32', 'int64', 'float', 'double')),
      ...own,
      ...choice,
      ...numbers,
    }),
    fc.record({ type: fc.constant('boolean' as const), ...own, ...choice }),
    fc.record({ 'x-kubernetes-int-or-string': fc.constant(true), ...own, ...choice, ...numbers, ...texts }),
    fc.record({ 'x-kubernetes-preserve-unknown-fields': fc.constant(true), ...own }),
  )
  .map(compact);

/** Branches of allOf, anyOf, oneOf and not: checks, without a shape of their own. */
const branch: fc.Arbitrary<Schema> = fc.letrec<{ branch: Schema }>((tie) => ({
  branch: fc
    .record({
      type: optional(fc.constantFrom('string' as const, 'integer' as const, 'object' as const, 'array' as const), 6),
      ...choice,
      ...numbers,
      ...texts,
      required: optional(fc.array(name, { maxLength: 2 })),
      properties: optional(fc.dictionary(name, tie('branch'), { maxKeys: 2, depthIdentifier: 'branch' })),
      items: optional(tie('branch'), 6),
      minItems: optional(small, 6),
      maxProperties: optional(small, 6),
      not: optional(tie('branch'), 9),
      anyOf: optional(fc.array(tie('branch'), { minLength: 1, maxLength: 2 }), 9),
    })
    .map(compact),
})).branch;

const branches = optional(fc.array(branch, { minLength: 1, maxLength: 3 }), 9);
const combinations = { allOf: branches, anyOf: branches, oneOf: branches, not: optional(branch, 9) };
const rules = { 'x-kubernetes-validations': optional(fc.constant([{ rule: 'true' }]), 9) };

const schemas = fc.letrec<{ schema: Schema; struct: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.tuple(leaf, fc.record(combinations)).map(([schema, more]) => ({ ...schema, ...compact(more) })),
    tie('struct'),
    fc
      .record({
        type: fc.constant('object' as const),
        additionalProperties: fc.oneof(tie('schema'), fc.constant(true)),
        ...own,
        minProperties: optional(small),
        maxProperties: optional(small),
      })
      .map(compact),
    fc
      .record({
        type: fc.constant('array' as const),
        items: tie('schema'),
        ...own,
        minItems: optional(small),
        maxItems: optional(small),
        uniqueItems: flag,
        'x-kubernetes-list-type': optional(fc.constantFrom('atomic' as const, 'set' as const, 'map' as const), 1),
        'x-kubernetes-list-map-keys': fc.constant(['a', 'b']),
      })
      .map(compact),
  ),
  struct: fc
    .record({
      type: fc.constant('object' as const),
      properties: fc.dictionary(name, tie('schema'), { maxKeys: 5 }),
      required: optional(fc.array(name, { maxLength: 3 }), 1),
      ...own,
      ...combinations,
      ...rules,
      'x-kubernetes-preserve-unknown-fields': flag,
      'x-kubernetes-embedded-resource': flag,
      minProperties: optional(small, 6),
      maxProperties: optional(small, 6),
    })
    .map(compact),
}));

/** Schemas of whole objects with any of the keywords that definitions of custom resources may use. */
export const structuralSchema: fc.Arbitrary<Schema> = schemas.struct.map((schema) => {
  // The whole object is not an embedded one, although it has the same parts.
  const { 'x-kubernetes-embedded-resource': _, ...rest } = schema;
  return rest;
});

/** Makes values that usually fit the types of a schema. */
export function fitting(schema: Schema, depth = 0): fc.Arbitrary<JsonValue> {
  if (depth > 5) return scalar;
  const fits = fittingType(schema, depth);
  return fc.oneof({ weight: 9, arbitrary: fits }, { weight: 1, arbitrary: anyValue });
}

function fittingType(schema: Schema, depth: number): fc.Arbitrary<JsonValue> {
  const ofType = (...types: readonly string[]): JsonValue[] => scalars.filter((value) => types.includes(typeof value));
  switch (schema.type) {
    case 'string':
      return fc.constantFrom(...ofType('string'));
    case 'integer':
    case 'number':
      return fc.constantFrom(...ofType('number', 'bigint'));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fitting(schema.items ?? {}, depth + 1), { maxLength: 4 });
    case 'object':
      return fittingObject(schema, depth);
    default:
      return scalar;
  }
}

/** Makes objects with most of a schema's properties, and now and then one that the schema does not have. */
export function fittingObject(schema: Schema, depth = 0): fc.Arbitrary<JsonObject> {
  const { properties = {}, additionalProperties } = schema;
  const known = Object.entries(properties).map(([key, child]) =>
    fc
      .option(fitting(child, depth + 1), { nil: undefined, freq: 4 })
      .map((value): [string, JsonValue][] => (value === undefined ? [] : [[key, value]])),
  );
  const rest = typeof additionalProperties === 'object' ? fitting(additionalProperties, depth + 1) : anyValue;
  const further = fc.array(fc.tuple(name, rest), { maxLength: additionalProperties ? 3 : 1 });
  // Makes every name an own property, as in decoded bodies.
  return fc.tuple(...known, further).map((lists) => Object.fromEntries(lists.flat()));
}

/** A place in a value: the object or list that holds it, and its key or index there. */
type Place = readonly [holder: JsonObject | JsonValue[], key: string];

function placesIn(value: JsonValue | undefined): Place[] {
  if (Array.isArray(value)) return value.flatMap((item, i): Place[] => [[value, String(i)], ...placesIn(item)]);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]): Place[] => [[value, key], ...placesIn(item)]);
}

/** A change of an object: the place, and what happens there. */
export interface Mutation {
  readonly place: number;
  readonly kind: 'replace' | 'remove' | 'repeat' | 'add' | 'wrap';
  readonly name: string;
  readonly value: JsonValue;
}

/** Arbitrary changes. */
export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    place: fc.nat(),
    kind: fc.constantFrom(
      'replace' as const,
      'replace' as const,
      'remove' as const,
      'repeat' as const,
      'add' as const,
      'wrap' as const,
    ),
    name,
    value: anyValue,
  }),
  { minLength: 1, maxLength: 6 },
);

/** Changes an object in place. */
export function mutate(object: JsonObject, changes: readonly Mutation[]): void {
  for (const change of changes) {
    const places = placesIn(object);
    const place = places[change.place % Math.max(places.length, 1)];
    if (place !== undefined) applyAt(place, change);
  }
}

function applyAt([holder, key]: Place, { kind, name: added, value }: Mutation): void {
  const found = Reflect.get(holder, key);
  const put = (at: string, what: JsonValue): void => {
    Object.defineProperty(holder, at, { value: what, enumerable: true, configurable: true, writable: true });
  };
  if (kind === 'replace') put(key, structuredClone(value));
  else if (kind === 'wrap') put(key, [found]);
  else if (kind === 'add') put(Array.isArray(holder) ? String(holder.length) : added, structuredClone(value));
  else if (kind === 'repeat') put(Array.isArray(holder) ? String(holder.length) : added, structuredClone(found));
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
}
