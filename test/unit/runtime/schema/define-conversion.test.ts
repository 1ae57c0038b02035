/** Conversions: the effect of each kind of step in both directions. */
import { describe, expect, it } from 'vitest';
import type { ConversionStep, JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { defineConversion } from '../../../../runtime/schema/index.js';

const rename = (name: string): string => name.replace('platform.io', 'example.com');

/** Converts an object to the version of the steps. */
function fromStored(steps: readonly ConversionStep[], stored: JsonObject): JsonObject {
  const object = structuredClone(stored);
  defineConversion(steps).fromStored(object, rename);
  return object;
}

function toStored(steps: readonly ConversionStep[], given: JsonObject): JsonObject {
  const object = structuredClone(given);
  defineConversion(steps).toStored(object, rename);
  return object;
}

/** Checks both directions: each object converts to the other. */
function expectPair(steps: readonly ConversionStep[], stored: JsonObject, shown: JsonObject): void {
  expect(fromStored(steps, stored)).toEqual(shown);
  expect(toStored(steps, shown)).toEqual(stored);
}

describe('a move', () => {
  it('renames a field, and makes and removes the objects around it', () => {
    const steps = [{ move: { field: 'backend.serviceName', stored: 'service.name' } }];
    expectPair(steps, { service: { name: 'a' }, other: 1 }, { backend: { serviceName: 'a' }, other: 1 });
    expectPair(steps, { service: { name: 'a', port: 1 } }, { service: { port: 1 }, backend: { serviceName: 'a' } });
    expectPair(steps, { other: 1 }, { other: 1 });
  });

  it('goes through lists, item by item', () => {
    const steps = [{ move: { field: 'rules[].paths[].a', stored: 'rules[].paths[].b.c' } }];
    const rules = (item: JsonObject) => ({ rules: [{ paths: [item, { x: 1 }] }, { x: 2 }] });
    expectPair(steps, rules({ b: { c: 1 } }), rules({ a: 1 }));
    expect(fromStored(steps, { rules: 'none' })).toEqual({ rules: 'none' });
  });

  it('accepts keys that are not identifiers', () => {
    const steps = [{ move: { field: 'topology["example.com/zone"]', stored: 'zone' } }];
    expectPair(steps, { zone: 'z' }, { topology: { 'example.com/zone': 'z' } });
  });

  it('makes one field from several by the type of the value', () => {
    const steps: ConversionStep[] = [
      { move: { field: 'port', stored: 'number', type: 'number' } },
      { move: { field: 'port', stored: 'name', type: 'string' } },
    ];
    expectPair(steps, { number: 80 }, { port: 80 });
    expectPair(steps, { name: 'http' }, { port: 'http' });
  });

  it('has a value for absence, if the object around it exists', () => {
    const steps = [{ move: { field: 'a.shown', stored: 'a.kept', absent: '0' } }];
    expectPair(steps, { a: { x: 1 } }, { a: { x: 1, shown: '0' } });
    expectPair(steps, { a: { kept: '1' } }, { a: { shown: '1' } });
    expectPair(steps, { x: 1 }, { x: 1 });
  });
});

describe('a split', () => {
  const steps = [{ split: { field: 'image', stored: ['name', 'tag'], separator: ':' } }];

  it('makes a text from its parts', () => {
    expectPair(steps, { name: 'a', tag: 'b' }, { image: 'a:b' });
    expectPair(steps, { name: 'a' }, { image: 'a' });
    expectPair(steps, { tag: 'b' }, { image: ':b' });
    expectPair(steps, { tag: 'b:c', name: 'a' }, { image: 'a:b:c' });
    expectPair(steps, {}, {});
  });
});

describe('a join', () => {
  const steps = [{ join: { fields: ['host', 'port'], stored: 'address', separator: ':' } }];

  it('makes several fields from a text', () => {
    expectPair(steps, { address: 'a:b' }, { host: 'a', port: 'b' });
    expectPair(steps, { address: 'a' }, { host: 'a' });
    expectPair(steps, { address: ':b' }, { port: 'b' });
    expectPair(steps, { address: 'a:b:c' }, { host: 'a', port: 'b:c' });
    expectPair(steps, {}, {});
  });
});

describe('a wrap', () => {
  const wrap = { field: 'spec.host', stored: 'spec.hosts', annotation: 'platform.io/hosts' };
  const kept = (text: string) => ({ metadata: { annotations: { 'example.com/hosts': text } } });

  it('makes a value from a list of one item', () => {
    expectPair([{ wrap }], { spec: { hosts: ['a'] } }, { spec: { host: 'a' } });
    expectPair([{ wrap }], { spec: { x: 1 } }, { spec: { x: 1 } });
    expectPair(
      [{ wrap: { field: 'r[].a', stored: 'r[].b' } }],
      { r: [{ b: [1] }, { b: [2] }] },
      { r: [{ a: 1 }, { a: 2 }] },
    );
  });

  it('keeps other items in an annotation, and distinguishes an empty list', () => {
    const metadata = {};
    expectPair(
      [{ wrap }],
      { metadata, spec: { hosts: ['a', 'b', 'c'] } },
      { ...kept('["b","c"]'), spec: { host: 'a' } },
    );
    expectPair([{ wrap }], { metadata, spec: { hosts: [] } }, kept('[]'));
    expect(toStored([{ wrap }], { ...kept('["b"]'), spec: { host: 'new' } })).toMatchObject({
      spec: { hosts: ['new', 'b'] },
    });
    expect(toStored([{ wrap }], kept('["b"]'))).toMatchObject({ spec: { hosts: ['b'] } });
    expect(toStored([{ wrap }], { ...kept('3'), spec: { host: 'a' } })).toMatchObject({ spec: { hosts: ['a'] } });
  });

  it('works in the other direction', () => {
    const other = { field: 'hosts', stored: 'host', list: 'field' as const, annotation: 'platform.io/hosts' };
    expectPair([{ wrap: other }], { ...kept('["b"]'), host: 'a' }, { metadata: {}, hosts: ['a', 'b'] });
    expectPair([{ wrap: other }], { host: 'a' }, { hosts: ['a'] });
  });
});

describe('a default', () => {
  const step = { field: 'spec.tone', value: 'low', annotation: 'platform.io/tone' };
  const marked = { metadata: { annotations: { 'example.com/tone': 'written' } } };

  it('fills in for an absent value, and differs from the same value when written', () => {
    expectPair([{ default: step }], { spec: { x: 1 } }, { spec: { x: 1, tone: 'low' } });
    expectPair([{ default: step }], { spec: { tone: 'high' } }, { spec: { tone: 'high' } });
    expectPair([{ default: step }], { metadata: {}, spec: { tone: 'low' } }, { ...marked, spec: { tone: 'low' } });
    expectPair([{ default: step }], {}, {});
  });

  it('can belong to the stored version', () => {
    const { value, annotation } = step;
    const steps = [{ default: { stored: 'spec.tone', value, annotation } }];
    expectPair(steps, { spec: { tone: 'low' } }, { spec: {} });
    expectPair(steps, { ...marked, spec: { tone: 'low' } }, { metadata: {}, spec: { tone: 'low' } });
  });

  it('is a separate value each time', () => {
    const steps = [{ default: { field: 'a', value: { b: [] } } }];
    const conversion = defineConversion(steps);
    const [one, other]: JsonObject[] = [{}, {}];
    for (const each of [one, other]) conversion.fromStored(each ?? {}, rename);
    expect(one?.a).toEqual({ b: [] });
    expect(one?.a).not.toBe(other?.a);
  });
});

describe('a constant', () => {
  it('exists in one version only, and the object of the other stays', () => {
    expectPair([{ constant: { stored: 'spec.kind', value: 'k' } }], { spec: { kind: 'k' } }, { spec: {} });
    expectPair([{ constant: { field: 'spec.kind', value: 'k' } }], { spec: {} }, { spec: { kind: 'k' } });
    expectPair([{ constant: { field: 'r[].kind', value: 1 } }], { r: [{}, {}] }, { r: [{ kind: 1 }, { kind: 1 }] });
    expectPair([{ constant: { stored: 'spec.kind', value: 'k' } }], {}, {});
  });
});

describe('an expression', () => {
  const expression = { field: 'r[].minutes', stored: 'r[].seconds', toStored: 'self * 60', fromStored: 'self / 60' };

  it('is called with the value, and for its place', () => {
    const evaluating = (times: number) => (object: JsonObject) => (index: number, self: JsonValue | undefined) =>
      typeof self === 'number' ? self * times + index + Object.keys(object).length - 1 : self;
    const conversion = defineConversion([{ expression }], {
      toStored: evaluating(60),
      fromStored: evaluating(1 / 60),
    });
    const object: JsonObject = { r: [{ minutes: 2 }, {}] };
    conversion.toStored(object, rename);
    expect(object).toEqual({ r: [{ seconds: 120 }, {}] });
    conversion.fromStored(object, rename);
    expect(object).toEqual({ r: [{ minutes: 2 }, {}] });
    expect(conversion.mayFail).toBe(true);
    expect(defineConversion([]).mayFail).toBeUndefined();
  });
});

describe('an item', () => {
  const item = {
    field: 'percent',
    stored: 'metrics',
    where: { type: 'cpu', 'target.type': 'percent' },
    value: 'target.value',
  };
  const cpu = { type: 'cpu', target: { type: 'percent', value: 60 } };

  it('is a field of its own, and the others stay in the list', () => {
    expectPair([{ item }], { metrics: [{ type: 'memory' }, cpu] }, { metrics: [{ type: 'memory' }], percent: 60 });
    expectPair([{ item }], { metrics: [cpu] }, { percent: 60 });
  });

  it('stays if it has other fields, or is not the first', () => {
    const more = { ...cpu, name: 'x' };
    expectPair([{ item }], { metrics: [more] }, { metrics: [more] });
    expect(fromStored([{ item }], { metrics: [cpu, cpu] })).toEqual({ metrics: [cpu], percent: 60 });
  });

  it('can appear in both places, and counts only without a list', () => {
    const copied = [{ item: { ...item, copied: true } }];
    expect(fromStored(copied, { metrics: [cpu] })).toEqual({ metrics: [cpu], percent: 60 });
    expect(toStored(copied, { metrics: [{ type: 'memory' }], percent: 60 })).toEqual({ metrics: [{ type: 'memory' }] });
    expect(toStored(copied, { metrics: null, percent: 60 })).toEqual({ metrics: [cpu] });
  });
});

describe('an annotation', () => {
  const kept = (annotations: JsonObject) => ({ metadata: { name: 'a', annotations } });

  it('keeps fields that this version lacks, under the served name', () => {
    const steps = [{ annotation: { key: 'platform.io/limits', stored: 'spec.limits' } }];
    const shown = { ...kept({ 'example.com/limits': '{"cpu":1}' }) };
    expectPair(steps, { metadata: { name: 'a' }, spec: { limits: { cpu: 1 } } }, shown);
    expectPair(steps, { metadata: { name: 'a' } }, { metadata: { name: 'a' } });
  });

  it('keeps fields that the stored version lacks', () => {
    const steps = [{ annotation: { key: 'revision', field: 'spec.revision', as: 'text' as const } }];
    expectPair(steps, kept({ revision: '3', other: 'x' }), { ...kept({ other: 'x' }), spec: { revision: '3' } });
  });

  it('has steps of its own', () => {
    const steps = [
      { annotation: { key: 'm', stored: 'm', steps: [{ move: { field: 'value[].Old', stored: 'value[].new' } }] } },
    ];
    expectPair(steps, { metadata: { name: 'a' }, m: [{ new: 1 }] }, kept({ m: '[{"Old":1}]' }));
  });

  it.each(['not json', '', '{'])('with the value %s is dropped', (text) => {
    const steps = [{ annotation: { key: 'm', stored: 'm' } }];
    expect(toStored(steps, kept({ m: text }))).toEqual({ metadata: { name: 'a' } });
  });
});

describe('other steps', () => {
  it('give single values another meaning', () => {
    const steps = [{ values: { field: 'sel', stored: 'sel', pairs: [{ field: {}, stored: { none: true } }] } }];
    expectPair(steps, { sel: { none: true } }, { sel: {} });
    expectPair(steps, { sel: { a: 1 } }, { sel: { a: 1 } });
  });

  it('give values a meaning with names as they are served', () => {
    const pairs = [{ field: {}, stored: { any: [{ key: 'labels.platform.io/none', text: 'platform.io' }] } }];
    const stored = { sel: { any: [{ key: 'labels.example.com/none', text: 'platform.io' }] } };
    expectPair([{ values: { field: 'sel', stored: 'sel', pairs } }], stored, { sel: {} });
  });

  it('derive the name of the present field', () => {
    const steps: ConversionStep[] = [
      { derived: { stored: 't.type', from: { A: 't.a', B: 't.b' } } },
      { move: { field: 'tb', stored: 't.b' } },
    ];
    expectPair(steps, { t: { type: 'B', b: 1 } }, { tb: 1 });
    expect(fromStored(steps, { t: { type: 'A', b: 1 } })).toEqual({ t: { type: 'A' }, tb: 1 });
  });

  it('run in reverse on the way back', () => {
    const steps: ConversionStep[] = [
      { within: { path: 'spec', steps: [{ move: { field: '$old', stored: 'target' } }] } },
      { move: { field: 'spec.target', stored: 'spec.described' } },
      { move: { field: 'spec.value', stored: 'spec.$old.value' } },
    ];
    expectPair(steps, { spec: { target: { value: 1 }, described: 'd' } }, { spec: { target: 'd', value: 1 } });
  });
});

describe('the compiled text', () => {
  it('runs no code from a definition', () => {
    const odd = `a'];globalThis.broken = true;//`;
    const steps = [
      { move: { field: `x[${JSON.stringify(odd)}]`, stored: 'y' } },
      { annotation: { key: odd, stored: 'z' } },
    ];
    expect(fromStored(steps, { y: 1, z: 2, metadata: {} })).toEqual({
      x: { [odd]: 1 },
      metadata: { annotations: { [odd]: '2' } },
    });
    expect(globalThis).not.toHaveProperty('broken');
  });

  it('does not change prototypes', () => {
    const steps = [{ move: { field: 'b', stored: '__proto__.polluted' } }];
    expect(toStored(steps, { b: 1 })).toEqual(JSON.parse('{"__proto__":{"polluted":1}}'));
    expect({}).not.toHaveProperty('polluted');
  });
});
