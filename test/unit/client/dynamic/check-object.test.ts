import { describe, expect, it } from 'vitest';
import { checkAgainst } from '../../../../client/dynamic/check-object.js';
import type { OpenApiSchema } from '../../../../client/dynamic/open-api-schema.js';

const refTo = (name: string): OpenApiSchema => ({ $ref: `#/components/schemas/${name}` });

const schemas: Record<string, OpenApiSchema> = {
  Port: {
    type: 'object',
    required: ['port', 'protocol'],
    properties: { port: { type: 'integer', maximum: 65535 }, protocol: { type: 'string', default: 'TCP' } },
  },
  Loop: { allOf: [refTo('Loop')] },
  Tree: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1 },
      twig: refTo('Tree'),
      twigs: { type: 'array', items: { default: {}, allOf: [refTo('Tree')] } },
      named: { type: 'object', additionalProperties: refTo('Tree') },
    },
  },
  Struct: { type: 'object', required: ['count', 'mode'], properties: { count: { type: 'integer' }, mode: mode() } },
};

function mode(): OpenApiSchema {
  return { type: 'string', default: '', enum: ['on', 'off'] };
}

const schema: OpenApiSchema = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { type: 'string' },
    metadata: { type: 'object', properties: { name: { type: 'string' } } },
    spec: {
      type: 'object',
      properties: {
        size: { type: 'string', enum: ['small', 'large'] },
        count: { type: 'integer', minimum: 0, multipleOf: 2 },
        share: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: true },
        wide: { type: 'integer', format: 'int64' },
        on: { type: 'boolean' },
        name: { type: 'string', minLength: 2, maxLength: 3, pattern: '^[a-z😀]+$' },
        odd: { type: 'string', 'x-re2-pattern': '(?i)^x' },
        list: { type: 'array', maxItems: 2, minItems: 1, items: { type: 'string' } },
        labels: { type: 'object', maxProperties: 2, additionalProperties: { type: 'string' } },
        ports: { type: 'array', items: { default: {}, allOf: [refTo('Port')] } },
        port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        oldPort: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
        either: { type: 'object', properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
        never: { type: 'string', not: { enum: ['no'] } },
        keys: { type: 'object', additionalProperties: { type: 'string', not: { enum: ['no'] } } },
        free: { type: 'object' },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
        template: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'string' } } },
        address: { type: 'string', format: 'ipv4' },
        bytes: { type: 'string', format: 'byte' },
        loop: refTo('Loop'),
        tree: refTo('Tree'),
        struct: { default: {}, allOf: [refTo('Struct')] },
      },
    },
  },
};

const findings = (spec: unknown): string[] =>
  checkAgainst({ spec }, { schema, schemas }).map(({ path, reason, message }) => `${path}: ${reason}: ${message}`);

describe('checkAgainst', () => {
  it('finds nothing in a valid object', () =>
    expect(
      findings({
        ...{ size: 'small', count: 2, share: 0.5, wide: 9223372036854775807n, on: true, name: '😀ab', odd: 'X' },
        ...{ list: ['a'], labels: { 'a.b/c': 'd' }, ports: [{ port: 80 }], port: 'http', either: { a: 1 } },
        ...{ never: 'yes', free: { x: [1] }, open: { b: 1 }, loop: { any: 1 }, oldPort: 80, bytes: '' },
        ...{ template: { apiVersion: 'v1', kind: 'X', metadata: {}, spec: '' }, tree: { name: 'a' } },
      }),
    ).toEqual([]));

  it('takes null for an absent field', () => {
    expect(
      findings({ size: null, port: 80, list: ['a', null], labels: { a: null }, tree: { name: 'a', twig: null } }),
    ).toEqual([]);
    expect(findings({ ports: [{ port: null, protocol: null }] })).toEqual([
      'spec.ports[0].port: missing: Required value',
    ]);
    expect(findings({ tree: { name: 'a', twig: { name: null } } })).toEqual([
      'spec.tree.twig.name: missing: Required value',
    ]);
  });

  it.each([
    [{ size: 'middle' }, 'spec.size: value: Unsupported value: "middle": supported values: "small", "large"'],
    [{ wide: 1.5 }, 'spec.wide: type: Invalid value: "number": must be of type integer'],
    [{ count: -2 }, 'spec.count: value: Invalid value: -2: should be greater than or equal to 0'],
    [{ count: 3 }, 'spec.count: value: Invalid value: 3: should be a multiple of 2'],
    [{ share: 0 }, 'spec.share: value: Invalid value: 0: should be greater than 0'],
    [{ share: 1 }, 'spec.share: value: Invalid value: 1: should be less than 1'],
    [{ on: 'yes' }, 'spec.on: type: Invalid value: "string": must be of type boolean'],
    [{ name: 'a' }, 'spec.name: value: Invalid value: "a": should be at least 2 chars long'],
    [{ name: 'abcd' }, 'spec.name: value: Too long: may not be longer than 3'],
    [{ name: 'AB' }, `spec.name: value: Invalid value: "AB": should match '^[a-z😀]+$'`],
    [{ odd: 'y' }, `spec.odd: value: Invalid value: "y": should match '(?i)^x'`],
    [{ list: [] }, 'spec.list: value: Invalid value: 0: should have at least 1 items'],
    [{ list: ['a', 1] }, 'spec.list[1]: type: Invalid value: "integer": must be of type string'],
    [{ list: {} }, 'spec.list: type: Invalid value: "object": must be of type array'],
    [{ labels: { 'a.b': 1 } }, 'spec.labels["a.b"]: type: Invalid value: "integer": must be of type string'],
    [{ ports: [{}] }, 'spec.ports[0].port: missing: Required value'],
    [
      { ports: [{ port: 70000 }] },
      'spec.ports[0].port: value: Invalid value: 70000: should be less than or equal to 65535',
    ],
    [{ ports: [{ port: 1, prot: 1 }] }, 'spec.ports[0].prot: unknown: unknown field'],
    [{ ports: [{ port: 1, Ports: 1 }] }, 'spec.ports[0].Ports: unknown: unknown field; did you mean port?'],
    [{ port: true }, 'spec.port: type: Invalid value: "boolean": must be of type integer,string'],
    [{ oldPort: true }, 'spec.oldPort: type: Invalid value: "boolean": must be of type integer,string'],
    [{ never: 'no' }, 'spec.never: value: Invalid value: must not validate the schema (not)'],
    [{ keys: { 'a.b': 'no' } }, 'spec.keys["a.b"]: value: Invalid value: must not validate the schema (not)'],
    [{ open: { a: 1 } }, 'spec.open.a: type: Invalid value: "integer": must be of type string'],
    [{ template: { apiVersion: 'v1', kind: 'X', status: 1 } }, 'spec.template.status: unknown: unknown field'],
    [{ template: { apiVersion: 'v1' } }, 'spec.template.kind: missing: Required value: must not be empty'],
    [{ address: 'here' }, 'spec.address: type: Invalid value: "here": must be of type ipv4'],
    [{ Counts: 2 }, 'spec.Counts: unknown: unknown field; did you mean count?'],
    [[], 'spec: type: Invalid value: "array": must be of type object'],
  ])('finds in %j', (spec, finding) => expect(findings(spec)).toEqual([finding]));

  it('finds integers that do not fit into 64 bits', () =>
    expect(findings({ wide: 2n ** 63n })).toEqual([
      'spec.wide: type: Invalid value: "number": must be of type integer',
    ]));

  it('finds a combination without a match, and why its nearest schema does not match', () => {
    const rule = 'spec.either: value: Invalid value: must validate one and only one schema (oneOf).';
    expect(findings({ either: {} })).toEqual([`${rule} Found none valid`, 'spec.either.a: missing: Required value']);
    expect(findings({ either: { a: 1, b: 1 } })).toEqual([`${rule} Found 2 valid alternatives`]);
  });

  it('follows recursive types to the depth of the object', () => {
    const tree = { name: 'a', twigs: [{ name: 'b', twig: { name: '', named: { x: { nam: 1, names: 1 } } } }] };
    expect(findings({ tree })).toEqual([
      'spec.tree.twigs[0].twig.named.x.nam: unknown: unknown field',
      'spec.tree.twigs[0].twig.named.x.names: unknown: unknown field; did you mean name?',
      'spec.tree.twigs[0].twig.name: value: Invalid value: "": should be at least 1 chars long',
      'spec.tree.twigs[0].twig.named.x.name: missing: Required value',
    ]);
  });

  it('finds nothing in fields that the server fills in', () => {
    expect(findings({})).toEqual([]);
    expect(findings({ struct: {} })).toEqual(['spec.struct.count: missing: Required value']);
  });

  it('finds everything at once, including apiVersion, kind and metadata', () => {
    const object = { apiVersion: 1, metadata: { nam: 'a' }, colour: 1 };
    expect(checkAgainst(object, { schema, schemas }).map(({ path }) => path)).toEqual([
      'metadata.nam',
      'colour',
      'apiVersion',
      'spec',
    ]);
  });

  it('ends for objects that contain themselves', () => {
    const ring: Record<string, unknown> = {};
    ring.spec = ring;
    expect(checkAgainst(ring, { schema, schemas }).map(({ message }) => message)).toEqual([
      'must not nest deeper than 1000 levels',
    ]);
    expect(findings({ name: () => 'a' })).toEqual(['spec.name: type: must be a JSON value, not function']);
  });

  it('does not change the object', () => {
    const object = { spec: { Counts: 2, size: null, ports: [{ port: 1 }] } };
    checkAgainst(object, { schema, schemas });
    expect(object).toEqual({ spec: { Counts: 2, size: null, ports: [{ port: 1 }] } });
  });
});

describe('keywords that the client cannot check', () => {
  const check = (value: unknown, property: OpenApiSchema): string[] =>
    checkAgainst(
      { value },
      { schema: { type: 'object', properties: { value: property } }, schemas: { Tree: schemas.Tree ?? {} } },
    ).map(({ path, message }) => `${path}: ${message}`);
  const text = (more: OpenApiSchema): OpenApiSchema => ({ type: 'string', ...more });

  it.each<[string, OpenApiSchema]>([
    ['a format of another server', { format: 'k8s-short-name' }],
    ['bytes, which built-in kinds read their own way', { format: 'byte' }],
    ['a pattern of another language', { pattern: '(?=a)' }],
    ['a type of another language', { type: 'file' }],
    ['a type that the document lacks', refTo('Lost')],
  ])('are neither right nor wrong: %s', (_, part) => {
    expect(check('a', text({ not: part }))).toEqual([]);
    expect(check('a', text({ anyOf: [part, { maxLength: 0 }] }))).toEqual([]);
    expect(check('a', text({ oneOf: [part, {}] }))).toEqual([]);
    expect(check('a', text({ oneOf: [part, { maxLength: 0 }] }))).toEqual([]);
    expect(check('a', text({ not: { allOf: [part, {}] } }))).toEqual([]);
    expect(check('a', text({ not: { not: part } }))).toEqual([]);
  });

  it('do not prevent other checks', () => {
    const part = { format: 'k8s-short-name' };
    expect(check('a', text({ not: { anyOf: [part, {}] } }))).toEqual([
      'value: Invalid value: must not validate the schema (not)',
    ]);
    expect(check('a', text({ oneOf: [part, {}, {}] }))).toHaveLength(1);
    expect(check('a', text({ allOf: [part, { maxLength: 0 }] }))).toEqual([
      'value: Too long: may not be longer than 0',
      'value: Invalid value: must validate all the schemas (allOf)',
    ]);
    expect(check('a', text({ not: { ...part, maxLength: 0 } }))).toEqual([]);
    expect(check('a', text({ anyOf: [{ ...part, maxLength: 0 }] }))).toHaveLength(2);
  });

  it('include a type in a branch of itself', () => {
    const tree = {
      type: 'object',
      properties: { twig: {} },
      not: { required: ['twig'], properties: { twig: refTo('Loop') } },
    };
    const loop: OpenApiSchema = { type: 'object', properties: { value: refTo('Loop') } };
    expect(checkAgainst({ value: { twig: {} } }, { schema: loop, schemas: { Loop: tree } })).toEqual([]);
  });
});
