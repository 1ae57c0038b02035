/** JSON that is written without recursion is that of `JSON.stringify`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../../runtime/contract/index.js';
import { writeJson } from '../../../../../runtime/objects/depth/write-json.js';

describe('writeJson', () => {
  it('writes what JSON.stringify does, in one line and indented', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (json) => {
        const value: JsonValue = JSON.parse(JSON.stringify(json));
        expect(writeJson(value)).toBe(JSON.stringify(value));
        expect(writeJson(value, { pretty: true })).toBe(JSON.stringify(value, undefined, 2));
      }),
    );
  });

  it('writes 64-bit integers in full, leaves out what is undefined, and sorts keys where asked', () => {
    expect(writeJson({ b: [2n ** 63n - 1n], c: undefined, a: {} })).toBe('{"b":[9223372036854775807],"a":{}}');
    expect(writeJson({ b: 1, a: { d: 1, c: [] } }, { order: (a, b) => (a < b ? -1 : 1) })).toBe(
      '{"a":{"c":[],"d":1},"b":1}',
    );
  });

  it('writes values of any depth', () => {
    const text = `${'{"a":['.repeat(50_000)}1${']}'.repeat(50_000)}`;
    expect(writeJson(JSON.parse(text))).toBe(text);
  });
});
