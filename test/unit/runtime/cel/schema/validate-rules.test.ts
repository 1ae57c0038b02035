/** Validates objects by rules: when rules apply, which values they compare, and how they are reported. */
import { describe, expect, it } from 'vitest';
import { baseEnvironment, compileRuleTree, laterEnvironment, validateRules } from '../../../../../runtime/cel/index.js';
import type { FieldError, JsonObject, Schema, ValidationRule } from '../../../../../runtime/contract/index.js';
import { Correlation, comparing } from '../../../../../runtime/schema/index.js';

/** Adds rules to a schema. */
const ruled = (schema: Schema, ...rules: ValidationRule[]): Schema => ({
  ...schema,
  'x-kubernetes-validations': rules,
});
const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });
const integer: Schema = { type: 'integer' };
const text: Schema = { type: 'string', maxLength: 10 };

function errorsOf(schema: Schema, self: unknown, old?: unknown, budget?: number): FieldError[] {
  const tree = compileRuleTree(schema, laterEnvironment, { plainKeywords: true });
  if (tree === undefined) throw new Error('no rules');
  const errors: FieldError[] = [];
  validateRules(tree, self, old, errors, { budget });
  return errors;
}

const linesOf = (schema: Schema, self: unknown, old?: unknown, budget?: number): string[] =>
  errorsOf(schema, self, old, budget).map(({ field, message }) => `${field}: ${message}`);

const positive: ValidationRule = { rule: 'self > 0', message: 'must be positive' };
const fixed: ValidationRule = { rule: 'self == oldSelf', message: 'is fixed' };
const pair = object({ key: text, zone: text, value: ruled(integer, fixed) });
const listOf = (type: 'map' | 'set' | 'atomic' | undefined, keys: string[], items: Schema): Schema => ({
  type: 'array',
  items,
  ...(type ? { 'x-kubernetes-list-type': type } : {}),
  ...(keys.length > 0 ? { 'x-kubernetes-list-map-keys': keys } : {}),
});

interface Case {
  readonly says: string;
  readonly schema: Schema;
  readonly self: unknown;
  readonly old?: unknown;
  readonly errors: readonly string[];
}

const places: readonly Case[] = [
  {
    says: 'every place has its own self',
    schema: object({
      one: ruled(integer, positive),
      list: { type: 'array', items: ruled(integer, positive) },
      map: { type: 'object', additionalProperties: ruled(integer, positive) },
    }),
    self: { one: 0, list: [1, 0], map: { 'a.b': 0, c: 1 } },
    errors: [
      'one: Invalid value: "integer": must be positive',
      'list[1]: Invalid value: "integer": must be positive',
      'map[a.b]: Invalid value: "integer": must be positive',
    ],
  },
  {
    says: 'rules of what is absent or null do not apply',
    schema: object({ absent: ruled(integer, positive), none: ruled({ ...integer, nullable: true }, positive) }),
    self: { none: null },
    errors: [],
  },
  {
    says: 'the root has the name of the object',
    schema: ruled(object({}), { rule: "self.metadata.name.startsWith('a')" }),
    self: { apiVersion: 'v1', kind: 'A', metadata: { name: 'b' } },
    errors: [`<nil>: Invalid value: "object": failed rule: self.metadata.name.startsWith('a')`],
  },
  {
    says: 'an object is told of before its fields, in the order of the schema',
    schema: object({
      o: ruled(object({ b: ruled(integer, positive), a: ruled(integer, positive) }), { rule: 'false' }),
    }),
    self: { o: { a: 0, b: 0 } },
    errors: [
      'o: Invalid value: "object": failed rule: false',
      'o.b: Invalid value: "integer": must be positive',
      'o.a: Invalid value: "integer": must be positive',
    ],
  },
  {
    says: 'a property is looked up among own ones',
    schema: object({ constructor: ruled(object({}), { rule: 'false' }) }),
    self: {},
    errors: [],
  },
];

const transitions: readonly Case[] = [
  { says: 'none on create', schema: object({ n: ruled(integer, fixed) }), self: { n: 1 }, errors: [] },
  {
    says: 'a field that stays is compared',
    schema: object({ n: ruled(integer, fixed) }),
    self: { n: 1 },
    old: { n: 2 },
    errors: ['n: Invalid value: "integer": is fixed'],
  },
  {
    says: 'a field that is new is not',
    schema: object({ n: ruled(integer, fixed) }),
    self: { n: 1 },
    old: {},
    errors: [],
  },
  {
    says: 'nor one that was null',
    schema: object({ n: ruled({ ...integer, nullable: true }, fixed) }),
    self: { n: 1 },
    old: { n: null },
    errors: [],
  },
  {
    says: 'entries of maps by key',
    schema: object({ m: { type: 'object', additionalProperties: ruled(integer, fixed) } }),
    self: { m: { a: 1, b: 2, c: 3 } },
    old: { m: { a: 1, b: 1 } },
    errors: ['m[b]: Invalid value: "integer": is fixed'],
  },
  {
    says: 'fields of atomic objects too',
    schema: object({ o: { ...object({ n: ruled(integer, fixed) }), 'x-kubernetes-map-type': 'atomic' } }),
    self: { o: { n: 1 } },
    old: { o: { n: 2 } },
    errors: ['o.n: Invalid value: "integer": is fixed'],
  },
  {
    says: 'items of lists by their keys, wherever they moved',
    schema: object({ l: listOf('map', ['key', 'zone'], pair) }),
    self: {
      l: [
        { key: 'b', zone: 'x', value: 1 },
        { key: 'a', zone: 'x', value: 2 },
        { key: 'a', zone: 'y', value: 3 },
        { key: 'a', value: 4 },
      ],
    },
    old: {
      l: [
        { key: 'a', zone: 'x', value: 0 },
        { key: 'b', zone: 'x', value: 1 },
        { key: 'a', value: 0 },
      ],
    },
    errors: ['l[1].value: Invalid value: "integer": is fixed'],
  },
  ...(['atomic', 'set', undefined] as const).map((type) => ({
    says: `not items of lists of type ${type ?? 'unsaid'}`,
    schema: object({ l: listOf(type, [], ruled(integer, fixed)) }),
    self: { l: [1] },
    old: { l: [2] },
    errors: [],
  })),
  {
    says: 'nor objects in lists whose type has no keys',
    schema: object({ l: listOf('atomic', [], pair) }),
    self: { l: [{ key: 'a', value: 1 }] },
    old: { l: [{ key: 'a', value: 2 }] },
    errors: [],
  },
  {
    says: 'but such lists as a whole',
    schema: object({ l: ruled(listOf('set', [], integer), fixed) }),
    self: { l: [2, 1] },
    old: { l: [1, 2] },
    errors: [],
  },
];

const messages: readonly (readonly [says: string, rule: Partial<ValidationRule>, error: string])[] = [
  ['none', {}, 'o: Invalid value: "object": failed rule: self.n > 0'],
  ['a message, trimmed', { message: ' no ' }, 'o: Invalid value: "object": no'],
  ['an expression', { messageExpression: "'not ' + self.s" }, 'o: Invalid value: "object": not good'],
  ['an expression before a message', { message: 'a', messageExpression: "'b'" }, 'o: Invalid value: "object": b'],
  ['an expression that fails', { message: 'a', messageExpression: 'self.absent' }, 'o: Invalid value: "object": a'],
  ['one that is no text', { message: 'a', messageExpression: 'self.n' }, 'o: Invalid value: "object": a'],
  ['one that is empty', { message: 'a', messageExpression: "' '" }, 'o: Invalid value: "object": a'],
  ['one of two lines', { message: 'a', messageExpression: "'b\\nc'" }, 'o: Invalid value: "object": a'],
  ['one without end', { message: 'a', messageExpression: `'${'b'.repeat(5121)}'` }, 'o: Invalid value: "object": a'],
  ['one that looks for what was', { message: 'a', messageExpression: 'oldSelf.s' }, 'o: Invalid value: "object": a'],
  ['a reason: required', { message: 'a', reason: 'FieldValueRequired' }, 'o: Required value: a'],
  ['a reason: forbidden', { message: 'a', reason: 'FieldValueForbidden' }, 'o: Forbidden: a'],
  ['a reason: duplicate', { message: 'a', reason: 'FieldValueDuplicate' }, 'o: Duplicate value: "object"'],
  ['a reason: invalid', { message: 'a', reason: 'FieldValueInvalid' }, 'o: Invalid value: "object": a'],
  ['a path', { message: 'a', fieldPath: '.deep.n' }, 'o.deep.n: Invalid value: "object": a'],
  ['a path into a map', { message: 'a', fieldPath: ".map['a.b'].n" }, 'o.map[a.b].n: Invalid value: "object": a'],
  ['a path to nothing', { message: 'a', fieldPath: '.deep.m' }, 'o: Invalid value: "object": a'],
];

const rising: ValidationRule = { rule: 'self >= oldSelf.orValue(3)', message: 'falls', optionalOldSelf: true };
const rise = object({ key: text, value: ruled(integer, rising) });

/** Rules that also apply to new values. */
const optionals: readonly Case[] = [
  {
    says: 'on create, each value by itself',
    schema: object({ n: ruled(integer, rising), l: listOf('map', ['key'], rise) }),
    self: { n: 2, l: [{ key: 'a', value: 1 }, { key: 'b', value: 4 }, { key: 'c' }] },
    errors: ['n: Invalid value: "integer": falls', 'l[0].value: Invalid value: "integer": falls'],
  },
  {
    says: 'items that moved, and items with new keys',
    schema: object({ l: listOf('map', ['key'], rise) }),
    self: {
      l: [
        { key: 'b', value: 5 },
        { key: 'a', value: 1 },
        { key: 'new', value: 2 },
      ],
    },
    old: {
      l: [
        { key: 'a', value: 1 },
        { key: 'b', value: 6 },
      ],
    },
    errors: ['l[0].value: Invalid value: "integer": falls', 'l[2].value: Invalid value: "integer": falls'],
  },
  {
    says: 'values that were null, and entries of maps that were of another name',
    schema: object({
      n: ruled({ ...integer, nullable: true }, rising),
      m: { type: 'object', additionalProperties: ruled(integer, rising) },
    }),
    self: { n: 1, m: { a: 1, b: 1 } },
    old: { n: null, m: { a: 1 } },
    errors: ['n: Invalid value: "integer": falls', 'm[b]: Invalid value: "integer": falls'],
  },
  {
    says: 'fields of what was there are optional themselves',
    schema: ruled(object({ a: text }), { rule: "self.a != oldSelf.a.orValue('x')", optionalOldSelf: true }),
    self: { a: 'x' },
    errors: [`<nil>: Invalid value: "object": failed rule: self.a != oldSelf.a.orValue('x')`],
  },
  {
    says: 'their messages may look at it as well',
    schema: object({
      n: ruled(integer, {
        ...rising,
        messageExpression: "oldSelf.hasValue() ? 'was ' + string(oldSelf.value()) : 'new'",
      }),
    }),
    self: { n: 1 },
    old: { n: 2 },
    errors: ['n: Invalid value: "integer": was 2'],
  },
  {
    says: 'where they say so in vain they are as all others',
    schema: object({ n: ruled(integer, { ...fixed, optionalOldSelf: false }) }),
    self: { n: 1 },
    errors: [],
  },
];

describe('rules with an optional oldSelf', () => {
  it.each(optionals)('apply to new values: $says', ({ schema, self, old, errors }) => {
    expect(linesOf(schema, self, old)).toEqual(errors);
  });

  it('are like all other rules in release 1.27', () => {
    const tree = compileRuleTree(object({ n: ruled(integer, { ...fixed, optionalOldSelf: true }) }), baseEnvironment);
    const errors: FieldError[] = [];
    if (tree !== undefined) validateRules(tree, { n: 1 }, undefined, errors);
    expect(errors).toEqual([]);
  });
});

describe('rules of an object', () => {
  it.each(places)('are reported at the place of their schema: $says', ({ schema, self, errors }) => {
    expect(linesOf(schema, self)).toEqual(errors);
  });

  it.each(transitions)('compare with the old value: $says', ({ schema, self, old, errors }) => {
    expect(linesOf(schema, self, old)).toEqual(errors);
  });

  it.each(messages)('are reported with %s', (_says, rule, error) => {
    const o = ruled(
      object({
        n: integer,
        s: text,
        deep: object({ n: integer }),
        map: { type: 'object', additionalProperties: object({ n: integer }) },
      }),
      { rule: 'self.n > 0', ...rule },
    );
    expect(linesOf(object({ o }), { o: { n: 0, s: 'good' } })).toEqual([error]);
  });

  it('report why they could not be evaluated, and the next rules still run', () => {
    const value = { 'x-kubernetes-int-or-string': true } as const;
    const o = ruled(
      object({
        list: { type: 'array', items: integer },
        map: { type: 'object', additionalProperties: integer },
        value,
      }),
      { rule: 'self.list[3] == 1' },
      { rule: "self.map['a'] == 1", message: 'a is one' },
      { rule: '1 / self.list[0] == 1' },
      { rule: 'self.value + 1 == 2' },
      { rule: 'self.none' },
      { rule: '1 + 1' },
      { rule: 'false' },
    );
    expect(linesOf(object({ o }), { o: { list: [0], map: {}, value: 'x' } })).toEqual([
      'o: Invalid value: "object": index out of bounds: 3 evaluating rule: self.list[3] == 1',
      'o: Invalid value: "object": no such key: a evaluating rule: a is one',
      'o: Invalid value: "object": division by zero evaluating rule: 1 / self.list[0] == 1',
      `o: Invalid value: "object": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.value + 1 == 2`,
      `o: Invalid value: "object": rule compile error: compilation failed: ERROR: <input>:1:5: undefined field 'none'\n | self.none\n | ....^`,
      'o: Invalid value: "object": rule compile error: cel expression must evaluate to a bool',
      'o: Invalid value: "object": failed rule: false',
    ]);
  });

  it('end if one exceeds the cost limit of an expression', () => {
    const rule = 'self.all(a, self.all(b, a + b >= 0))';
    const schema = object({ list: ruled({ type: 'array', items: ruled(integer, positive) }, { rule }) });
    expect(linesOf(schema, { list: Array.from({ length: 1000 }, () => 0) })).toEqual([
      `list: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`,
    ]);
  });

  it('end when the budget of the object is spent, in the middle of a rule or between two', () => {
    const schema = object({ list: { type: 'array', items: ruled(integer, positive) } });
    const spent = (i: number): string =>
      `list[${i}]: Invalid value: "integer": validation failed due to running out of cost budget, no further validation rules will be run`;
    expect(linesOf(schema, { list: [1, 1, 1, 1] }, undefined, 8)).toEqual([]);
    expect(linesOf(schema, { list: [1, 1, 1, 1] }, undefined, 5)).toEqual([spent(2)]);
    expect(linesOf(schema, { list: [1, 1, 1, 1] }, undefined, 4)).toEqual([spent(2)]);
  });

  it('pay for messages from the same budget', () => {
    const n = ruled(integer, { rule: 'self > 0', messageExpression: "'is ' + string(self)" }, { rule: 'self > 1' });
    expect(linesOf(object({ n }), { n: 0 }, undefined, 3)).toEqual([
      'n: Invalid value: "integer": messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
    ]);
  });

  it('read a duration without end once', () => {
    const d = ruled({ type: 'string', format: 'duration' }, { rule: "self > duration('1h')" });
    const digits = '1'.repeat(1_000_000);
    expect(linesOf(object({ d }), { d: `${digits} 2 days` })).toEqual([]);
    expect(errorsOf(object({ d }), { d: digits })).toHaveLength(1);
  });

  it('are reported a thousand times at most', () => {
    const schema = object({ list: { type: 'array', items: ruled(integer, positive) } });
    expect(errorsOf(schema, { list: Array.from({ length: 3000 }, () => 0) })).toHaveLength(1000);
  });

  it('cost nothing in a schema without rules', () => {
    expect(
      compileRuleTree(object({ n: integer, l: listOf('map', ['key'], object({ key: text })) }), baseEnvironment),
    ).toBe(undefined);
  });
});

describe('rules that unchanged values break', () => {
  const ruledNumber = ruled(integer, positive);
  const schema = object({
    n: ruledNumber,
    inner: ruled(object({ x: integer, y: integer }), { rule: 'self.x < self.y', fieldPath: '.x' }),
    items: { type: 'array', items: ruledNumber, 'x-kubernetes-list-type': 'set' },
    fixed: ruled(integer, { rule: 'oldSelf < 0 || self > 0' }),
    optional: ruled(integer, { rule: 'oldSelf.hasValue() && self > 0', optionalOldSelf: true }),
  });

  /** Returns the fields of errors and of warnings. */
  function changed(self: JsonObject, old: JsonObject): { readonly refused: string[]; readonly advised: string[] } {
    const tree = compileRuleTree(schema, laterEnvironment, { plainKeywords: true });
    if (tree === undefined) throw new Error('no rules');
    const errors: FieldError[] = [];
    const advised: string[] = [];
    const correlation = new Correlation(schema, self, old);
    const ratchet = { correlation, warn: ({ field }: FieldError) => advised.push(field) };
    validateRules(tree, self, old, errors, { ratchet });
    return { refused: errors.map(({ field }) => field), advised };
  }

  it('measure the time of their comparisons', () => {
    const before = comparing.ms;
    changed({ n: 1 }, { n: 1 });
    expect(comparing.ms).toBe(before);
    changed({ n: 0 }, { n: 0 });
    expect(comparing.ms).toBeGreaterThan(before);
  });

  it.each<[string, JsonObject, JsonObject, readonly string[], readonly string[]]>([
    ['are warned about', { n: 0, inner: { x: 2, y: 1 } }, { n: 0, inner: { x: 2, y: 1 } }, [], ['n', 'inner.x']],
    [
      'count for values that change',
      { n: -1, inner: { x: 3, y: 1 } },
      { n: 0, inner: { x: 2, y: 1 } },
      ['n', 'inner.x'],
      [],
    ],
    ['count for new values', { n: 0 }, {}, ['n'], []],
    ['count for the items of a set with another one', { items: [0, 1] }, { items: [0] }, ['items[0]'], []],
    ['are warned about in a set that has not changed', { items: [0] }, { items: [0] }, [], ['items[0]']],
    [
      'count if they read the earlier state',
      { fixed: 0, optional: 0 },
      { fixed: 0, optional: 0 },
      ['fixed', 'optional'],
      [],
    ],
  ])('%s', (_case, self, old, refused, advised) => {
    expect(changed(self, old)).toEqual({ refused, advised });
  });
});
