/** Counts the indentation of JSON, and writes values in one line if indentation would make them too long. */
import fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { indentationOf, longestIndented } from '../../../../runtime/codec/indentation.js';
import { encodeJson } from '../../../../runtime/codec/json.js';
import { encodeYaml, encodeYamlItem } from '../../../../runtime/codec/yaml/encode.js';
import type { JsonValue } from '../../../../runtime/contract/index.js';

it('is the difference in length between indented and plain JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const plain: JsonValue = JSON.parse(JSON.stringify(value));
      const indented = encodeJson(plain, true);
      // A blank follows each colon between a key and its value.
      const blanks = JSON.stringify(plain).length;
      const colons = indented.length - blanks - indentationOf(plain);
      expect(colons).toBe(keysIn(plain));
      if (indentationOf(plain) > 0) expect(indentationOf(plain, 0)).toBeGreaterThan(0);
    }),
  );
});

function keysIn(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return members.reduce<number>(
    (sum, member) => sum + keysIn(member ?? null),
    Array.isArray(value) ? 0 : members.length,
  );
}

/** Nests a value in lists. */
const within = (levels: number, value: JsonValue): JsonValue => {
  let whole = value;
  for (let level = 0; level < levels; level++) whole = [whole];
  return whole;
};

describe.each<[string, JsonValue]>([
  ['a list of many items', Array<JsonValue>(100_000).fill(1)],
  ['an object of many keys', Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, null]))],
])('%s, far down', (_what, inner) => {
  const value = within(990, inner);

  it('is JSON in one line', () => {
    expect(indentationOf(value, longestIndented)).toBeGreaterThan(longestIndented);
    expect(encodeJson(value, true)).toBe(JSON.stringify(value));
    expect(encodeJson({ wide: 2n ** 60n, value }, true)).toBe(
      `{"wide":1152921504606846976,"value":${JSON.stringify(value)}}`,
    );
  });

  it('is JSON in YAML, too', () => {
    expect(encodeYaml(value)).toBe(`${JSON.stringify(value)}\n`);
    expect(encodeYamlItem(value)).toBe(`- ${JSON.stringify(value)}\n`);
  });
});

it.each([1002, 5000, 10_000])('does not exist %d levels down', (levels) => {
  const text = '{"a":['.repeat(levels / 2) + ']}'.repeat(levels / 2);
  const value: JsonValue = JSON.parse(text);
  expect([encodeJson(value, true), encodeYaml(value), encodeYamlItem(value)]).toEqual([
    text,
    `${text}\n`,
    `- ${text}\n`,
  ]);
});

it('counts the lines of texts in YAML', () => {
  const text = `${'a\n'.repeat(100_000)}b`;
  const written = encodeYaml(within(990, { text }));
  expect(written).toBe(`${JSON.stringify(within(990, { text }))}\n`);
  expect(load(encodeYaml(within(50, { text })))).toEqual(within(50, { text }));
});
