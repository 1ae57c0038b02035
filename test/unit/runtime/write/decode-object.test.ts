/** Unknown and duplicate fields, by the client's `fieldValidation`. */
import { describe, expect, it } from 'vitest';
import { resource as configMaps } from '../../../../generated/core/v1/configmaps/resource.js';
import type { JsonValue } from '../../../../runtime/contract/index.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { listSizeFailure, mostListedObjects, reportFields } from '../../../../runtime/write/decode-object.js';
import type { FieldValidation } from '../../../../runtime/write/write.js';
import { verbRequest } from '../../../support/verb-requests.js';
import { widgets } from '../../../support/widgets.js';

function report(level: FieldValidation, ...problems: string[]) {
  const verb = verbRequest();
  return { failure: reportFields(verb, level, problems), warnings: verb.warnings };
}

describe('problems with fields', () => {
  it('are ignored under Ignore', () => {
    expect(report('Ignore', 'unknown field "a"')).toEqual({ failure: undefined, warnings: [] });
  });

  it('are warnings under Warn, each once', () => {
    expect(report('Warn', 'unknown field "a"', 'duplicate field "b"', 'unknown field "a"')).toEqual({
      failure: undefined,
      warnings: ['unknown field "a"', 'duplicate field "b"'],
    });
  });

  it('are a bad request that names them all under Strict', () => {
    const { failure, warnings } = report('Strict', 'unknown field "a"', 'duplicate field "b"');
    expect(failure?.reason).toBe('BadRequest');
    expect(failure?.message).toMatch(/strict decoding error: unknown field "a", duplicate field "b"$/);
    expect(warnings).toEqual([]);
  });

  it('are required for a refusal', () => {
    expect(report('Strict')).toEqual({ failure: undefined, warnings: [] });
  });
});

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

it('nesting has no effect', () => {
  let value: JsonValue = {};
  for (let level = 0; level < 10_000; level++) value = { a: [value] };
  expect(listSizeFailure(typed, value)).toBeUndefined();
});
