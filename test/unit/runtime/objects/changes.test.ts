/** Differences between two states of an object. */
import { expect, it } from 'vitest';
import type { JsonValue } from '../../../../runtime/contract/index.js';
import { applyJsonPatch, decodeJsonPatch } from '../../../../runtime/merge/index.js';
import { changesBetween } from '../../../../runtime/objects/changes.js';
import { clone } from '../../../../runtime/objects/clone.js';

it.each<[JsonValue, JsonValue, JsonValue]>([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: 2 }, [{ op: 'replace', path: '/a', value: 2 }]],
  [
    { a: 1 },
    { b: 1 },
    [
      { op: 'remove', path: '/a' },
      { op: 'add', path: '/b', value: 1 },
    ],
  ],
  [{ a: { b: [{ c: 1 }] } }, { a: { b: [{ c: 2 }] } }, [{ op: 'replace', path: '/a/b/0/c', value: 2 }]],
  [{ a: [1] }, { a: [1, 2] }, [{ op: 'replace', path: '/a', value: [1, 2] }]],
  [{}, { 'x/y~z': 'v' }, [{ op: 'add', path: '/x~1y~0z', value: 'v' }]],
  [{ a: {} }, { a: null }, [{ op: 'replace', path: '/a', value: null }]],
])('from %j to %j', (before, after, patch) => {
  expect(changesBetween(before, after)).toEqual(patch);
  const read = decodeJsonPatch(clone(patch), false);
  const applied = read.ok ? applyJsonPatch(before, read.value.operations) : read;
  expect(applied).toEqual({ ok: true, value: after });
});
