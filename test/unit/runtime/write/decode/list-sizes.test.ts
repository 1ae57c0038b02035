/** How many objects the lists of an object may have. */
import { expect, it } from 'vitest';
import { resource as configMaps } from '../../../../../generated/core/v1/configmaps/resource.js';
import type { JsonValue } from '../../../../../runtime/contract/index.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import { listSizeFailure, mostListedObjects } from '../../../../../runtime/write/decode/list-sizes.js';
import { widgets } from '../../../../support/widgets.js';

const typed = serveResource(configMaps);
const objects = (count: number): JsonValue[] => Array.from({ length: count }, () => ({}));
const half = mostListedObjects / 2;

it.each<[string, JsonValue]>([
  ['in one list', { a: objects(mostListedObjects + 1) }],
  ['in two', { a: objects(half), b: { c: objects(half + 1) } }],
  ['in lists of lists', { a: Array.from({ length: 251 }, () => objects(200)) }],
  ['in their own lists', { a: Array.from({ length: 251 }, () => ({ b: objects(200) })) }],
])('too many objects %s are refused', (_what, value) => {
  expect(listSizeFailure(typed, value)).toEqual({
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: limit is 50000 objects in the lists of an object',
  });
});

it.each<[string, JsonValue]>([
  ['as many as may be', { a: objects(mostListedObjects) }],
  ['texts', { a: Array.from({ length: 200_000 }, () => '') }],
  ['members', { a: Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`f:${i}`, {}])) }],
])('%s are not', (_what, value) => {
  expect(listSizeFailure(typed, value)).toBeUndefined();
});

it('custom resources may have more', () => {
  expect(listSizeFailure(serveResource(widgets), { a: objects(mostListedObjects + 1) })).toBeUndefined();
});

it('nesting does no harm', () => {
  let value: JsonValue = {};
  for (let level = 0; level < 10_000; level++) value = { a: [value] };
  expect(listSizeFailure(typed, value)).toBeUndefined();
});
