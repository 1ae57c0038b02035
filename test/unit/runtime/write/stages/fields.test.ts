/** The parts of an object that a create, an update, and an update through a subresource may write. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject, Schema, Subresource } from '../../../../../runtime/contract/index.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import {
  dropSubresourceFields,
  keepingNulls,
  keepSubresourceFields,
  takeOnlySubresourceFields,
} from '../../../../../runtime/write/stages/fields.js';
import { functionsOf } from '../../../../support/compiled.js';
import { changedModule } from '../../../../support/modules.js';
import { widget, widgetStatus, widgets } from '../../../../support/widgets.js';

const withStatus = (object: ApiObject, status: ApiObject['status']): ApiObject => ({ ...object, status });

const approval: Subresource = {
  name: 'approval',
  verbs: ['update'],
  writes: ['status.conditions'],
  writesMetadata: false,
};

const scale: Subresource = {
  name: 'scale',
  verbs: ['update'],
  writes: ['spec.size'],
  writesMetadata: false,
  scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
};

describe('create', () => {
  it('drops the status if a subresource owns it', () => {
    const object = withStatus(widget('a', { size: 1 }), { ready: true });
    dropSubresourceFields(serveResource(widgets), object);
    expect(object).toEqual(widget('a', { size: 1 }));
    expect(Object.hasOwn(object, 'status')).toBe(false);
  });

  it('leaves an empty status if the kind always has one', () => {
    const schema = { properties: { status: { type: 'object', 'x-kindforge-presence': 'always' } } } as const;
    const object = withStatus(widget('a'), { ready: true });
    dropSubresourceFields(serveResource(changedModule(widgets, { schema })), object);
    expect(object.status).toEqual({});
  });

  it('keeps a status that a create may fill', () => {
    const object = withStatus(widget('a'), { ready: true });
    dropSubresourceFields(serveResource({ ...widgets, subresources: [{ ...widgetStatus, atCreate: true }] }), object);
    expect(object.status).toEqual({ ready: true });
  });

  it('leaves the zeros that an empty status always has, in an object of its own', () => {
    const replicas = { type: 'integer', 'x-kindforge-presence': 'always' } as const;
    const status = { type: 'object', 'x-kindforge-presence': 'always', properties: { replicas } } as const;
    const schema = { type: 'object', properties: { status } } as const;
    const resource = serveResource(changedModule(widgets, { schema, decoding: 'typed' }));
    const [one, other] = [widget('a'), widget('b')];
    dropSubresourceFields(resource, one);
    dropSubresourceFields(resource, other);
    expect(one.status).toEqual({ replicas: 0 });
    expect(other.status).toEqual(one.status);
    expect(other.status).not.toBe(one.status);
  });

  it('keeps the status of a resource without such a subresource', () => {
    const object = withStatus(widget('a'), { ready: true });
    dropSubresourceFields(serveResource({ ...widgets, subresources: [approval] }), object);
    expect(object.status).toEqual({ ready: true });
  });
});

describe('update of the object itself', () => {
  it.each<[string, ApiObject['status'], ApiObject['status']]>([
    ['keeps the stored status', { ready: true }, { ready: false }],
    ['brings back a status that was left out', { ready: true }, undefined],
    ['does not let a status in', undefined, { ready: true }],
  ])('%s', (_what, stored, sent) => {
    const object = withStatus(widget('a', { size: 2 }), sent);
    keepSubresourceFields(widgets, object, withStatus(widget('a', { size: 1 }), stored));
    expect(object.status).toEqual(stored);
    expect(Object.hasOwn(object, 'status')).toBe(stored !== undefined);
    expect(object.spec).toEqual({ size: 2 });
  });

  it('may write the fields of scale too', () => {
    const object = widget('a', { size: 2 });
    keepSubresourceFields({ ...widgets, subresources: [scale] }, object, widget('a', { size: 1 }));
    expect(object.spec).toEqual({ size: 2 });
  });

  it('may write fields that it shares with a subresource', () => {
    const shared: Subresource = { ...approval, writes: ['spec.size'], shared: true };
    const object = widget('a', { size: 2 });
    keepSubresourceFields({ ...widgets, subresources: [shared] }, object, widget('a', { size: 1 }));
    expect(object.spec).toEqual({ size: 2 });
  });

  it('keeps part of a field without changing the sent or stored object', () => {
    const sent = { conditions: ['sent'], note: 'sent' };
    const stored = { conditions: ['stored'], note: 'stored' };
    const object = withStatus(widget('a'), sent);
    keepSubresourceFields({ ...widgets, subresources: [approval] }, object, withStatus(widget('a'), stored));
    expect(object.status).toEqual({ conditions: ['stored'], note: 'sent' });
    expect(sent).toEqual({ conditions: ['sent'], note: 'sent' });
    expect(stored).toEqual({ conditions: ['stored'], note: 'stored' });
  });

  it('makes no empty parent for a part that neither has', () => {
    const object = widget('a');
    keepSubresourceFields({ ...widgets, subresources: [approval] }, object, widget('a'));
    expect(Object.hasOwn(object, 'status')).toBe(false);
  });
});

describe('update through a subresource', () => {
  const old = withStatus(widget('a', { size: 1 }, { resourceVersion: '4', labels: { from: 'stored' } }), {
    ready: false,
  });
  const sent = withStatus(
    widget('a', { size: 2 }, { resourceVersion: '5', labels: { from: 'sent' }, managedFields: [{ manager: 'sent' }] }),
    { ready: true },
  );

  it('accepts only the fields of the subresource', () => {
    const next = takeOnlySubresourceFields(widgetStatus, sent, old);
    expect(next.status).toEqual({ ready: true });
    expect(next.spec).toEqual({ size: 1 });
    expect(next.metadata).toEqual({
      name: 'a',
      resourceVersion: '5',
      labels: { from: 'stored' },
      managedFields: [{ manager: 'sent' }],
    });
    expect(old.status).toEqual({ ready: false });
    expect(old.metadata.resourceVersion).toBe('4');
  });

  it('accepts metadata if the subresource may write it', () => {
    const next = takeOnlySubresourceFields({ ...widgetStatus, writesMetadata: true }, sent, old);
    expect(next.metadata).toEqual(sent.metadata);
    expect(next.spec).toEqual({ size: 1 });
  });

  it('removes fields of the subresource that the client left out', () => {
    expect(takeOnlySubresourceFields(widgetStatus, widget('a'), old).status).toBeUndefined();
  });

  it('changes one part of a field and keeps the rest of it', () => {
    const next = takeOnlySubresourceFields(
      approval,
      withStatus(widget('a'), { conditions: ['new'], note: 'new' }),
      withStatus(widget('a'), { conditions: ['old'], note: 'old' }),
    );
    expect(next.status).toEqual({ conditions: ['new'], note: 'old' });
  });
});

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

  it('for a whole part stays', () => {
    expect(kept('structural', { spec: null })).toEqual({ spec: null });
  });

  it('of metadata is not handled here', () => {
    const object: JsonObject = { metadata: { labels: null }, spec: {} };
    const resource = serveResource(changedModule(widgets, { schema }));
    keepingNulls(resource, object, () => Object.assign(object, { metadata: {} }));
    expect(object).toEqual({ metadata: {}, spec: {} });
  });

  it('of a typed kind is dropped', () => {
    expect(kept('typed', { spec: { color: null } })).toEqual({ spec: { size: 3 } });
  });
});
