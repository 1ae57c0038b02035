/** Arbitrary structural schemas as people write them, most of them without a mistake. */
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { never, oneOf, type Part, placeholder, rare, raw, record } from './arbitrary-json.js';
import { outsideNames } from './outside-names.js';

/** The use of the schemas. */
export interface ArbitrarySchema {
  readonly isNative: boolean;
  /** Whether to leave out mistakes, if that is easy. */
  readonly isCareful: boolean;
  /** Whether spec and status have replicas. */
  readonly isScaled: boolean;
}

const plain = ['a', 'b', 'c', 'list', 'map', 'size', 'replicas', 'selector'];
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...plain) },
  { weight: 2, arbitrary: fc.constantFrom(...outsideNames) },
);

const integers = [
  ...['0', '1', '-1', '7', '1e3', '1E2', '1.0', '-0', '-0.0', '2147483647', '2147483648', '-2147483648'],
  ...['9007199254740992', '9007199254740993', '9223372036854775807', '-9223372036854775808', '9223372036854775808'],
  ...['18446744073709551615', '18446744073709551616', '1e18', '1e19', '100000000000000000000000'],
].map(raw);
const fractions = ['0.5', '1.5', '0.1', '1e-7', '1e300', '5e-324', '-1.25e2', '123456789.123456789'].map(raw);
const factors = ['1', '2', '0.1', '0.01', '1e3', '2.5', '9007199254740993'].map(raw);
const integer = fc.constantFrom(...integers.slice(0, 4), ...integers);
const number = fc.constantFrom(...integers, ...fractions);

const words = fc.oneof(fc.constantFrom('a', 'ab', 'Red', '10.0.0.1', '1h', ''), fc.constantFrom(...outsideNames));
const distinct = (values: fc.Arbitrary<string>): fc.Arbitrary<JsonValue> =>
  fc.uniqueArray(values, { minLength: 1, maxLength: 3 });
const describe = rare(oneOf('About it', '*/ x /*', `\`${placeholder}\``, 'a\u2028b', '{@link x}', ''), 4);
const common = (options: ArbitrarySchema): Readonly<Record<string, Part>> => ({
  description: describe,
  nullable: rare(fc.boolean()),
  ...(options.isNative
    ? {
        'x-kindforge-presence': rare(oneOf('always', 'implicit', 'explicit')),
        'x-kindforge-immutable': rare(oneOf(true)),
        'x-kindforge-feature-gate': options.isCareful ? never : rare(oneOf('Gate', 'constructor')),
      }
    : {}),
});

/** Returns the part only if mistakes are wanted. */
const careless = ({ isCareful }: ArbitrarySchema, part: Part): Part => (isCareful ? never : part);

const rules = (options: ArbitrarySchema, ...valid: readonly string[]): Part => {
  const wrong = ['self == oldSelf', 'self.nope', 'self +', '1', ' ', '"a".b()'];
  const right = fc.constantFrom('true', ...valid);
  const said = record({
    rule: options.isCareful ? right : fc.oneof({ weight: 6, arbitrary: right }, fc.constantFrom(...wrong)),
    message: rare(oneOf(`no */ ${placeholder}`, "it's", ...(options.isCareful ? [] : [''])), 2),
    messageExpression: rare(oneOf('"a" + "b"', ...(options.isCareful ? [] : ['string(self)', '1']))),
    reason: rare(oneOf('FieldValueInvalid', 'FieldValueForbidden')),
  });
  return rare(fc.array(said, { minLength: 1, maxLength: 2 }), 4);
};

/** Keywords that a default or a value of an enum might break. */
const bounds = new Set(['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'multipleOf']);

/** Removes one of two keywords that exclude each other. */
const repaired = ({ isCareful }: ArbitrarySchema, schema: JsonObject): JsonObject => {
  const { enum: values, default: fallback, ...others } = schema;
  if (!isCareful || (values === undefined && fallback === undefined)) return schema;
  const kept = Object.entries(others).filter(([key]) => !bounds.has(key) && !key.startsWith('exclusive'));
  const value = Array.isArray(values) && fallback !== undefined ? values[0] : fallback;
  return {
    ...Object.fromEntries(kept),
    ...(values === undefined ? {} : { enum: values }),
    ...(value === undefined ? {} : { default: value }),
  };
};

const formats = [
  ...['byte', 'date', 'date-time', 'duration', 'ipv4', 'ipv6', 'cidr', 'uuid', 'email', 'hostname', 'uri', 'password'],
  ...['mac', 'isbn', 'ssn', 'int32', 'no-such-format', 'constructor', 'toString'],
];

const patterns = ['^a', '\\d+', '^(a|b)*$', `^\\p{L}/\`${placeholder}`, "'"];

const text = (options: ArbitrarySchema): fc.Arbitrary<JsonObject> =>
  record({
    type: oneOf('string'),
    ...common(options),
    format: rare(oneOf(...formats), 3),
    enum: rare(distinct(words), 4),
    default: rare(words),
    pattern: rare(oneOf(...patterns, ...(options.isCareful ? [] : ['(?=a)', '['])), 5),
    minLength: rare(oneOf(0, 1, 2)),
    maxLength: rare(oneOf(...(options.isCareful ? [] : [0]), 5, 40), 2),
    'x-kubernetes-validations': rules(options, 'self.size() < 5', "self.startsWith('a')", "self != '__proto__'"),
  }).map((schema) => repaired(options, schema));

const numeric = (options: ArbitrarySchema): fc.Arbitrary<JsonObject> =>
  fc.constantFrom('integer', 'integer', 'number').chain((type) => {
    const values = options.isCareful ? integer : fc.oneof({ weight: 9, arbitrary: integer }, number);
    const value = type === 'integer' ? values : number;
    const bound = options.isCareful ? fc.constantFrom(...integers.slice(0, 1), ...integers.slice(4, 6)) : value;
    const top = options.isCareful ? fc.constantFrom(...integers.slice(9, 11), ...integers.slice(12)) : value;
    return record({
      type: oneOf(type),
      ...common(options),
      format: rare(oneOf(...(type === 'integer' ? ['int32', 'int64', 'uint64'] : ['float', 'double'])), 2),
      enum: rare(distinct(value)),
      default: rare(value),
      minimum: rare(bound, 4),
      maximum: rare(top, 4),
      exclusiveMinimum: rare(fc.boolean()),
      exclusiveMaximum: rare(fc.boolean()),
      multipleOf: rare(oneOf(...factors, ...(options.isCareful ? [] : ['0', '-1'].map(raw)))),
      'x-kubernetes-validations': rules(options, type === 'integer' ? 'self < 10' : 'self < 10.5'),
    }).map((schema) => repaired(options, schema));
  });

const otherScalar = (options: ArbitrarySchema): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    record({
      type: oneOf('boolean'),
      ...common(options),
      default: rare(fc.boolean()),
      'x-kubernetes-validations': rules(options, 'self'),
    }),
    record({
      'x-kubernetes-int-or-string': oneOf(true),
      ...common(options),
      anyOf: rare(oneOf([{ type: 'integer' }, { type: 'string' }]), 1),
      default: rare(fc.oneof<fc.Arbitrary<JsonValue>[]>(integer, words, oneOf({})), 4),
      pattern: rare(oneOf('^[0-9]+%$'), 3),
      maximum: rare(integer),
    }).map((schema) => repaired(options, schema)),
    record({
      type: rare(oneOf('object'), 1),
      ...common(options),
      'x-kubernetes-preserve-unknown-fields': oneOf(true),
    }),
    record({
      type: oneOf('object'),
      ...common(options),
      'x-kubernetes-embedded-resource': oneOf(true),
      'x-kubernetes-preserve-unknown-fields': options.isCareful ? oneOf(true) : fc.constantFrom(true, undefined),
      properties: rare(oneOf({ spec: { type: 'string' } }), 1),
    }),
    ...(options.isNative
      ? [
          fc.constantFrom<JsonObject[]>(
            { $ref: 'shared/v1#/Part' },
            { $ref: 'shared/v1#/FooBar' },
            ...(options.isCareful ? [] : [{ $ref: 'shared/v1#/Nope' }]),
          ),
        ]
      : []),
  );

const keyed = (options: ArbitrarySchema): fc.Arbitrary<JsonObject> =>
  fc.tuple(name, name, text(options), numeric(options)).map(([key, other, ofKey, ofOther]) => {
    const { default: _, nullable: __, 'x-kindforge-feature-gate': ___, ...keySchema } = ofKey;
    return {
      type: 'array',
      items: {
        type: 'object',
        properties: Object.fromEntries([
          [other, ofOther],
          [key, keySchema],
        ]),
        required: [key],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': [key],
    };
  });

const nodes = (options: ArbitrarySchema): fc.Arbitrary<JsonObject> =>
  fc.letrec<{ node: JsonObject; struct: JsonObject }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
      { weight: 3, arbitrary: text(options) },
      { weight: 3, arbitrary: numeric(options) },
      { weight: 2, arbitrary: otherScalar(options) },
      { weight: 3, arbitrary: tie('struct') },
      {
        weight: 2,
        arbitrary: record({
          type: oneOf('object'),
          additionalProperties: tie('node'),
          ...common(options),
          maxProperties: rare(oneOf(0, 3), 2),
          'x-kubernetes-map-type': rare(oneOf('atomic', 'granular')),
          'x-kubernetes-validations': rules(options, "!('__proto__' in self)", 'self.all(k, k.size() < 5)'),
        }),
      },
      {
        weight: 2,
        arbitrary: record({
          type: oneOf('array'),
          items: tie('node'),
          ...common(options),
          default: rare(oneOf([])),
          maxItems: rare(oneOf(0, 3, 5), 1),
          'x-kubernetes-list-type': rare(oneOf('atomic', ...(options.isCareful ? [] : ['set'])), 3),
          'x-kubernetes-validations': rules(options, 'self.size() < 5'),
        }),
      },
      { weight: 1, arbitrary: keyed(options) },
    ),
    struct: structOf(options, tie('node')),
  })).node;

function structOf(options: ArbitrarySchema, node: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const fields = fc.uniqueArray(fc.tuple(name, node), { maxLength: 4, selector: ([key]) => key });
  return fields.chain((entries) => {
    const keys = entries.map(([key]) => key);
    return record({
      type: oneOf('object'),
      properties: oneOf(Object.fromEntries(entries)),
      required: rare(options.isCareful ? fc.subarray(keys) : oneOf(['nope'], keys), 2),
      ...common(options),
      default: careless(options, rare(oneOf({}))),
      'x-kubernetes-preserve-unknown-fields': rare(oneOf(true)),
      'x-kubernetes-validations': rules(options, keys.includes('a') || !options.isCareful ? 'has(self.a)' : 'true'),
      ...combinations(keys),
    });
  });
}

/** Makes `oneOf`, `anyOf` and the like, as they are written beside properties. */
function combinations(keys: readonly string[]): Readonly<Record<string, Part>> {
  const branches = oneOf(keys.slice(0, 2).map((key) => ({ required: [key] })));
  if (keys.length === 0) return {};
  return {
    oneOf: rare(branches, 9),
    anyOf: rare(branches, 9),
    allOf: rare(branches, 9),
    not: rare(oneOf({ required: [keys[0] ?? ''] }), 12),
  };
}

const replicas: JsonObject = { type: 'integer', format: 'int32' };

/** Makes schemas of whole objects, with a spec and a status. */
export const rootSchema = (options: ArbitrarySchema): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(structOf(options, nodes(options)), rare(nodes(options), 2), rare(nodes(options), 5), name)
    .map(([spec, status, extra, extraName]) => {
      const { isScaled } = options;
      const properties = {
        spec: isScaled ? withReplicas(spec) : spec,
        ...(isScaled || status === undefined ? {} : { status }),
        ...(isScaled ? { status: withReplicas({ type: 'object' }) } : {}),
      };
      return {
        type: 'object',
        properties: Object.fromEntries([...Object.entries(properties), ...(extra ? [[extraName, extra]] : [])]),
      };
    });

function withReplicas(schema: JsonObject): JsonObject {
  const { properties } = schema;
  const known = typeof properties === 'object' && properties !== null ? Object.entries(properties) : [];
  return { ...schema, properties: Object.fromEntries([...known, ['replicas', replicas]]) };
}
