/** Metadata that belongs to the server: what clients cannot say, what is set, and what no update changes. */
import { describe, expect, it } from 'vitest';
import type { ObjectMeta } from '../../../../../runtime/contract/index.js';
import {
  checkNameAgrees,
  clearSystemFields,
  generateName,
  keepSystemFields,
  placeInNamespace,
  setSystemFields,
} from '../../../../../runtime/write/stages/system-fields.js';
import { requestTime, writeOf } from '../../../../support/verb-requests.js';
import { widget, widgets } from '../../../../support/widgets.js';

const systemFields: ObjectMeta = {
  uid: 'u',
  creationTimestamp: '2020-01-01T00:00:00Z',
  deletionTimestamp: '2020-01-01T00:00:00Z',
  deletionGracePeriodSeconds: 5,
  selfLink: '/x',
};

describe('system fields of a new object', () => {
  it('are taken from what the client sent, and nothing else is', () => {
    const object = widget('a', {}, { ...systemFields, labels: { a: 'b' } });
    clearSystemFields({ object });
    expect(JSON.parse(JSON.stringify(object.metadata))).toEqual({ name: 'a', labels: { a: 'b' } });
  });

  it('are a new uid and the time of the request', () => {
    const object = widget('a');
    setSystemFields({ object, write: writeOf({ services: { newUid: () => 'fresh' } }) });
    expect(object.metadata).toEqual({ name: 'a', uid: 'fresh', creationTimestamp: requestTime });
  });
});

describe('generated names', () => {
  const named = (metadata: ObjectMeta, generated?: 'random' | 'nothing') => {
    const module = { ...widgets, nameRule: { format: 'any', ...(generated ? { generated } : {}) } };
    const object = { ...widget('x'), metadata: { ...metadata } };
    return { generated: generateName(object, writeOf({ module })), name: object.metadata.name };
  };

  it.each<[string, ObjectMeta, { generated: boolean; name: string | undefined }]>([
    ['follow the prefix', { generateName: 'web-' }, { generated: true, name: 'web-bcdfg' }],
    ['yield to a name', { name: 'a', generateName: 'web-' }, { generated: false, name: 'a' }],
    ['need a prefix', {}, { generated: false, name: undefined }],
    ['fit into a label', { generateName: 'p'.repeat(80) }, { generated: true, name: `${'p'.repeat(58)}bcdfg` }],
  ])('%s', (_what, metadata, expected) => {
    expect(named(metadata)).toEqual(expected);
  });

  it('are the prefix itself where random characters could not be part of a name', () => {
    expect(named({ generateName: '10.0.0.1' }, 'nothing')).toEqual({ generated: true, name: '10.0.0.1' });
  });
});

describe('namespace', () => {
  it('comes from the path where the object says none', () => {
    const object = widget('a');
    expect(placeInNamespace({ object, write: writeOf({ namespace: 'team' }) })).toBeUndefined();
    expect(object.metadata.namespace).toBe('team');
  });

  it('must be that of the path where the object says one', () => {
    expect(
      placeInNamespace({ object: widget('a', {}, { namespace: 'other' }), write: writeOf({ namespace: 'team' }) }),
    ).toEqual({
      reason: 'BadRequest',
      message: 'the namespace of the provided object does not match the namespace sent on the request',
    });
  });

  it('is dropped from cluster-scoped objects', () => {
    const object = widget('a', {}, { namespace: 'team' });
    const write = writeOf({ module: { ...widgets, scope: 'Cluster' }, namespace: '' });
    expect(placeInNamespace({ object, write })).toBeUndefined();
    expect(object.metadata.namespace).toBeUndefined();
  });
});

describe('name of a replaced or patched object', () => {
  it.each([
    ['a', undefined],
    ['b', 'the name of the object (b) does not match the name on the URL (a)'],
    ['', 'the name of the object (a based on URL) was undeterminable: name must be provided'],
  ])('%j under a path that ends in a', (name, message) => {
    expect(checkNameAgrees({ object: widget(name), write: writeOf({ name: 'a' }) })?.message).toBe(message);
  });
});

describe('an update', () => {
  const kept = (sent: ObjectMeta, stored: ObjectMeta): ObjectMeta => {
    const object = widget('a', {}, sent);
    keepSystemFields({ object, old: widget('a', {}, stored) });
    return object.metadata;
  };

  it('keeps generation and creation, whatever the client sent', () => {
    const stored: ObjectMeta = { uid: 'u', generation: 4, creationTimestamp: '2020-01-01T00:00:00Z' };
    expect(kept({ generation: 9, creationTimestamp: '2021-01-01T00:00:00Z', selfLink: '/x' }, stored)).toEqual({
      name: 'a',
      selfLink: undefined,
      ...stored,
    });
  });

  it('keeps a deletion that has begun', () => {
    const stored: ObjectMeta = { deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 };
    expect(kept({}, stored)).toMatchObject(stored);
  });

  it('leaves a uid or deletion that the client changed for validation to refuse', () => {
    const sent: ObjectMeta = { uid: 'other', deletionTimestamp: '2021-01-01T00:00:00Z' };
    expect(kept(sent, { uid: 'u', deletionTimestamp: '2020-01-01T00:00:00Z' })).toMatchObject(sent);
  });
});
