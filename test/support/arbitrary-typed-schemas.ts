/** Arbitrary schemas of typed kinds, with the keywords that only native definitions have. */
import fc from 'fast-check';
import type { Schema } from '../../runtime/contract/index.js';

const names = ['a', 'b', 'spec', 'constructor', 'two words'];
const name = fc.constantFrom(...names);
const small = fc.nat(3);

/** Makes a value now and then; the greater `rarity` is, the rarer. */
const optional = <T>(arbitrary: fc.Arbitrary<T>, rarity = 3): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: rarity, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const flag = optional(fc.constant(true));

/** Removes the missing parts. */
const compact = (record: Schema): Schema =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));

const words = fc.constantFrom('must be otherwise', 'Too long: far too long', 'Forbidden: not here', 'Required value');

const anyField = {
  'x-kindforge-presence': optional(
    fc.constantFrom('explicit' as const, 'implicit' as const, 'always' as const, 'nullable' as const),
    1,
  ),
  'x-kindforge-immutable': optional(fc.constantFrom(true, { field: 'elsewhere' }, { message: 'is as it is' })),
  'x-kindforge-non-empty': flag,
  'x-kindforge-report-as': optional(fc.constantFrom('', 'other', 'in.other'), 6),
  'x-kindforge-type': optional(fc.constantFrom('meta/v1#/Thing', 'v1/Thing', 'Thing'), 6),
  'x-kindforge-messages': optional(
    fc.dictionary(
      fc.constantFrom('required', 'enum', 'minimum', 'maxLength', 'pattern', 'maxItems', 'minItems', 'format'),
      words,
    ),
  ),
};

const text = fc.record({
  type: fc.constant('string' as const),
  ...anyField,
  default: optional(fc.constantFrom('', 'a')),
  enum: optional(fc.constant(['a', 'b', '']), 5),
  'x-kindforge-unchecked': optional(fc.boolean(), 5),
  minLength: optional(small),
  maxLength: optional(small),
  pattern: optional(fc.constantFrom('^a', '^[a-z]+$')),
  format: optional(fc.constantFrom('date-time', 'byte', 'ipv4', 'uuid'), 1),
  'x-kindforge-name-format': optional(fc.constantFrom('dns-1123-label', 'dns-1123-subdomain', 'qualified-name')),
});

const microTime = fc.record({
  type: fc.constant('string' as const),
  format: fc.constant('date-time'),
  'x-kindforge-time': fc.constant('micros' as const),
  ...anyField,
});

const number = fc.record({
  type: fc.constantFrom('integer' as const, 'number' as const),
  format: optional(fc.constantFrom('int32', 'int64'), 1),
  ...anyField,
  default: optional(fc.constantFrom(0, 1)),
  enum: optional(fc.constant([0, 1, 7]), 5),
  minimum: optional(fc.constantFrom(-1, 0, 1)),
  maximum: optional(fc.constantFrom(0, 1, 7)),
  exclusiveMinimum: flag,
  exclusiveMaximum: flag,
  multipleOf: optional(fc.constantFrom(1, 2, 7)),
});

const leaf: fc.Arbitrary<Schema> = fc
  .oneof(
    text,
    microTime,
    number,
    fc.record({ type: fc.constant('boolean' as const), ...anyField, default: optional(fc.boolean()) }),
    fc.record({ 'x-kubernetes-int-or-string': fc.constant(true), ...anyField }),
    fc.record({
      type: fc.constant('object' as const),
      'x-kubernetes-preserve-unknown-fields': fc.constant(true),
      ...anyField,
    }),
  )
  .map(compact);

const sizes = { minProperties: optional(small), maxProperties: optional(small) };

const schemas = fc.letrec<{ schema: Schema; struct: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    tie('struct'),
    fc
      .record({ type: fc.constant('object' as const), additionalProperties: tie('schema'), ...anyField, ...sizes })
      .map(compact),
    fc
      .record({
        type: fc.constant('array' as const),
        items: tie('schema'),
        ...anyField,
        minItems: optional(small),
        maxItems: optional(small),
        'x-kindforge-unique': optional(fc.constantFrom('.', 'a', 'b')),
      })
      .map(compact),
  ),
  struct: fc
    .record({
      type: fc.constant('object' as const),
      properties: fc.dictionary(name, tie('schema'), { minKeys: 1, maxKeys: 5 }),
      required: optional(fc.array(name, { maxLength: 3 }), 1),
      ...anyField,
      ...sizes,
    })
    .map(compact),
}));

/** Schemas of whole objects of typed kinds. */
export const typedSchema: fc.Arbitrary<Schema> = schemas.struct.map(({ type, properties = {}, required }) => {
  const fields = Object.entries(properties).map(([key, child]) => [key, withOwnPath(child)]);
  return compact({ type, properties: Object.fromEntries(fields), required });
});

/** Removes an empty path to report at, because no error is about the whole object. */
function withOwnPath({ 'x-kindforge-report-as': shown, ...rest }: Schema): Schema {
  return shown === undefined || shown === '' ? rest : { ...rest, 'x-kindforge-report-as': shown };
}
