/** Fields behind feature gates: what the compiled functions drop, and what they keep. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, Schema } from '../../../../runtime/contract/index.js';
import { clone } from '../../../../runtime/objects/clone.js';
import { compileSchema } from '../../../../runtime/schema/index.js';
import { fittingObject } from '../../../support/arbitrary-schemas.js';
import { typedSchema } from '../../../support/arbitrary-typed-schemas.js';
import { functionsOf } from '../../../support/compiled.js';
import { interpretGates } from '../../../support/schema-interpreter/gates.js';

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

describe('fields whose gate is off', () => {
  it('are dropped from what is new, wherever they are', () => {
    expect(dropped(full)).toEqual({
      spec: { containers: [{ name: 'a' }, { name: 'b' }], initial: [{ name: 'c' }], byName: { d: { name: 'd' } } },
    });
  });

  it('are kept where the gate is on, each by its own', () => {
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

  it('are kept where the stored object uses the gate in any field', () => {
    const kept = dropped({ spec: { containers: [{ resize: 'x' }] } }, { spec: { byName: { a: { resize: 'y' } } } });
    expect(kept).toEqual({ spec: { containers: [{ resize: 'x' }] } });
    expect(dropped({ spec: { users: true } }, { spec: { users: false } })).toEqual({ spec: { users: true } });
    expect(dropped({ spec: { users: true } }, { spec: { containers: [{ name: 'a' }] } })).toEqual({ spec: {} });
    expect(dropped({ spec: { claims: [{ resize: 'x' }] } }, { spec: { claims: [] } })).toEqual({
      spec: { claims: [{}] },
    });
  });

  it('are no matter where they have nothing to stand in', () => {
    for (const object of [{}, { spec: {} }, { spec: { containers: [] } }]) expect(dropped(object)).toEqual(object);
  });

  it('ask for no code where there are none', () => {
    expect(functionsOf(struct({ a: { type: 'string' } }), { decoding: 'typed' }).dropDisabled).toBeUndefined();
    const { text } = compileSchema(schema, { decoding: 'typed', kind: 'Thing' });
    expect([text.includes('dropUsersInSpec'), text.includes('dropTopInSpec')]).toEqual([true, false]);
  });
});

/** The schema with gates on some of its fields. */
function withGates(node: Schema, choose: () => string | undefined): Schema {
  const { properties, items, additionalProperties } = node;
  const fields = Object.entries(properties ?? {}).map(([name, child]) => {
    const gate = choose();
    const inner = withGates(child, choose);
    return [name, gate === undefined ? inner : gated(gate, inner)] as const;
  });
  return {
    ...node,
    ...(properties ? { properties: Object.fromEntries(fields) } : {}),
    ...(items ? { items: withGates(items, choose) } : {}),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: withGates(additionalProperties, choose) }
      : {}),
  };
}

it('agrees with an interpreter on generated schemas', { timeout: 300_000 }, () => {
  const gate = fc.constantFrom('A', 'B', undefined, undefined);
  const cases = fc
    .tuple(typedSchema, fc.array(gate, { minLength: 1, maxLength: 10 }))
    .map(([plain, gates]) => {
      let next = 0;
      return withGates(plain, () => gates[next++ % gates.length]);
    })
    .chain((made) => fc.tuple(fc.constant(made), fittingObject(made), fittingObject(made), fc.subarray(['A', 'B'])));
  const property = fc.property(cases, ([made, object, old, on]) => {
    const enabled = (name: string): boolean => on.includes(name);
    const [compiled, plain] = [clone(object), clone(object)];
    functionsOf(made, { decoding: 'typed', kind: 'Thing' }).dropDisabled?.(compiled, old, enabled);
    interpretGates(made, plain, old, enabled);
    expect(compiled).toEqual(plain);
  });
  fc.assert(property, { seed: 20240229, numRuns: 1000 });
});
