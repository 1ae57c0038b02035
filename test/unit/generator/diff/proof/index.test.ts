/**
 * Verdicts on single differences: whether they have an effect on objects, the smallest such object, and who is
 * affected.
 */
import { describe, expect, it } from 'vitest';
import { compareSchemas } from '../../../../../generator/diff/compare/compare-schemas.js';
import type { DiffedVersion, Difference, Prover, Verdict } from '../../../../../generator/diff/difference.js';
import { createProver, type ProverOptions } from '../../../../../generator/diff/proof/index.js';
import type { JsonObject, JsonValue, Schema } from '../../../../../runtime/contract/index.js';
import { object, versionOf } from '../../../../support/gate/version.js';

const text = (more: Partial<Schema> = {}): Schema => ({ type: 'string', ...more });
const whole = (more: Partial<Schema> = {}): Schema => ({ type: 'integer', ...more });
const list = (items: Schema, more: Partial<Schema> = {}): Schema => ({ type: 'array', items, ...more });
const rule = (...rules: string[]): Partial<Schema> => ({
  'x-kubernetes-validations': rules.map((each) => ({ rule: each })),
});

interface Judged {
  readonly prover: Prover;
  readonly differences: readonly Difference[];
}

function compare(old: Schema, later: Schema, options?: ProverOptions, status?: readonly [Schema, Schema]): Judged {
  const [before, after] = [versionOf('things', old, status?.[0]), versionOf('things', later, status?.[1])];
  const found = compareSchemas(before.version.schema, after.version.schema);
  return {
    prover: createProver(before, after, options),
    differences: found.map((each) => ({ resource: 'things.example.com', version: 'v1', ...each })),
  };
}

/** Returns the verdict on the first difference with a keyword. */
function verdictOn(keyword: string, old: Schema, later: Schema, options?: ProverOptions): Verdict {
  const { prover, differences } = compare(old, later, options);
  const difference = differences.find((each) => each.keyword === keyword);
  if (difference === undefined) throw new Error(`nothing differs in ${keyword}`);
  return prover.judge(difference);
}

const specOf = (object: JsonObject | undefined): JsonValue | undefined => object?.spec;

describe('a difference with an effect on objects', () => {
  it.each<[string, string, Schema, Schema, JsonValue, string[]]>([
    ['shorter texts', 'maxLength', text({ maxLength: 9 }), text({ maxLength: 5 }), 'aaaaaa', ['writers']],
    ['a value of an enum that is gone', 'enum', text({ enum: ['a', 'b'] }), text({ enum: ['a'] }), 'b', ['writers']],
    ['a larger minimum', 'minimum', whole({ minimum: 1 }), whole({ minimum: 3 }), 1, ['writers']],
    ['another step', 'multipleOf', whole({ multipleOf: 2 }), whole({ multipleOf: 3 }), 2, ['writers']],
    ['another type', 'type', text(), whole(), 'a', ['writers']],
    ['numbers or texts to texts', 'type', { 'x-kubernetes-int-or-string': true }, text(), 0, ['writers']],
    ['a format', 'format', text(), text({ format: 'date-time' }), 'a', ['writers']],
    ['a null that is not kept', 'nullable', text({ nullable: true }), text(), null, ['writers']],
    ['fewer items', 'maxItems', list(text(), { maxItems: 2 }), list(text(), { maxItems: 1 }), ['a', 'b'], ['writers']],
    [
      'fewer items of which each has required fields',
      'maxItems',
      list(object({ k: text(), v: text() }, { required: ['k', 'v'] })),
      list(object({ k: text(), v: text() }, { required: ['k', 'v'] }), { maxItems: 2 }),
      [
        { k: 'a', v: 'a' },
        { k: 'b', v: 'a' },
        { k: 'A', v: 'a' },
      ],
      ['writers'],
    ],
    [
      'fields that are not kept',
      'x-kubernetes-preserve-unknown-fields',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'object' },
      { unknownField: 1 },
      ['writers', 'stored'],
    ],
    [
      'repeats, which are let be where they are stored',
      'x-kubernetes-list-type',
      list(text()),
      list(text(), { 'x-kubernetes-list-type': 'set' }),
      ['a', 'a'],
      ['writers'],
    ],
    [
      'repeated keys',
      'x-kubernetes-list-type',
      list(object({ k: text(), v: text() }, { required: ['k'] })),
      list(object({ k: text(), v: text() }, { required: ['k'] }), {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      }),
      [{ k: 'a' }, { k: 'a' }],
      ['writers'],
    ],
    [
      'values of a map',
      'maxLength',
      { type: 'object', additionalProperties: text() },
      { type: 'object', additionalProperties: text({ maxLength: 3 }) },
      { a: 'aaaa' },
      ['writers'],
    ],
    [
      'a rule about a text',
      'x-kubernetes-validations',
      text(),
      text(rule("!self.startsWith('kube-')")),
      'kube-',
      ['writers'],
    ],
    [
      'a choice',
      'oneOf',
      object({ a: text(), b: text() }),
      object({ a: text(), b: text() }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
      {},
      ['writers'],
    ],
    ['a default', 'default', object({ a: text() }), object({ a: text({ default: 'x' }) }), {}, ['writers']],
    [
      'a field that is gone',
      'properties',
      object({ a: text(), b: text() }),
      object({ a: text() }),
      { b: 'a' },
      ['writers', 'stored'],
    ],
    [
      'a required field',
      'required',
      object({ a: text() }),
      object({ a: text() }, { required: ['a'] }),
      {},
      ['writers'],
    ],
    [
      'a part of an embedded object',
      'x-kubernetes-embedded-resource',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-embedded-resource': true },
      {},
      ['writers', 'stored'],
    ],
  ])('is a break: %s', (_what, keyword, before, after, felt, effects) => {
    const verdict = verdictOn(keyword, object({ a: before }), object({ a: after }));
    expect(verdict).toMatchObject({ kind: 'break', effects, witness: { object: { spec: { a: felt } } } });
  });

  it('is found by texts that one pattern matches and the other does not', () => {
    const verdict = verdictOn(
      'pattern',
      object({ a: text({ pattern: '^[a-z]{3}-[0-9]{2,4}$' }) }),
      object({ a: text({ pattern: '^[a-z]{3}-[0-9]{2,3}$' }) }),
    );
    const felt = verdict.kind === 'break' ? specOf(verdict.witness?.object) : undefined;
    expect(felt).toMatchObject({ a: expect.stringMatching(/^[a-z]{3}-[0-9]{4}$/) });
  });

  it('is found by an update if a rule is about changes', () => {
    const fields = { a: whole(), b: whole() };
    const verdict = verdictOn(
      'x-kubernetes-validations',
      object(fields),
      object(fields, rule('!has(self.a) || !has(oldSelf.a) || self.a >= oldSelf.a')),
    );
    expect(verdict).toMatchObject({ kind: 'break', effects: ['writers'] });
    const witness = verdict.kind === 'break' ? verdict.witness : undefined;
    const [before, after] = [specOf(witness?.before), specOf(witness?.object)];
    expect(Number(Object(after).a)).toBeLessThan(Number(Object(before).a));
  });

  it('is found if other rules require fields', () => {
    const fields = { a: text(), node: text() };
    const asked = rule('has(self.node) && size(self.node) > 0');
    const verdict = verdictOn(
      'maxLength',
      object({ ...fields, a: text() }, asked),
      object({ ...fields, a: text({ maxLength: 1 }) }, asked),
    );
    expect(verdict).toMatchObject({ kind: 'break', witness: { object: { spec: { node: 'a' } } } });
  });

  it('is shown by a status that its subresource writes', () => {
    const status = [object({ phase: text() }), object({ phase: text({ enum: ['Ready'] }) })] as const;
    const { prover, differences } = compare(object({}), object({}), {}, status);
    const [verdict] = differences.map((difference) => prover.judge(difference));
    expect(verdict).toMatchObject({ kind: 'break', witness: { object: { status: { phase: 'a' } } } });
  });

  it('has one witness for each effect, if a single object does not show all', () => {
    const open = { type: 'object' as const, 'x-kubernetes-preserve-unknown-fields': true };
    const keyword = 'x-kubernetes-embedded-resource';
    const verdict = verdictOn(keyword, object({ a: open }), object({ a: { ...open, [keyword]: true } }));
    const further = verdict.kind === 'break' ? verdict.further?.[0] : undefined;
    expect(further?.before?.spec).toEqual(further?.object.spec);
    expect(further?.new.accepted).toBe(false);
  });
});

it('a default of a whole part counts with all its fields', () => {
  const status = { ...object({ generation: whole(), phase: text() }), default: { generation: -1 } };
  const added = { ...status, properties: { ...status.properties, message: text() } };
  const { prover, differences } = compare(object({}), object({}), {}, [status, added]);
  expect(differences.map((difference) => prover.judge(difference).kind)).toEqual(['safe']);
});

describe('typed kinds', () => {
  const typed = (spec: Schema): DiffedVersion => {
    const { resource, version } = versionOf('things', spec);
    const schema = object({ spec });
    return { resource: { ...resource, decoding: 'typed' }, version: { ...version, schema } };
  };
  const verdicts = (before: Schema, after: Schema): Verdict[] => {
    const [old, later] = [typed(before), typed(after)];
    const prover = createProver(old, later);
    return compareSchemas(old.version.schema, later.version.schema).map((each) =>
      prover.judge({ resource: 'things.example.com', version: 'v1', ...each }),
    );
  };

  it('refuse values of another type before anything else', () => {
    const [verdict] = verdicts(object({ a: text() }), object({ a: whole() }));
    expect(verdict).toMatchObject({
      kind: 'break',
      effects: ['writers', 'stored'],
      witness: { new: { accepted: false } },
    });
  });

  it('refuse wrong values that do not change, while custom resources keep these', () => {
    const narrowed = [object({ a: text() }), object({ a: text({ maxLength: 1 }) })] as const;
    expect(verdicts(...narrowed)).toMatchObject([{ effects: ['writers', 'stored'] }]);
    expect(verdictOn('maxLength', ...narrowed)).toMatchObject({ effects: ['writers'] });
  });

  it('refuse changes of fields that have become immutable', () => {
    const [verdict] = verdicts(object({ a: text() }), object({ a: text({ 'x-kindforge-immutable': true }) }));
    expect(verdict).toMatchObject({ kind: 'break', effects: ['writers'] });
    const witness = verdict?.kind === 'break' ? verdict.witness : undefined;
    expect(witness?.before?.spec).not.toEqual(witness?.object.spec);
  });
});

describe('a difference without an effect on any object', () => {
  it.each<[string, string, Schema, Schema]>([
    ['longer texts', 'maxLength', text({ maxLength: 5 }), text({ maxLength: 9 })],
    [
      'a length that no value of the enum has',
      'maxLength',
      text({ enum: ['a', 'bb'] }),
      text({ enum: ['a', 'bb'], maxLength: 5 }),
    ],
    ['a value more', 'enum', text({ enum: ['a'] }), text({ enum: ['a', 'b'] })],
    [
      'a pattern that all values of the enum match',
      'pattern',
      text({ enum: ['a', 'bb'] }),
      text({ enum: ['a', 'bb'], pattern: '^[a-z]+$' }),
    ],
    ['a minimum below another one', 'minimum', whole({ minimum: 3 }), whole({ minimum: 1 })],
    ['texts where numbers were possible, too', 'type', text(), { 'x-kubernetes-int-or-string': true }],
    ['a rule that is gone', 'x-kubernetes-validations', text(rule('size(self) < 3')), text()],
    ['a field more', 'properties', object({ a: text() }), object({ a: text(), b: text({ default: 'x' }) })],
    [
      'a required field that has a default',
      'required',
      object({ a: text({ default: 'x' }) }),
      object({ a: text({ default: 'x' }) }, { required: ['a'] }),
    ],
  ])('is safe: %s', (_what, keyword, before, after) => {
    const verdict = verdictOn(keyword, object({ a: before }), object({ a: after }));
    expect(verdict).toMatchObject({ kind: 'safe' });
    expect(verdict.kind === 'safe' && verdict.tried).toBeGreaterThan(5);
  });

  it('is not blamed for another difference that affects all objects', () => {
    const before = object({ a: text({ maxLength: 5 }), b: text({ enum: ['x', 'y'] }) }, { required: ['b'] });
    const after = object({ a: text({ maxLength: 9 }), b: text({ enum: ['z'] }) }, { required: ['b'] });
    expect(verdictOn('maxLength', before, after).kind).toBe('safe');
    expect(verdictOn('enum', before, after)).toMatchObject({
      kind: 'break',
      witness: { object: { spec: { b: 'x' } } },
    });
  });

  it('reports the default of a required field as the break', () => {
    const [before, after] = [object({ a: text() }), object({ a: text({ default: 'x' }) }, { required: ['a'] })];
    expect(verdictOn('required', before, after).kind).toBe('safe');
    expect(verdictOn('default', before, after)).toMatchObject({ kind: 'break', witness: { new: { accepted: true } } });
  });
});

it('a difference that the gate cannot decide is undecided, with the objects that it tried', () => {
  const verdict = verdictOn(
    'x-kubernetes-validations',
    object({ a: text(rule('size(self) < 5')) }),
    object({ a: text(rule('self.size() < 5')) }),
  );
  expect(verdict).toMatchObject({ kind: 'undecided', reason: expect.stringContaining('one may exist') });
  expect(verdict.kind === 'undecided' && verdict.tried).toBeGreaterThan(20);
});

it('the same definitions always get the same verdict', () => {
  const judge = (): Verdict =>
    verdictOn('pattern', object({ a: text({ pattern: '^[a-z]+$' }) }), object({ a: text({ pattern: '^[a-m]+$' }) }));
  expect(judge()).toEqual(judge());
});

describe('objects of the user', () => {
  const [before, after] = [object({ a: text() }), object({ a: text({ maxLength: 30 }) })];
  const mine = (a: string, more: JsonObject = {}): JsonObject => ({
    apiVersion: 'example.com/v1',
    kind: 'Things',
    metadata: { name: 'mine' },
    spec: { a },
    ...more,
  });

  it('are tried first', () => {
    const objects = [mine('short'), mine('x'.repeat(40)), mine('x'.repeat(35))];
    const verdict = verdictOn('maxLength', before, after, { objects });
    expect(verdict).toMatchObject({
      kind: 'break',
      effects: ['writers'],
      witness: { object: { spec: { a: 'x'.repeat(35) } } },
    });
    expect(verdict.kind === 'break' && verdict.witness?.object.metadata).toEqual({ name: 'mine' });
  });

  it('of other kinds and versions are not tried', () => {
    const objects = [mine('x'.repeat(35), { kind: 'Other' }), mine('x'.repeat(35), { apiVersion: 'example.com/v2' })];
    const verdict = verdictOn('maxLength', before, after, { objects });
    expect(verdict.kind === 'break' && verdict.witness?.object.metadata).toEqual({ name: 'a' });
  });

  it('are counted if they show no break', () => {
    const [one, other] = [
      verdictOn('maxLength', after, before),
      verdictOn('maxLength', after, before, { objects: [mine('a')] }),
    ];
    const tried = (verdict: Verdict): number => (verdict.kind === 'safe' ? verdict.tried : 0);
    expect(tried(other)).toBe(tried(one) + 1);
  });
});

describe('fields and values that readers may newly see', () => {
  const seen = (keyword: string, before: Schema, after: Schema): JsonValue | undefined => {
    const { prover, differences } = compare(object({ a: before }), object({ a: after }));
    const difference = differences.find((each) => each.keyword === keyword);
    return difference && specOf(prover.newlySeen(difference)?.object);
  };

  it.each<[string, string, Schema, Schema, JsonValue]>([
    ['a value of an enum', 'enum', text({ enum: ['a'] }), text({ enum: ['a', 'c'] }), { a: 'c' }],
    ['an absent field', 'required', object({ b: text() }, { required: ['b'] }), object({ b: text() }), { a: {} }],
    [
      'an absent field that had a default',
      'default',
      object({ b: text({ default: 'x' }) }),
      object({ b: text() }),
      { a: {} },
    ],
    ['null', 'nullable', text(), text({ nullable: true }), { a: null }],
    ['another type', 'type', text(), { 'x-kubernetes-int-or-string': true }, { a: 0 }],
  ])('%s', (_what, keyword, before, after, expected) => {
    expect(seen(keyword, before, after)).toEqual(expected);
  });

  it('are none if the new definition only removes fields', () => {
    expect(seen('enum', text({ enum: ['a', 'b'] }), text({ enum: ['a'] }))).toBeUndefined();
    expect(seen('properties', object({ b: text() }), object({ b: text(), c: text() }))).toBeUndefined();
  });
});

describe('a difference of ownership', () => {
  const owned = (keyword: string, old: Schema, later: Schema) => {
    const { prover, differences } = compare(old, later);
    const difference = differences.find((each) => each.keyword === keyword);
    if (difference === undefined) throw new Error(`nothing differs in ${keyword}`);
    return prover.ownedOtherwise(difference).witness?.owned;
  };
  const map = { type: 'object', additionalProperties: text() } as const;
  const item = object({ name: text(), port: whole() }, { required: ['name', 'port'] });
  const keyed = (...keys: string[]): Schema =>
    list(item, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });

  it.each<[string, string, Schema, Schema, RegExp, RegExp]>([
    [
      'a map as a whole',
      'x-kubernetes-map-type',
      map,
      { ...map, 'x-kubernetes-map-type': 'atomic' },
      /^\.spec\.\w+/,
      /^\.spec$/,
    ],
    ['a list as a whole', 'x-kubernetes-list-type', keyed('name'), list(item), /^\.spec\[name=/, /^\.spec$/],
    [
      'items by another key',
      'x-kubernetes-list-map-keys',
      keyed('name'),
      keyed('name', 'port'),
      /\[name="\w*"\]/,
      /,port=/,
    ],
  ])('%s', (_, keyword, old, later, before, after) => {
    const fields = owned(keyword, old, later);
    expect(fields?.old[0]).toMatch(before);
    expect(fields?.new[0]).toMatch(after);
  });

  it('does not exist if every object has the same owners', () => {
    const none = { ...map, maxProperties: 0 };
    expect(owned('x-kubernetes-map-type', none, { ...none, 'x-kubernetes-map-type': 'atomic' })).toBeUndefined();
  });
});
