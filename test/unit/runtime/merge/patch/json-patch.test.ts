/** JSON Patch: the public suite, the loose dialect, bounds. */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../../runtime/contract/index.js';
import { applyJsonPatch, jsonPatchInSteps } from '../../../../../runtime/merge/patch/json-patch.js';
import { decodeJsonPatch } from '../../../../../runtime/merge/patch/json-patch-document.js';

interface SuiteCase {
  readonly comment?: string;
  readonly doc: JsonValue;
  readonly patch: JsonObject[];
  readonly expected?: JsonValue;
  readonly error?: string;
  readonly disabled?: boolean;
}

const suite = new URL('../../../../../../shared/suites/json-patch/', import.meta.url);
const files = ['tests.json', 'spec_tests.json'];

/** Two disabled cases repeat a member, which no decoded document can have. They test nothing else. */
const REPEATED_MEMBER = /two 'op' members/;

describe.skipIf(!existsSync(suite))('the public suite (skipped without ../shared)', () => {
  for (const file of files) {
    const cases: SuiteCase[] = existsSync(suite) ? JSON.parse(readFileSync(new URL(file, suite), 'utf8')) : [];
    for (const [index, example] of cases.entries()) {
      if (example.error !== undefined && REPEATED_MEMBER.test(example.error)) continue;
      it(`${file} ${index} ${example.comment ?? ''}`, () => {
        const before = structuredClone(example.doc);
        const result = applyJsonPatch(example.doc, example.patch, 'rfc6902');
        if (example.error === undefined) expect(result).toEqual({ ok: true, value: example.expected ?? example.doc });
        else expect(result.ok).toBe(false);
        expect(example.doc).toEqual(before);
      });
    }
  }
});

const rejected = {
  ok: false,
  failure: {
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  },
};

describe('a patch of many operations', () => {
  const operations = Array.from({ length: 1_000 }, (_, value) => ({ op: 'add', path: '/0', value }));

  it('lets others have their turn in between', () => {
    const steps = jsonPatchInSteps([], operations);
    let pauses = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses++;
    expect(pauses).toBe(20);
    expect(step.value).toEqual(applyJsonPatch([], operations));
  });
});

const loose = (document: JsonValue, ...operations: JsonObject[]) => applyJsonPatch(document, operations);

describe('the loose dialect', () => {
  it('skips the text before the first slash of a path', () => {
    expect(loose({ data: {} }, { op: 'add', path: 'data/a', value: 1 })).toEqual({
      ok: true,
      value: { data: {}, a: 1 },
    });
    const fragment = loose({ data: {} }, { op: 'add', path: '#/data/a', value: 1 });
    expect(fragment).toEqual({ ok: true, value: { data: { a: 1 } } });
    expect(loose({}, { op: 'add', path: 'data', value: 1 })).toEqual(rejected);
  });

  it('counts negative indexes from the end', () => {
    expect(loose([1, 2, 3], { op: 'remove', path: '/-1' })).toEqual({ ok: true, value: [1, 2] });
    expect(loose([1, 2], { op: 'add', path: '/-1', value: 3 })).toEqual({ ok: true, value: [1, 2, 3] });
    expect(loose([1, 2], { op: 'replace', path: '/-2', value: 0 })).toEqual({ ok: true, value: [0, 2] });
    expect(loose([1, 2], { op: 'remove', path: '/-3' })).toEqual(rejected);
  });

  it('adds absent values on replace, and tests and copies absent values as null', () => {
    expect(loose({}, { op: 'replace', path: '/a', value: 1 })).toEqual({ ok: true, value: { a: 1 } });
    expect(loose({}, { op: 'test', path: '/a', value: null })).toEqual({ ok: true, value: {} });
    expect(loose({}, { op: 'test', path: '/a' })).toEqual({ ok: true, value: {} });
    expect(loose({}, { op: 'copy', from: '/a', path: '/b' })).toEqual({ ok: true, value: { b: null } });
    expect(loose({}, { op: 'move', from: '/a', path: '/b' })).toEqual(rejected);
    expect(loose({}, { op: 'test', path: '/a/b', value: null })).toEqual(rejected);
  });

  it('treats a missing value as null', () => {
    expect(loose({}, { op: 'add', path: '/a' })).toEqual({ ok: true, value: { a: null } });
  });

  it('replaces and tests the whole document, and nothing else with it', () => {
    expect(loose({ a: 1 }, { op: 'replace', path: '', value: { b: 1 } })).toEqual({ ok: true, value: { b: 1 } });
    expect(loose({ a: 1 }, { op: 'test', path: '', value: { a: 1 } })).toEqual({ ok: true, value: { a: 1 } });
    for (const op of ['add', 'remove', 'move', 'copy']) {
      expect(loose({ a: 1 }, { op, path: '', from: '/a', value: {} })).toEqual(rejected);
    }
    expect(loose({ a: 1 }, { op: 'copy', from: '', path: '/b' })).toEqual(rejected);
  });
});

describe('applying', () => {
  it('refuses to move a container into itself', () => {
    expect(loose({ a: { b: {} } }, { op: 'move', from: '/a', path: '/a/b/c' })).toEqual(rejected);
    expect(loose([{ a: 1 }, { b: 2 }], { op: 'move', from: '/0', path: '/0/c' })).toEqual(rejected);
  });

  it('treats inherited names as absent and sets them as members', () => {
    expect(loose({}, { op: 'remove', path: '/constructor' })).toEqual(rejected);
    expect(loose({}, { op: 'add', path: '/__proto__/polluted', value: true })).toEqual(rejected);
    const set = loose({}, { op: 'add', path: '/__proto__', value: { a: 1 } });
    expect(set.ok && Object.keys(set.value ?? {})).toEqual(['__proto__']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('limits the total size of copies', () => {
    const double = { op: 'copy', from: '/x', path: '/x/-' };
    const start = { x: ['0'.repeat(500)] };
    expect(applyJsonPatch(start, Array(10).fill(double)).ok).toBe(true);
    expect(applyJsonPatch(start, Array(14).fill(double))).toEqual(rejected);
  });

  const nested = (depth: number): JsonValue => {
    let value: JsonValue = {};
    for (let i = 1; i < depth; i++) value = { x: value };
    return value;
  };

  it('limits the depth of the result', () => {
    const below = (depth: number, value: JsonValue): JsonObject[] => [
      { op: 'add', path: '/x', value: nested(depth) },
      { op: 'add', path: '/x'.repeat(depth + 1), value },
    ];
    expect(applyJsonPatch({}, below(9600, nested(404))).ok).toBe(true);
    expect(applyJsonPatch({}, below(9600, nested(405)))).toEqual(rejected);
  });

  it('copies too deep values without overflowing, and refuses the whole', () => {
    const operations: JsonObject[] = [{ op: 'add', path: '/x', value: nested(900) }];
    for (let i = 1; i < 20; i++) operations.push({ op: 'add', path: '/x'.repeat(900 * i + 1), value: nested(900) });
    expect(applyJsonPatch({}, [...operations, { op: 'copy', from: '/x', path: '/y' }])).toEqual(rejected);
  });

  it('never changes its input, whatever the operations', () => {
    const pointer = fc.constantFrom('/a', '/b', '/a/b', '/l/0', '/l/-', '/l/1/a', '', '/');
    const operation = fc.record({
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
      path: pointer,
      from: pointer,
      value: fc.constantFrom(1, { b: 2 }, [3], null),
    });
    const run = (operations: JsonObject[], dialect: 'loose' | 'rfc6902') => {
      const document = { a: { b: 1 }, l: [1, { a: 2 }] };
      const patch = structuredClone(operations);
      applyJsonPatch(document, operations, dialect);
      expect(document).toEqual({ a: { b: 1 }, l: [1, { a: 2 }] });
      expect(operations).toEqual(patch);
    };
    fc.assert(fc.property(fc.array(operation, { maxLength: 8 }), fc.constantFrom('loose', 'rfc6902'), run));
  });
});

describe('decoding', () => {
  const message = (body: JsonValue, checked = true) => {
    const result = decodeJsonPatch(body, checked);
    return result.ok ? undefined : [result.failure.reason, result.failure.message];
  };

  it('names the mistake in a document', () => {
    const wanted = 'error decoding patch: json: cannot unmarshal';
    expect(message({})).toEqual(['BadRequest', `${wanted} object into Go value of type []handlers.jsonPatchOp`]);
    expect(message('x')).toEqual(['BadRequest', `${wanted} string into Go value of type []handlers.jsonPatchOp`]);
    expect(message(['x'])).toEqual(['BadRequest', `${wanted} string into Go value of type handlers.jsonPatchOp`]);
    expect(message([[]])).toEqual(['BadRequest', `${wanted} array into Go value of type handlers.jsonPatchOp`]);
    const op = `${wanted} number into Go struct field jsonPatchOp.op of type string`;
    expect(message([{ op: 1 }])).toEqual(['BadRequest', op]);
    const unchecked = 'json: cannot unmarshal object into Go value of type jsonpatch.Patch';
    expect(message({}, false)).toEqual(['BadRequest', unchecked]);
    expect(message([{ op: 1 }], false)).toBeUndefined();
  });

  it('reads null as no operations, and a null operation as one that fails', () => {
    expect(decodeJsonPatch(null, true)).toEqual({ ok: true, value: { operations: [], unknownMembers: [] } });
    const decoded = decodeJsonPatch([null], true);
    expect(decoded.ok && applyJsonPatch({}, decoded.value.operations)).toEqual(rejected);
  });

  it('limits the number of operations', () => {
    expect(message(Array(10_000).fill({}))).toBeUndefined();
    const text = 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001';
    expect(message(Array(10_001).fill({}))).toEqual(['RequestEntityTooLarge', text]);
  });

  it('reports members that no operation has', () => {
    const decoded = decodeJsonPatch([{ op: 'add', path: '/a', value: 1, extra: true }], true);
    expect(decoded.ok && decoded.value.unknownMembers).toEqual(['[0].extra']);
  });
});
