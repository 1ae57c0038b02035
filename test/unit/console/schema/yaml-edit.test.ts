import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Place } from '../../../../packages/console/src/schema/place.js';
import { withValue } from '../../../../packages/console/src/schema/place.js';
import { editYaml, isSame, rewriteYaml } from '../../../../packages/console/src/schema/yaml-edit.js';
import { printYaml, readYaml } from '../../../../packages/console/src/schema/yaml-text.js';

const text = `# top
apiVersion: v1   # the version
kind: Widget
metadata:
  name: "web"    # keep my quotes
  labels: {a: 'b', c: d}
# about the spec
spec:
  size: 3 # three
  empty:
  text: |
    one
    two
  # about ports
  ports:
  - name: http   # first
    port: 80
  # second comes
  - name: https
    port: 443
  deep:
      odd:   value
status:
  ok: yes
`;

/** Returns the lines that only one of two texts has. */
const changedLines = (before: string, after: string): string[] => {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `-${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+${line}`),
  ];
};

describe('editYaml', () => {
  it.each<[string, Place, unknown, string[]]>([
    ['a number', ['spec', 'size'], 4, ['-  size: 3 # three', '+  size: 4 # three']],
    [
      'a quoted text',
      ['metadata', 'name'],
      'db',
      ['-  name: "web"    # keep my quotes', '+  name: db    # keep my quotes'],
    ],
    ['an empty value', ['spec', 'empty'], 'x', ['-  empty:', '+  empty: x']],
    ['a text of many lines', ['spec', 'text'], 'a\nb\n', ['-    one', '-    two', '+    a', '+    b']],
    ['a text of many lines by one line', ['spec', 'text'], 'a', ['-  text: |', '-    one', '-    two', '+  text: a']],
    ['a field of an item', ['spec', 'ports', 0, 'port'], 81, ['-    port: 80', '+    port: 81']],
    ['a new field of an item', ['spec', 'ports', 0, 'more'], true, ['+    more: true']],
    ['a new item', ['spec', 'ports', 2], { name: 'x' }, ['+  - name: x']],
    ['a removed item', ['spec', 'ports', 1], undefined, ['-  - name: https', '-    port: 443']],
    ['a removed first item', ['spec', 'ports', 0], undefined, ['-  - name: http   # first', '-    port: 80']],
    [
      'a removed first field of an item',
      ['spec', 'ports', 1, 'name'],
      undefined,
      ['-  - name: https', '-    port: 443', '+  - port: 443'],
    ],
    ['a label in braces', ['metadata', 'labels', 'a'], 'z', ["-  labels: {a: 'b', c: d}", '+  labels: {a: "z", c: d}']],
    [
      'a new label in braces',
      ['metadata', 'labels', 'e/f'],
      'g',
      ["-  labels: {a: 'b', c: d}", `+  labels: {a: 'b', c: d, "e/f": "g"}`],
    ],
    ['a new field before the status', ['data'], { a: '1' }, ['+data:', '+  a: "1"']],
    ['a new object', ['spec', 'fresh', 'a', 'b'], 1, ['+  fresh:', '+    a:', '+      b: 1']],
    [
      'a scalar that becomes an object',
      ['spec', 'size'],
      { a: 1 },
      ['-  size: 3 # three', '+  size:', '+    a: 1 # three'],
    ],
    ['an object that becomes a scalar', ['spec', 'deep'], 7, ['-  deep:', '-      odd:   value', '+  deep: 7']],
    ['a value after many spaces', ['spec', 'deep', 'odd'], 'new', ['-      odd:   value', '+      odd:   new']],
    ['a field of an object that is indented differently', ['spec', 'deep', 'more'], 'x', ['+      more: x']],
    ['a text that looks like a boolean', ['spec', 'size'], 'yes', ['-  size: 3 # three', '+  size: "yes" # three']],
    [
      'an integer past 2^53',
      ['spec', 'size'],
      9223372036854775807n,
      ['-  size: 3 # three', '+  size: 9223372036854775807 # three'],
    ],
  ])('changes only the lines of %s', (_, place, value, lines) => {
    const edited = editYaml(text, place, value);
    expect(changedLines(text, edited)).toEqual(lines);
    expect(isSame(readYaml(edited).value, withValue(readYaml(text).value, place, value))).toBe(true);
  });

  it('returns the same text if the value is the same', () => {
    expect(editYaml(text, ['spec', 'size'], 3)).toBe(text);
    expect(editYaml(text, ['spec', 'missing'], undefined)).toBe(text);
  });

  it('changes one use of an alias without the other', () => {
    const shared = 'a: &x\n  m: 1\nb: *x\n# end\n';
    const edited = editYaml(shared, ['b', 'm'], 2);
    expect(readYaml(edited).value).toEqual({ a: { m: 1 }, b: { m: 2 } });
    expect(edited).toBe('a: &x\n  m: 1\nb:\n  m: 2\n# end\n');
    expect(readYaml(editYaml(shared, ['a', 'm'], 2)).value).toEqual({ a: { m: 2 }, b: { m: 1 } });
  });

  it('keeps comments of a text that has nothing else', () => {
    expect(editYaml('# mine\n', ['kind'], 'Widget')).toBe('# mine\nkind: Widget\n');
  });

  it('reads after any sequence of edits as the value with the same edits', () => {
    const key = fc.oneof(
      fc.constantFrom('a', 'b', 'spec', 'yes', '0', '__proto__', '- x', '#'),
      fc.string({ unit: 'grapheme' }),
    );
    const scalar = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string(),
      fc.integer(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom('a\nb', 'a\n\n', ' x', 'no', '1e3', '0o7', '|', '> x\n'),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        scalar,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3 }),
      ),
    }));
    const step = fc.tuple(
      fc.array(fc.oneof(fc.nat(5), fc.string()), { maxLength: 4 }),
      fc.option(value, { nil: undefined }),
      key,
    );
    fc.assert(
      fc.property(
        fc.dictionary(key, value, { maxKeys: 4 }),
        fc.boolean(),
        fc.array(step, { maxLength: 5 }),
        (start, isJson, steps) => {
          const first = normal(start);
          let edited = isJson
            ? `# c\n${JSON.stringify(first, (_, one) => (typeof one === 'bigint' ? String(one) : one), 1)}\n`
            : `# c\n${printYaml(first)}`;
          let model = readYaml(edited).value;
          for (const [choices, next, name] of steps) {
            const place = placeFrom(model, choices, name);
            model = withValue(model, place, normal(next));
            edited = editYaml(edited, place, normal(next));
            expect(readYaml(edited).errors).toEqual([]);
            expect(isSame(readYaml(edited).value, model)).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Makes only wide bigints, and 0 from -0, because other values have a second form. */
function normal(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? 0 : value === 0 ? 0 : value;
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, normal(inner)]));
}

function placeFrom(value: unknown, choices: readonly (number | string)[], name: string): Place {
  const place: (string | number)[] = [];
  let at = value;
  for (const choice of choices) {
    if (Array.isArray(at)) {
      const index = typeof choice === 'number' ? choice % (at.length + 1) : at.length;
      place.push(index);
      at = at[index];
    } else if (typeof at === 'object' && at !== null) {
      const keys = Object.keys(at);
      const key = typeof choice === 'number' ? keys[choice % (keys.length || 1)] : undefined;
      place.push(key ?? name);
      at = Object.entries(at).find(([own]) => own === key)?.[1];
    } else break;
  }
  return place.length > 0 ? place : [name];
}

describe('rewriteYaml', () => {
  it('changes only the differences to another object', () => {
    const value = readYaml(text).value;
    const next = withValue(
      withValue(value, ['metadata', 'resourceVersion'], '7'),
      ['spec', 'ports'],
      [{ name: 'http', port: 81 }],
    );
    expect(changedLines(text, rewriteYaml(text, next))).toEqual([
      '-    port: 80',
      '-  - name: https',
      '-    port: 443',
      '+  resourceVersion: "7"',
      '+    port: 81',
    ]);
  });
});
