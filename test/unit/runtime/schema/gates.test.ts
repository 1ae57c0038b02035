/** Fields behind feature gates: which are dropped, and which are kept. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, Schema } from '../../../../runtime/contract/index.js';
import { clone } from '../../../../runtime/objects/clone.js';
import { functionsOf } from '../../../support/compiled.js';

const gated = (gate: string, schema: Schema = { type: 'string' }): Schema => ({
  ...schema,
  'x-kindforge-feature-gate': gate,
});

const list = (items: Schema): Schema => ({ type: 'array', items });
const struct = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });

const container = struct({ name: { type: 'string' }, resize: gated('Resize') });
const schema: Schema = struct({
  spec: struct({
    users: gated('Users', { type: 'boolean' }),
    containers: list(container),
    initial: list(container),
    byName: { type: 'object', additionalProperties: container },
    constructor: gated('Odd'),
    claims: gated('Claims', list(struct({ name: { type: 'string' }, resize: gated('Resize') }))),
  }),
  top: gated('Top'),
});

const functions = functionsOf(schema, { decoding: 'typed', kind: 'Thing' });

function dropped(object: JsonObject, old?: JsonObject, ...on: readonly string[]): JsonObject {
  const copy = clone(object);
  functions.dropDisabled?.(copy, old, (gate) => on.includes(gate));
  return copy;
}

const full: JsonObject = {
  top: 't',
  spec: {
    users: false,
    containers: [{ name: 'a', resize: 'x' }, { name: 'b' }],
    initial: [{ name: 'c', resize: 'y' }],
    byName: { d: { name: 'd', resize: 'z' } },
    constructor: 'o',
    claims: [{ name: 'e', resize: 'w' }],
  },
};

describe('fields with a disabled gate', () => {
  it('are dropped from new objects, wherever they are', () => {
    expect(dropped(full)).toEqual({
      spec: { containers: [{ name: 'a' }, { name: 'b' }], initial: [{ name: 'c' }], byName: { d: { name: 'd' } } },
    });
  });

  it('are kept if the gate is on, each by its own', () => {
    expect(dropped(full, undefined, 'Top', 'Users', 'Resize', 'Odd', 'Claims')).toEqual(full);
    expect(dropped(full, undefined, 'Users')).toEqual({
      spec: {
        users: false,
        containers: [{ name: 'a' }, { name: 'b' }],
        initial: [{ name: 'c' }],
        byName: { d: { name: 'd' } },
      },
    });
  });

  it('are kept if the stored object uses the gate in any field', () => {
    const kept = dropped({ spec: { containers: [{ resize: 'x' }] } }, { spec: { byName: { a: { resize: 'y' } } } });
    expect(kept).toEqual({ spec: { containers: [{ resize: 'x' }] } });
    expect(dropped({ spec: { users: true } }, { spec: { users: false } })).toEqual({ spec: { users: true } });
    expect(dropped({ spec: { users: true } }, { spec: { containers: [{ name: 'a' }] } })).toEqual({ spec: {} });
    expect(dropped({ spec: { claims: [{ resize: 'x' }] } }, { spec: { claims: [] } })).toEqual({
      spec: { claims: [{}] },
    });
  });

  it('do not matter without a parent object', () => {
    for (const object of [{}, { spec: {} }, { spec: { containers: [] } }]) expect(dropped(object)).toEqual(object);
  });

  it('are not searched for if a schema has none', () => {
    expect(functionsOf(struct({ a: { type: 'string' } }), { decoding: 'typed' }).dropDisabled).toBeUndefined();
  });
});
