import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineNamespaces } from '../../../../strategies/core/namespaces.js';
import { objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineNamespaces(platformNaming);
const label = platformNaming.wellKnown.metadataNameLabel;

const namespace = (body: JsonObject = {}, metadata: JsonObject = {}): ApiObject =>
  objectOf(handlers, body, { name: 'team', ...metadata });

const stored = namespace(
  { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } },
  { labels: { [label]: 'team', a: 'b' } },
);

describe('a new namespace', () => {
  it('is active, and has the finalizer of the server', () => {
    const object = namespace({ status: { phase: 'Terminating', conditions: [] } });
    handlers.prepareForCreate?.(object, contextOf());
    expect(object.status).toEqual({ phase: 'Active' });
    expect(object.spec).toEqual({ finalizers: ['kubernetes'] });
  });

  it("keeps its own finalizers, and has the server's once", () => {
    for (const finalizers of [['example.com/a'], ['example.com/a', 'kubernetes']]) {
      const object = namespace({ spec: { finalizers } });
      handlers.prepareForCreate?.(object, contextOf());
      expect(object.spec).toEqual({ finalizers: ['example.com/a', 'kubernetes'] });
    }
  });

  it('has its name as a label, also if the name was generated', () => {
    const object = namespace({}, { name: undefined, generateName: 'team-' });
    handlers.canonicalize?.(object);
    expect(object.metadata.labels).toBeUndefined();
    object.metadata.name = 'team-x1';
    handlers.prepareForCreate?.(object, contextOf());
    expect(object.metadata.labels).toEqual({ [label]: 'team-x1' });
  });
});

describe('the label of a namespace', () => {
  it('replaces the label of the client', () => {
    const object = namespace({}, { labels: { [label]: 'forged', a: 'b' } });
    handlers.canonicalize?.(object);
    expect(object.metadata.labels).toEqual({ [label]: 'team', a: 'b' });
  });

  it('follows the served naming', () => {
    const object = namespace();
    defineNamespaces(kubernetesNaming).canonicalize?.(object);
    expect(object.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': 'team' });
  });
});

describe('an update of a namespace', () => {
  const changed = () => namespace({ spec: { finalizers: [] }, status: { phase: 'Terminating' } });

  it.each([
    ['', ['kubernetes'], 'Active'],
    ['finalize', [], 'Active'],
    ['status', ['kubernetes'], 'Terminating'],
  ])('through %j writes its own part only', (subresource, finalizers, phase) => {
    const object = changed();
    handlers.prepareForUpdate?.(object, stored, contextOf({ subresource }));
    expect(object.spec).toEqual({ finalizers });
    expect(object.status).toEqual({ phase });
  });
});

describe('rules of a namespace', () => {
  const context = contextOf({ subresource: 'status' });

  it('match the phase to the deletion', () => {
    const phases = (phase: string, deletionTimestamp?: string) =>
      handlers.validateUpdate?.(namespace({ status: { phase } }, { deletionTimestamp }), stored, context) ?? [];
    expect(phases('Active')).toEqual([]);
    expect(phases('Terminating', '2024-01-01T00:00:00Z')).toEqual([]);
    expect(phases('Terminating')).toMatchObject([{ field: 'status.Phase', reason: 'FieldValueInvalid' }]);
    expect(phases('Active', '2024-01-01T00:00:00Z')).toMatchObject([{ field: 'status.Phase' }]);
  });

  it('require qualified finalizers', () => {
    const object = namespace({ spec: { finalizers: ['kubernetes', 'example.com/ok', 'unqualified'] } });
    expect(handlers.validate?.(object, contextOf({ subresource: 'finalize' }))).toMatchObject([
      { field: 'spec.finalizers[2]', message: expect.stringContaining('neither a standard finalizer') },
    ]);
    expect(handlers.validate?.(object, contextOf())).toMatchObject([{ field: 'spec.finalizers' }]);
  });
});

describe('the end of a namespace', () => {
  it('begins with a mark', () => {
    const object = structuredClone(stored);
    handlers.prepareForDelete?.(object, contextOf());
    expect(object.status).toEqual({ phase: 'Terminating' });
    expect(handlers.mayRemove?.(object)).toBe(false);
  });

  it('comes when no finalizer is left', () => {
    const marked = { deletionTimestamp: '2024-01-01T00:00:00Z' };
    expect(handlers.mayRemove?.(namespace({ spec: { finalizers: ['kubernetes'] } }, marked))).toBe(false);
    expect(handlers.mayRemove?.(namespace({ spec: {} }, marked))).toBe(true);
  });
});
