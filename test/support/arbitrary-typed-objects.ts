/**
 * Arbitrary objects of a typed kind. They may have every field of its schema, with any value that the field's type can
 * hold.
 */
import fc from 'fast-check';
import type { JsonObject, JsonValue, Schema } from '../../runtime/contract/index.js';

const instant = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
const seconds = instant.map((date) => `${date.toISOString().slice(0, 19)}Z`);
const micros = fc
  .tuple(instant, fc.integer({ min: 0, max: 999_999 }))
  .map(([date, fraction]) => `${date.toISOString().slice(0, 19)}.${String(fraction).padStart(6, '0')}Z`);

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const base64 = fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const int32 = fc.oneof(fc.constant(0), fc.integer());
const int64 = fc.oneof(int32, fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }));

const quantity: fc.Arbitrary<JsonValue> = fc
  .tuple(fc.integer({ min: -5000, max: 5000 }), fc.constantFrom('', 'm', 'k', 'Ki', 'Mi', 'G', 'e3'))
  .map(([amount, suffix]) => `${amount}${suffix}`);

/** Objects with fields that no schema describes. */
const anything: fc.Arbitrary<JsonValue> = fc.dictionary(
  text,
  fc.oneof(text, fc.boolean(), int32, fc.constant(null), fc.array(int32, { maxLength: 2 })),
  { maxKeys: 3 },
);

function scalar({ type, format, ...schema }: Schema): fc.Arbitrary<JsonValue> | undefined {
  if (schema['x-kubernetes-int-or-string']) return fc.oneof(int32, text);
  if (type === 'boolean') return fc.boolean();
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
  if (type === 'integer') return format === 'int32' ? int32 : int64;
  if (type !== 'string') return undefined;
  if (format === 'byte') return base64;
  if (format === 'quantity') return quantity;
  if (schema.enum) return fc.oneof(fc.constantFrom(...schema.enum), text);
  if (format !== 'date-time') return text;
  return schema['x-kindforge-time'] === 'micros' ? micros : seconds;
}

function valuesOf(schema: Schema, depth: number): fc.Arbitrary<JsonValue> {
  const plain = scalar(schema);
  if (plain !== undefined) return plain;
  if (schema.type === 'array')
    return fc.array(valuesOf(schema.items ?? {}, depth + 1), { maxLength: depth > 4 ? 1 : 3 });
  if (typeof schema.additionalProperties === 'object') {
    return fc.dictionary(text, valuesOf(schema.additionalProperties, depth + 1), { maxKeys: 3 });
  }
  if (schema.properties === undefined) return anything;
  return fieldsOf(schema.properties, depth + 1);
}

function fieldsOf(properties: Readonly<Record<string, Schema>>, depth: number): fc.Arbitrary<JsonObject> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema, depth)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
}

const metadata = fc.record(
  {
    name: fc.constantFrom('a', 'b.c'),
    labels: fc.dictionary(text, text, { maxKeys: 2 }),
    finalizers: fc.array(text, { maxLength: 2 }),
    creationTimestamp: seconds,
    deletionGracePeriodSeconds: int64,
    ownerReferences: fc.array(
      fc.record({ apiVersion: text, kind: text, name: text, uid: text, controller: fc.boolean() }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);

/** Makes whole objects without `apiVersion` and `kind`. */
export function typedObject({ properties = {} }: Schema): fc.Arbitrary<JsonObject> {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...own } = properties;
  return fc.tuple(metadata, fieldsOf(own, 0)).map(([meta, fields]) => ({ ...fields, metadata: meta }));
}
