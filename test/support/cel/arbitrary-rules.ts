/** Generates expressions of every kind over one schema, and objects of that schema. */
import fc from 'fast-check';
import type { Schema } from '../../../runtime/contract/index.js';

const int: Schema = { type: 'integer' };
const text: Schema = { type: 'string' };

export const schema: Schema = {
  type: 'object',
  properties: {
    i: int,
    j: { type: 'integer', nullable: true },
    s: text,
    'a-b': text,
    n: { type: 'number' },
    b: { type: 'boolean' },
    t: { type: 'string', format: 'date-time' },
    l: { type: 'array', items: int },
    w: { type: 'array', items: { ...text, nullable: true } },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    m: { type: 'object', additionalProperties: int },
    o: { type: 'object', properties: { i: int, s: text } },
    lo: {
      type: 'array',
      items: { type: 'object', properties: { i: int, s: text, l: { type: 'array', items: int } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['s'],
    },
  },
};

const word = fc.constantFrom('', 'a', 'b', 'ab', 'ba', 'é', '😀', 'x-1');
const number = fc.constantFrom(0, 1, 2, -1, 7, 9007199254740991, 10);

/** Objects of the schema; any field may be absent. */
export const objects = fc.record(
  {
    i: number,
    j: fc.option(number),
    s: word,
    'a-b': word,
    n: fc.constantFrom(0, 1, 1.5, -2.25),
    b: fc.boolean(),
    t: fc.constantFrom('2001-02-03T04:05:06Z', '2010-01-01T00:00:00+02:00'),
    l: fc.array(number, { maxLength: 3 }),
    w: fc.array(fc.option(word), { maxLength: 3 }),
    set: fc.uniqueArray(word, { maxLength: 3 }),
    m: fc.dictionary(fc.constantFrom('a', 'b', 'toString'), number, { maxKeys: 2 }),
    o: fc.record({ i: number, s: word }, { requiredKeys: [] }),
    lo: fc.uniqueArray(
      fc.record({ i: number, s: word, l: fc.array(number, { maxLength: 2 }) }, { requiredKeys: ['s'] }),
      {
        selector: ({ s }) => s,
        maxLength: 2,
      },
    ),
  },
  { requiredKeys: [] },
);

const quoted = word.map((value) => JSON.stringify(value));
const join = (...parts: readonly (fc.Arbitrary<string> | string)[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(''));

/** Expressions by their type. Inside macros, they may use the variables of the macros. */
export const expressions = fc.letrec<Record<'bool' | 'int' | 'text' | 'ints' | 'texts', string>>((tie) => ({
  bool: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'cel' },
    fc.constantFrom(
      'true',
      'self.b',
      'has(self.i)',
      'has(self.j)',
      'has(self.o.s)',
      "('a' in self.m)",
      '(self.n > 1.0)',
      '(self.o == oldSelf.o)',
    ),
    fc.constantFrom(
      '(self.set == oldSelf.set)',
      '(self.lo == oldSelf.lo)',
      '(self == oldSelf)',
      '(self.m == oldSelf.m)',
      '(self.w == oldSelf.w)',
      '(self.t < oldSelf.t)',
    ),
    join('(', tie('bool'), fc.constantFrom(' && ', ' || ', ' == '), tie('bool'), ')'),
    join('!', tie('bool')),
    join('(', tie('bool'), ' ? ', tie('bool'), ' : ', tie('bool'), ')'),
    join('(', tie('int'), fc.constantFrom(' < ', ' >= ', ' == ', ' != '), tie('int'), ')'),
    join('(', tie('text'), fc.constantFrom(' < ', ' == ', ' != '), tie('text'), ')'),
    join('(', tie('int'), ' in ', tie('ints'), ')'),
    join(tie('text'), fc.constantFrom('.startsWith', '.contains', '.endsWith'), '(', tie('text'), ')'),
    join(tie('ints'), fc.constantFrom('.all', '.exists', '.exists_one'), '(x, (x % ', tie('int'), ') == x)'),
    join(tie('ints'), fc.constantFrom('.all', '.exists', '.exists_one'), '(x, x > ', tie('int'), ')'),
    join('self.lo', fc.constantFrom('.all', '.exists', '.exists_one'), '(e, has(e.i) && e.i > ', tie('int'), ')'),
    join('self.m.all(k, self.m[k] != ', tie('int'), ')'),
    join('self.l.all(k, v, k < v || v == ', tie('int'), ')'),
    join('(', tie('ints'), ' == ', tie('ints'), ')'),
    join('(', tie('texts'), ' != ', tie('texts'), ')'),
  ),
  int: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'cel' },
    fc.constantFrom(
      '0',
      '1',
      '-3',
      '9223372036854775807',
      'self.i',
      'self.j',
      'self.o.i',
      "self.m['a']",
      'self.m.b',
      'self.lo[0].i',
      'int(self.n)',
      "self.m['toString']",
    ),
    join('(', tie('int'), fc.constantFrom(' + ', ' - ', ' * ', ' / ', ' % '), tie('int'), ')'),
    join('size(', fc.oneof(tie('text'), tie('ints'), fc.constant('self.m'), fc.constant('self.set')), ')'),
    join(tie('ints'), '[', tie('int'), ']'),
    join(tie('ints'), fc.constantFrom('.sum()', '.max()', '.min()', '.indexOf(1)')),
    join('int(', tie('text'), ')'),
    join('cel.bind(y, ', tie('int'), ', y + y)'),
  ),
  text: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'cel' },
    quoted,
    fc.constantFrom('self.s', 'self.a__dash__b', 'self.o.s', 'self.lo[1].s', 'self.set[0]', 'string(self.t)'),
    join('(', tie('text'), ' + ', tie('text'), ')'),
    join('string(', tie('int'), ')'),
    join(tie('texts'), '.join(', quoted, ')'),
    join(tie('text'), '.substring(', tie('int'), ')'),
  ),
  ints: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'cel' },
    fc.constantFrom('self.l', '[1, 2]', 'oldSelf.l', '[1].filter(x, x > 1)', 'self.lo[0].l'),
    join('[', tie('int'), ', ', tie('int'), ']'),
    join('(', tie('ints'), ' + ', tie('ints'), ')'),
    join(tie('ints'), '.map(x, x * ', tie('int'), ')'),
    join(tie('ints'), '.filter(x, x > ', tie('int'), ')'),
    join('self.lo.map(e, has(e.i), e.i)'),
  ),
  texts: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'cel' },
    fc.constantFrom('self.set', "['a', 'b']", '(self.set + oldSelf.set)', 'self.lo.map(e, e.s)', 'self.m.map(k, k)'),
    join(tie('text'), '.split(', quoted, ')'),
    join(tie('texts'), '.filter(e, e != ', tie('text'), ')'),
  ),
}));
