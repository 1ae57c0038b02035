/** Equality of values of all types, and its users: sets, lists that merge by keys, `in`, and sums of lists. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Meter } from '../../../../../runtime/cel/check/range.js';
import { readObject, readText } from '../../../../../runtime/cel/compile/readers.js';
import { compileRuleTree, laterEnvironment, validateRules } from '../../../../../runtime/cel/index.js';
import { equal, ItemIndex, signatureOf } from '../../../../../runtime/cel/values/equality.js';
import { addLists, contains } from '../../../../../runtime/cel/values/lookup.js';
import { EntryMap } from '../../../../../runtime/cel/values/maps.js';
import {
  type CelValue,
  Double,
  Duration,
  KeyedList,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from '../../../../../runtime/cel/values/value.js';
import type { FieldError, Schema } from '../../../../../runtime/contract/index.js';

/** Few different values of each type, so that many are equal, and numbers of different types may be equal. */
const number = fc.constantFrom(0, 1, 2, -1, 2 ** 53 - 1);
const scalar: fc.Arbitrary<CelValue> = fc.oneof(
  fc.constantFrom<CelValue>(
    null,
    true,
    false,
    2n ** 60n,
    2n ** 60n + 1n,
    new Double(1.5),
    new Double(-0),
    new Double(2 ** 60),
  ),
  number,
  number.map((value) => new Double(value)),
  fc.constantFrom(0n, 1n, 2n).map((value) => new Uint(value)),
  fc.constantFrom('', '1', 'a', '=1', 't1', '[1]', 'null', '"a"', 'a,b', 'none'),
  fc.constantFrom(0n, 1n).map((nanos) => new Timestamp(nanos)),
  fc.constantFrom(0n, 1n).map((nanos) => new Duration(nanos)),
  fc.constantFrom([], [1], [1, 2]).map((bytes) => Uint8Array.from(bytes)),
  fc.constantFrom('int', 'string').map((name) => new TypeValue(name)),
);
const struct = readObject('object', {
  a: { property: 'a', read: readText },
  b: { property: 'b', read: readText },
});
const text = fc.constantFrom('x', 'y');
const { any } = fc.letrec<{ any: CelValue }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('any'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom<CelValue>('a', 'b', 1, new Uint(1n), true), tie('any')), { maxLength: 3 })
      .map((entries) => {
        const map = new EntryMap();
        for (const [key, value] of entries) if (!contains(key, map)) map.insert(key, value);
        return map;
      }),
    fc.option(tie('any'), { nil: undefined }).map((value) => new Optional(value)),
    fc
      .record(
        { a: text, b: text, c: fc.anything({ maxDepth: 1, values: [fc.constantFrom('x', 1, null)] }) },
        { requiredKeys: [] },
      )
      .map((record) => struct(JSON.parse(JSON.stringify(record)), new Meter())),
  ),
}));

const runs = { numRuns: 1000 };

describe('equality', () => {
  it('of a value and itself holds', () => {
    fc.assert(
      fc.property(any, (value) => {
        expect(equal(value, value)).toBe(true);
        expect(contains(value, [value])).toBe(true);
      }),
      runs,
    );
  });

  it('is symmetric, and equal values have the same signature', () => {
    let met = 0;
    fc.assert(
      fc.property(fc.array(any, { minLength: 2, maxLength: 6 }), ([a = null, ...others]) => {
        for (const b of others) {
          expect(equal(a, b)).toBe(equal(b, a));
          if (!equal(a, b)) continue;
          met++;
          expect(signatureOf(a)).toBe(signatureOf(b));
        }
      }),
      runs,
    );
    expect(met).toBeGreaterThan(10);
  });

  it('finds among many values the same one as a search one by one', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 8 }), any, (items, wanted) => {
        const index = new ItemIndex(undefined, equal);
        for (const item of items) index.set(item);
        expect(index.find(wanted) !== undefined).toBe(contains(wanted, items));
        const different = items.filter((item, i) => !items.slice(0, i).some((other) => equal(other, item)));
        expect(index.items.length).toBe(different.length);
      }),
      runs,
    );
  });

  it.each<[string, CelValue, CelValue, boolean]>([
    ['int and double', 1, new Double(1), true],
    ['uint and double', new Uint(1n), new Double(1), true],
    ['zeros', 0, new Double(-0), true],
    ['large ints that are one double', 2n ** 60n, 2n ** 60n + 1n, false],
    ['not a number', new Double(Number.NaN), new Double(Number.NaN), false],
    ['moments with other clocks', new Timestamp(5n, 60), new Timestamp(5n), true],
    ['moments and durations', new Timestamp(5n), new Duration(5n), false],
    ['texts and numbers', '1', 1, false],
    ['null and absent', null, new Optional(undefined), false],
    ['nothing and nothing', new Optional(undefined), new Optional(undefined), true],
    ['keys of other types', new EntryMap().insert(1, 'a'), new EntryMap().insert(new Uint(1n), 'a'), true],
    ['sets in any order', new KeyedList([[1], [2]]), new KeyedList([[2], [new Double(1)]]), true],
    ['sets of lists', new KeyedList([[1], [2]]), new KeyedList([[1], [3]]), false],
    [
      'sets of maps',
      new KeyedList([new EntryMap().insert('a', 1)]),
      new KeyedList([new EntryMap().insert('a', 2)]),
      false,
    ],
  ])('of %s', (_, a, b, same) => {
    expect(equal(a, b)).toBe(same);
    expect(contains(a, [b])).toBe(same);
  });

  it('of deeply nested sets finds the missing item', () => {
    const deep = (value: CelValue): CelValue => {
      let all = value;
      for (let i = 0; i < 9_000; i++) all = [all];
      return all;
    };
    const set = (...values: readonly CelValue[]): CelValue => deep(new KeyedList(values.map(deep)));
    expect(equal(set(1, 2), set(2, 1))).toBe(true);
    expect(equal(set(1, 2), set(1, 3))).toBe(false);
  });
});

describe('lists', () => {
  const map = (a: CelValue, b: CelValue): CelValue => new EntryMap().insert('a', a).insert('b', b);

  it('that are sets add the items that they lack', () => {
    const sum = addLists(new KeyedList([map(1, 1), map(2, 1)]), [map(2, new Double(1)), map(3, 1)]);
    expect(equal(sum, new KeyedList([map(1, 1), map(2, 1), map(3, 1)]))).toBe(true);
  });

  it('that merge by keys replace items with the same keys', () => {
    const sum = addLists(new KeyedList([map(1, 1), map(2, 1)], ['a']), [map(3, 1), map(new Double(1), 2)]);
    expect(equal([...(sum instanceof KeyedList ? sum.items : [])], [map(1, 2), map(2, 1), map(3, 1)])).toBe(true);
  });
});

describe('rules', () => {
  const free: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const atomic = (properties: Record<string, Schema>): Schema => ({
    type: 'object',
    'x-kubernetes-map-type': 'atomic',
    properties,
  });
  const moment: Schema = { type: 'string', format: 'date-time' };
  const setOf = (items: Schema): Schema => ({ type: 'array', 'x-kubernetes-list-type': 'set', items });
  const whole: Schema = { type: 'integer', format: 'int64' };

  /** Returns whether a rule holds for two states of a value. */
  function holds(schema: Schema, rule: string, self: unknown, old: unknown): boolean {
    const tree = compileRuleTree({ ...schema, 'x-kubernetes-validations': [{ rule }] }, laterEnvironment, {});
    const errors: FieldError[] = [];
    if (tree !== undefined) validateRules(tree, self, old, errors);
    expect(errors.filter(({ message }) => !message.includes('failed rule'))).toEqual([]);
    return errors.length === 0;
  }

  it.each<[string, Schema, unknown, unknown, boolean]>([
    [
      'objects of a set in any order',
      setOf(atomic({ a: whole, b: whole })),
      [{ a: 1, b: 2 }, { a: 3 }],
      [{ a: 3 }, { b: 2, a: 1 }],
      true,
    ],
    ['other objects of a set', setOf(atomic({ a: whole })), [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 3 }], false],
    ['large integers in a set of objects', setOf(atomic({ a: whole })), [{ a: 2n ** 60n }], [{ a: 2n ** 60n }], true],
    ['large integers in a set', setOf(whole), [2n ** 60n], [2n ** 60n + 1n], false],
    [
      'maps of a set',
      setOf({ type: 'object', additionalProperties: whole }),
      [{ a: 1 }, { b: 1 }],
      [{ b: 1 }, { a: 1 }],
      true,
    ],
    [
      'other maps of a set',
      setOf({ type: 'object', additionalProperties: whole }),
      [{ a: 1 }, { b: 1 }],
      [{ b: 1 }, { a: 2 }],
      false,
    ],
    ['lists of a set', setOf({ type: 'array', items: whole }), [[1], [2]], [[2], [1]], true],
    ['other lists of a set', setOf({ type: 'array', items: whole }), [[1], [2]], [[2], [3]], false],
    ['moments of a set', setOf(moment), ['2020-01-01T00:00:00Z'], ['2020-01-01T00:00:00.0Z'], true],
    [
      'moments in objects of a set',
      setOf(atomic({ a: moment })),
      [{ a: '2020-01-01T00:00:00Z' }],
      [{ a: '2020-01-01T01:00:00+01:00' }],
      true,
    ],
    [
      'unknown fields of a set',
      setOf(free),
      [{ a: [{ b: null }] }, { a: 1.5 }],
      [{ a: 1.5 }, { a: [{ b: null }] }],
      true,
    ],
    ['other unknown fields of a set', setOf(free), [{ a: [{ b: null }] }], [{ a: [{ b: 1 }] }], false],
    [
      'fields that are null',
      atomic({ a: { ...whole, nullable: true }, b: { ...whole, nullable: true } }),
      { a: null },
      { b: null },
      false,
    ],
    ['numbers that are no integer of 64 bits', free, { a: 1e300, b: 2n ** 70n }, { a: 1e300, b: 2n ** 70n }, true],
    ['properties that are undefined', atomic({ a: whole, b: whole }), { a: 1, b: undefined }, { a: 1 }, true],
    ['unknown fields that are undefined', free, { a: { b: 1, c: undefined } }, { a: { b: 1 } }, true],
  ])('compare %s', (_, value, self, old, same) => {
    const schema: Schema = { type: 'object', properties: { v: value } };
    for (const rule of ['self == oldSelf', 'oldSelf == self', 'self.v == oldSelf.v', '[self.v] == [oldSelf.v]']) {
      expect([rule, holds(schema, rule, { v: self }, { v: old })]).toEqual([rule, same]);
    }
    for (const rule of [
      'self.v in [oldSelf.v]',
      "{'a': self.v} == {'a': oldSelf.v}",
      'sets.equivalent([self.v], [oldSelf.v])',
    ])
      expect([rule, holds(schema, rule, { v: self }, { v: old })]).toEqual([rule, same]);
    for (const state of [self, old]) expect(holds(schema, 'self == oldSelf', { v: state }, { v: state })).toBe(true);
  });

  it('ignore keys with an undefined value', () => {
    const map: Schema = { type: 'object', additionalProperties: whole };
    const state = { a: 1, b: undefined };
    for (const rule of ['size(self) == 1', "!('b' in self)", "self.all(k, k == 'a')", 'self.map(k, self[k]) == [1]'])
      expect([rule, holds(map, rule, state, state)]).toEqual([rule, true]);
    const each: Schema = {
      type: 'object',
      additionalProperties: { ...whole, 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
    };
    expect(holds(each, 'true', state, state)).toBe(true);
  });
});
