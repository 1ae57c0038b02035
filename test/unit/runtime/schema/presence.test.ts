/** The stored value of fields that are absent, null or zero, for typed kinds. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { functionsOf, run } from '../../../support/compiled.js';

const kinds = ['explicit', 'implicit', 'always', 'nullable'] as const;
const schema: Schema = {
  type: 'object',
  properties: Object.fromEntries(kinds.map((kind) => [kind, { type: 'string', 'x-kindforge-presence': kind }])),
};

const storedOf = (written: JsonValue | undefined): JsonObject => {
  const object = Object.fromEntries(kinds.flatMap((kind) => (written === undefined ? [] : [[kind, written]])));
  return run(functionsOf(schema, { decoding: 'typed', kind: 'Thing' }), object).object;
};

describe('presence of a text', () => {
  it.each<[string, JsonValue | undefined, JsonObject]>([
    ['absent', undefined, { always: '', nullable: null }],
    ['null', null, { always: '', nullable: null }],
    ['empty', '', { explicit: '', always: '', nullable: '' }],
    ['there', 'a', { explicit: 'a', implicit: 'a', always: 'a', nullable: 'a' }],
  ])('%s', (_what, written, stored) => {
    expect(storedOf(written)).toEqual(stored);
  });
});
