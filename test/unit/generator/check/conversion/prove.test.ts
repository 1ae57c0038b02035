/**
 * The proof that conversions lose nothing: it finds losses, and the built-in kinds pass it with their conversion code.
 */
import { describe, expect, it } from 'vitest';
import { findLosses } from '../../../../../generator/check/conversion/prove.js';
import type { ConversionModel, ResourceModel, VersionModel } from '../../../../../generator/model/model.js';
import type { ConversionStep, Schema } from '../../../../../runtime/contract/index.js';
import { conversions } from '../../../../../strategies/index.js';
import { builtInDefinitions } from '../../../../support/built-in-definitions.js';

const text: Schema = { type: 'string', 'x-kindforge-presence': 'implicit' };
const number: Schema = { type: 'integer' };
const specOf = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});

const { model } = builtInDefinitions();
const [any] = model.resources;

function lossesIn(
  own: Schema,
  stored: Schema,
  steps: readonly ConversionStep[],
  more: Partial<ConversionModel> = {},
  life: Partial<VersionModel> = {},
) {
  if (!any) throw new Error('there are no definitions');
  const plain = { served: true, subresources: [], columns: [], selectableFields: [] };
  const conversion: ConversionModel = { steps, oneOf: [], lost: [], ...more };
  const version: VersionModel = { ...plain, name: 'v1', storage: false, schema: own, conversion, ...life };
  const storedVersion: VersionModel = { ...plain, name: 'v2', storage: true, schema: stored };
  const resource: ResourceModel = { ...any, versions: [version, storedVersion] };
  return findLosses({ resource, version }, { resource, version: storedVersion });
}

function lossesOf(...of: Parameters<typeof lossesIn>): readonly string[] {
  const losses = lossesIn(...of).filter(({ refusal }) => refusal === undefined);
  return losses.map(({ of, path, problem }) => `${of} ${path}${problem === undefined ? '' : `: ${problem}`}`);
}

/** Constraints of an object with a field `part` and another field `other`, and an object that meets them. */
const constraints: readonly [string, Record<string, Schema>, Partial<Schema>?][] = [
  ['a rule', { part: number, other: number }, ruled('!has(self.part) || !has(self.other) || self.part <= self.other')],
  ['a rule about a word', { part: { type: 'string' } }, ruled("!has(self.part) || self.part != 'forbidden'")],
  ['minimum', { part: { ...number, minimum: 3 } }],
  ['maximum', { part: { ...number, maximum: 5000 } }],
  ['maximum of a number', { part: { type: 'number', maximum: 5000 } }],
  ['multipleOf', { part: { ...number, multipleOf: 7 } }],
  ['enum', { part: { type: 'string', enum: ['some', 'other'] } }],
  ['pattern', { part: { type: 'string', pattern: '^[a-c]+$' } }],
  ['format', { part: { type: 'string', format: 'ipv4' } }],
  ['minLength', { part: { type: 'string', minLength: 30 } }],
  ['maxLength', { part: { type: 'string', maxLength: 200 } }],
  ['minItems', { part: { type: 'array', minItems: 2, items: number } }],
  ['maxItems', { part: { type: 'array', maxItems: 5, items: number } }],
  ['maxProperties', { part: { type: 'object', maxProperties: 4, additionalProperties: number } }],
  ['required', { part: { type: 'object', properties: { one: number }, required: ['one'] } }],
];

function ruled(rule: string): Partial<Schema> {
  return { 'x-kubernetes-validations': [{ rule }] };
}

/** Returns a schema without its constraints. */
function loose({ type, items, properties, additionalProperties }: Schema): Schema {
  return {
    type: type ?? 'string',
    ...(items && { items }),
    ...(properties && { properties }),
    ...(additionalProperties && { additionalProperties }),
  };
}

const within = (properties: Record<string, Schema>, more: Partial<Schema> = {}): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more } },
});

describe('objects that the stored version refuses', () => {
  it.each(constraints)('are found by %s that only it has', (_name, properties, more) => {
    const free = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, loose(schema)]));
    const refused = (own: Schema, steps: readonly ConversionStep[]) =>
      lossesIn(own, within(properties, more), steps).filter(({ refusal }) => refusal !== undefined);
    expect(refused(within(free), [])).toMatchObject([{ of: 'this', path: expect.stringMatching(/^spec/) }]);
    const { part, ...others } = free;
    const moved = within({ ...others, ...(part && { moved: part }) });
    const steps = [{ move: { field: 'spec.moved', stored: 'spec.part' } }];
    expect(refused(moved, steps)).toMatchObject([{ of: 'this', witness: { spec: { moved: expect.anything() } } }]);
    expect(refused(within(properties, more), [])).toEqual([]);
  });

  it.each(constraints)('are not reported if their own version refuses them by %s', (_name, properties, more) => {
    const kept = { ...properties, other: number };
    const gone = { ...properties, other: number, gone: number };
    const { part, ...others } = properties;
    expect(lossesOf(within(kept, more), within(kept, more), [])).toEqual([]);
    expect(lossesOf(within(gone, more), within(kept, more), [])).toEqual(['this spec.gone']);
    if (more) return;
    const steps = [{ move: { field: 'spec.moved', stored: 'spec.part' } }];
    expect(lossesOf(within({ ...others, ...(part && { moved: part }) }), within(properties), steps)).toEqual([]);
  });

  it.each<[string, Partial<Schema>, Partial<Schema>?]>([
    ['a rule', {}, ruled("self.mode == 'x'")],
    ['a pattern', { pattern: '^x$' }],
    ['an enum', { enum: ['x'] }],
    ['a length', { pattern: '^x+$', maxLength: 1 }],
  ])('are not reported if %s fixes the value that comes back', (_name, mode, more) => {
    const steps = [{ constant: { field: 'spec.mode', value: 'x' } }];
    const own = (fixed: Partial<Schema>, rules: Partial<Schema> = {}): Schema =>
      within({ a: number, mode: { type: 'string', ...fixed } }, { required: ['mode'], ...rules });
    expect(lossesOf(own(mode, more), within({ a: number }), steps)).toEqual([]);
    expect(lossesOf(own({}), within({ a: number }), steps)).toEqual(['this spec.mode']);
  });

  it('are not reported for versions that nobody can write', () => {
    const [free, strict] = [specOf({ a: number }), specOf({ a: { ...number, maximum: 5 } })];
    expect(lossesIn(free, strict, [], {}, { served: false })).toEqual([]);
  });
});

describe('losses', () => {
  it('are not reported if a step moves every field', () => {
    const steps = [{ move: { field: 'spec.old', stored: 'spec.new' } }];
    expect(lossesOf(specOf({ old: number, a: text }), specOf({ new: number, a: text }), steps)).toEqual([]);
  });

  it('are reported for fields of either version that have no place in the other', () => {
    expect(lossesOf(specOf({ a: text, own: number }), specOf({ a: text, theirs: number }), [])).toEqual([
      'stored spec.theirs',
      'this spec.own',
    ]);
  });

  it('are reported for values of a type that the other version does not allow there', () => {
    const moved = [{ move: { field: 'spec.old', stored: 'spec.new' } }];
    expect(lossesOf(specOf({ old: number }), specOf({ new: text }), moved)).toEqual([
      'stored spec.old: it becomes a string, and is an integer there',
      'this spec.new: it becomes an integer, and is a string there',
    ]);
    const listed: Schema = { type: 'array', items: { type: 'object', properties: { size: number } } };
    const other: Schema = { type: 'array', items: { type: 'object', properties: { size: { type: 'boolean' } } } };
    expect(lossesOf(specOf({ all: listed }), specOf({ all: other }), [])).toEqual([
      'stored spec.all[].size: it becomes a boolean, and is an integer there',
      'this spec.all[].size: it becomes an integer, and is a boolean there',
    ]);
    const either: Schema = { 'x-kubernetes-int-or-string': true };
    expect(lossesOf(specOf({ a: either }), specOf({ a: either }), [])).toEqual([]);
    expect(lossesOf(specOf({ a: number }), specOf({ a: { type: 'number' } }), [])).toEqual([
      'stored spec.a: it becomes a number, and is an integer there',
    ]);
  });

  it('are reported for values that a step does not restore', () => {
    const steps = [{ split: { field: 'spec.a', stored: ['spec.b', 'spec.c'], separator: '/' } }];
    expect(lossesOf(specOf({ a: text }), specOf({ b: text, c: text }), steps)).toContain('stored spec.b');
    const enumerated: Schema = { ...text, enum: ['x', 'y'] };
    expect(
      lossesOf(specOf({ a: { ...text, enum: ['x', 'x/y'] } }), specOf({ b: enumerated, c: enumerated }), steps),
    ).toEqual([]);
  });

  it('are not reported for objects that lack a field that their version requires', () => {
    const size = (own: Record<string, Schema>): Schema => ({
      type: 'object',
      required: ['keep'],
      properties: { keep: { type: 'string' }, ...own },
    });
    const steps = [{ move: { field: 'spec.w', stored: 'spec.size.w' } }];
    const stored = specOf({ size: size({ w: number }) });
    expect(lossesOf(specOf({ w: number, size: size({}) }), stored, steps)).toEqual([]);
  });

  it('are not reported if the definition gives a reason, or such objects cannot exist', () => {
    const steps: ConversionStep[] = [
      { move: { field: 'spec.port', stored: 'spec.number', type: 'number' } },
      { move: { field: 'spec.port', stored: 'spec.name', type: 'string' } },
    ];
    const own = specOf({ port: { 'x-kubernetes-int-or-string': true } });
    const stored = specOf({ number, name: text });
    expect(lossesOf(own, stored, steps)).not.toEqual([]);
    const fields = ['spec.number', 'spec.name'];
    expect(lossesOf(own, stored, steps, { oneOf: [{ of: 'stored', fields }] })).toEqual([]);
    const lost = [{ of: 'stored' as const, path: 'spec.theirs' }];
    expect(lossesOf(specOf({ a: text }), specOf({ a: text, theirs: number }), [], { lost })).toEqual([]);
  });

  it('are reported with a small object, and with the value before and after', () => {
    const values = [{ field: 'a', stored: 'b' }];
    const lost = lossesIn(
      specOf({ tone: { type: 'string', enum: ['a', 'b'] }, other: number }),
      specOf({ tone: { type: 'string', enum: ['a', 'b'] }, theirs: { type: 'array', items: number } }),
      [{ values: { field: 'spec.tone', stored: 'spec.tone', pairs: values } }],
    );
    expect(lost).toContainEqual({
      of: 'stored',
      path: 'spec.tone',
      before: 'a',
      after: 'b',
      witness: { spec: { tone: 'a' } },
    });
    const list = lost.find(({ path }) => path === 'spec.theirs');
    expect(list).toMatchObject({ before: [expect.any(Number)], after: undefined });
    expect(list?.witness).toEqual({ spec: { theirs: list?.before } });
  });

  it('are reported for expressions that fail for a valid object, and for no others', () => {
    const share = { field: 'spec.a', stored: 'spec.b', toStored: '60 / self', fromStored: '60 / self' };
    const divisor: Schema = { type: 'integer', enum: [1, 2, 30, 60] };
    expect(lossesOf(specOf({ a: divisor }), specOf({ b: divisor }), [{ expression: share }])).toEqual([]);
    const failing = lossesOf(specOf({ a: { type: 'integer', enum: [0, 60] } }), specOf({ b: divisor }), [
      { expression: share },
    ]);
    expect(failing).toContain('this spec.b: `60 / self` fails: division by zero');
  });

  it('are searched for in texts that patterns allow', () => {
    const time: Schema = { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' };
    const steps = [
      {
        expression: {
          field: 'spec.at',
          stored: 'spec.hour',
          toStored: 'int(self.split(":")[0])',
          fromStored: '(self < 10 ? "0" : "") + string(self) + ":00"',
        },
      },
    ];
    const hour: Schema = { type: 'integer', minimum: 0, maximum: 23 };
    const lost = lossesIn(specOf({ at: time }), specOf({ hour }), steps);
    expect(lost).toMatchObject([{ of: 'this', path: 'spec.at', after: expect.stringMatching(/^\d\d:00$/) }]);
    const full: Schema = { type: 'string', pattern: '^([01][0-9]|2[0-3]):00$' };
    expect(lossesIn(specOf({ at: full }), specOf({ hour }), steps)).toEqual([]);
  });

  it('are the same in every run', () => {
    const again = () => lossesOf(specOf({ a: text }), specOf({ b: number, c: number }), []);
    expect(again()).toEqual(again());
  });
});

describe('the built-in kinds', () => {
  const byName = new Map(model.resources.map((resource) => [`${resource.group}/${resource.names.plural}`, resource]));
  const converted = model.resources.flatMap((resource) => {
    const { storedAs } = resource;
    const storedResource = storedAs ? byName.get(`${storedAs.group}/${storedAs.plural}`) : resource;
    const version = storedResource?.versions.find(({ storage }) => storage);
    if (!storedResource || !version || resource.decoding !== 'typed') return [];
    return resource.versions
      .filter((each) => each !== version)
      .map(
        (each) =>
          [
            `${resource.names.plural} ${resource.group}/${each.name}`,
            { resource, version: each },
            { resource: storedResource, version },
          ] as const,
      );
  });

  it('are stored in one version and known in others', () => {
    expect(converted.length).toBeGreaterThan(40);
  });

  it.each(converted)('lose nothing: %s', (_name, one, stored) => {
    const named = conversions.find(({ name }) => name === one.version.conversion?.function);
    expect(findLosses(one, stored, named)).toEqual([]);
  });
});

describe('losses of values that few objects have', () => {
  it('are found with an empty list', () => {
    const steps = [{ wrap: { field: 'spec.one', stored: 'spec.all' } }];
    const all = (more: Partial<Schema>): Schema =>
      specOf({ all: { type: 'array', items: number, maxItems: 1, ...more } });
    expect(lossesOf(specOf({ one: number }), all({}), steps)).not.toEqual([]);
    expect(lossesOf(specOf({ one: number }), all({ minItems: 1 }), steps)).toEqual([]);
  });

  it('are found with a part that contains the separator', () => {
    const steps = [{ join: { fields: ['spec.host', 'spec.port'], stored: 'spec.address', separator: ':' } }];
    const found = lossesOf(specOf({ host: text, port: text }), specOf({ address: text }), steps);
    expect(found).toContain('this spec.host');
    const host: Schema = { ...text, pattern: '^[a-z]+$' };
    const address: Schema = { ...text, pattern: '^[a-z]+(:[0-9]+)?$' };
    const port: Schema = { ...text, pattern: '^[0-9]+$' };
    expect(lossesOf(specOf({ host, port }), specOf({ address }), steps)).not.toContain('this spec.host');
  });

  it.each<[string, Schema, Schema, string, string, string]>([
    [
      'texts of numbers with a zero before them',
      { ...text, pattern: '^[0-9]+$' },
      number,
      'int(self)',
      'string(self)',
      'this spec.a',
    ],
    ['numbers that a double cannot hold', number, number, 'int(double(self))', 'self', 'stored spec.b'],
    [
      'numbers at the end of their type',
      number,
      { ...number, multipleOf: 60 },
      'self * 60',
      'self / 60',
      'this spec.b: ',
    ],
  ])('are found in %s', (_what, own, stored, toStored, fromStored, loss) => {
    const steps = [{ expression: { field: 'spec.a', stored: 'spec.b', toStored, fromStored } }];
    const found = lossesOf(specOf({ a: own }), specOf({ b: stored }), steps);
    expect(
      found.some((each) => each.startsWith(loss)),
      found.join(),
    ).toBe(true);
  });
});
