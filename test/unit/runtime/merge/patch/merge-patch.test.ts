/** JSON Merge Patch: the examples of RFC 7396, recorded refusals, laws. */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../../runtime/contract/index.js';
import { applyMergePatch, decodeMergePatch } from '../../../../../runtime/merge/patch/merge-patch.js';
import { tableRows } from '../../../../support/shared.js';

interface Example {
  readonly original: JsonValue;
  readonly patch: JsonValue;
  readonly result: JsonValue;
}

const suite = new URL('../../../../../../shared/suites/json-merge-patch/cases.json', import.meta.url);

describe.skipIf(!existsSync(suite))('the examples of RFC 7396 (skipped without ../shared)', () => {
  const examples: Example[] = existsSync(suite) ? JSON.parse(readFileSync(suite, 'utf8')) : [];
  for (const { original, patch, result } of examples) {
    it(`${JSON.stringify(original)} + ${JSON.stringify(patch)}`, () => {
      const before = structuredClone(original);
      expect(applyMergePatch(original, patch)).toEqual(result);
      expect(original).toEqual(before);
    });
  }
});

interface ThreeWay {
  readonly Description: string;
  readonly OriginalObj: JsonValue;
  readonly ExpectedWithNull: JsonValue;
  readonly ExpectedWithoutNull: JsonValue;
}

const rows = tableRows<ThreeWay>('apimachinery_pkg_util_jsonmergepatch');

/** The table splits patches in two: one part removes and one part sets. Applied in turn they have the same result. */
describe.skipIf(rows.length === 0)('split patches (skipped without ../shared)', () => {
  for (const { test, case: row } of rows.filter(({ test }) => test === 'TestKeepOrDeleteNullInObj')) {
    const { Description, OriginalObj, ExpectedWithNull, ExpectedWithoutNull } = row;
    it(`${test} ${Description}`, () => {
      const target = { nilKey: 1, mapKey: { nilKey: 1, nilKey1: 2, other: 3 }, other: { nilKey: 4 } };
      const whole = applyMergePatch(target, OriginalObj);
      const parts = applyMergePatch(applyMergePatch(target, ExpectedWithNull), ExpectedWithoutNull);
      expect(parts).toEqual(whole);
    });
  }
});

describe('merging', () => {
  const json = fc.jsonValue({ maxDepth: 4 }).map((value): JsonValue => JSON.parse(JSON.stringify(value)));

  it('twice is the same as once', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const once = applyMergePatch(target, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
      }),
    );
  });

  it('leaves no null from the patch in an object', () => {
    expect(applyMergePatch({}, { a: { b: null, c: [null] } })).toEqual({ a: { c: [null] } });
  });

  it('keeps names that objects inherit apart from members', () => {
    const merged = applyMergePatch(JSON.parse('{"constructor":{"a":1}}'), JSON.parse('{"__proto__":{"b":1}}'));
    expect(JSON.stringify(merged)).toBe('{"constructor":{"a":1},"__proto__":{"b":1}}');
    expect(JSON.stringify(applyMergePatch({}, JSON.parse('{"toString":{"b":1}}')))).toBe('{"toString":{"b":1}}');
  });
});

describe('decoding', () => {
  const message = (body: JsonValue, checked: boolean) => {
    const result = decodeMergePatch(body, checked);
    return result.ok ? 'ok' : result.failure.message;
  };

  it('refuses everything except objects', () => {
    const wanted = 'into Go value of type map[string]interface {}';
    expect(message([], true)).toBe(`error decoding patch: json: cannot unmarshal array ${wanted}`);
    expect(message(true, true)).toBe(`error decoding patch: json: cannot unmarshal bool ${wanted}`);
    expect(message(null, true)).toBe('Invalid JSON Patch');
    expect(message('x', false)).toBe('Invalid JSON Patch');
    expect(message({}, true)).toBe('ok');
  });
});
