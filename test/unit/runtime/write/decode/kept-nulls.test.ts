/** Nulls that a structural object keeps through a change which drops them. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, Schema } from '../../../../../runtime/contract/index.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import { keepingNulls } from '../../../../../runtime/write/decode/kept-nulls.js';
import { functionsOf } from '../../../../support/compiled.js';
import { changedModule } from '../../../../support/modules.js';
import { widgets } from '../../../../support/widgets.js';

const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', default: 3 },
        color: { type: 'string' },
        note: { type: 'string', nullable: true },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        parts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
      },
    },
  },
};
const functions = functionsOf(schema);

function kept(decoding: 'structural' | 'typed', object: JsonObject): JsonObject {
  const resource = serveResource(changedModule(widgets, { schema, decoding }));
  keepingNulls(resource, object, () => functions.applyDefaults(object));
  return object;
}

describe('a null', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['in a field without a default stays', { color: null }, { color: null, size: 3 }],
    ['in a field with a default gives way to it', { size: null }, { size: 3 }],
    ['that the schema allows stays', { note: null }, { note: null, size: 3 }],
    ['in a map stays', { labels: { a: null, b: 'x' } }, { labels: { a: null, b: 'x' }, size: 3 }],
    ['below an item stays', { parts: [{}, { name: null }] }, { parts: [{}, { name: null }], size: 3 }],
  ])('%s', (_what, spec, expected) => {
    expect(kept('structural', { spec })).toEqual({ spec: expected });
  });

  it('in a whole part stays', () => {
    expect(kept('structural', { spec: null })).toEqual({ spec: null });
  });

  it('of metadata is none of this', () => {
    const object: JsonObject = { metadata: { labels: null }, spec: {} };
    const resource = serveResource(changedModule(widgets, { schema }));
    keepingNulls(resource, object, () => Object.assign(object, { metadata: {} }));
    expect(object).toEqual({ metadata: {}, spec: {} });
  });

  it('of a typed kind is dropped', () => {
    expect(kept('typed', { spec: { color: null } })).toEqual({ spec: { size: 3 } });
  });
});
