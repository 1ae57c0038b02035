/** Metadata that belongs to the server: fields that clients cannot set, and fields that no update changes. */
import { describe, expect, it } from 'vitest';
import type { GenerationRule, JsonObject, ObjectMeta, OwnerReference } from '../../../../../runtime/contract/index.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
import {
  checkNameAgrees,
  clearSystemFields,
  countGeneration,
  dedupOwnerReferences,
  generateName,
  keepSystemFields,
  placeInNamespace,
  setSystemFields,
  startGeneration,
} from '../../../../../runtime/write/stages/metadata.js';
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
  it("are removed from the client's object, and nothing else is", () => {
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

  it('are the prefix itself if it cannot continue with random characters', () => {
    expect(named({ generateName: '10.0.0.1' }, 'nothing')).toEqual({ generated: true, name: '10.0.0.1' });
  });
});

describe('namespace', () => {
  it('comes from the path if the object has none', () => {
    const object = widget('a');
    expect(placeInNamespace({ object, write: writeOf({ namespace: 'team' }) })).toBeUndefined();
    expect(object.metadata.namespace).toBe('team');
  });

  it('must match the path if the object has one', () => {
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

  it('leaves a changed uid or deletion for validation to refuse', () => {
    const sent: ObjectMeta = { uid: 'other', deletionTimestamp: '2021-01-01T00:00:00Z' };
    expect(kept(sent, { uid: 'u', deletionTimestamp: '2020-01-01T00:00:00Z' })).toMatchObject(sent);
  });
});

const served = (generation: GenerationRule) => serveResource({ ...widgets, generation });

describe('generation of a new object', () => {
  it.each<[GenerationRule, number | undefined]>([
    ['counted', 1],
    ['after-change', undefined],
    ['none', 7],
  ])('%s: starts at %s, whatever the client says', (rule, expected) => {
    const object = widget('a', {}, { generation: 7 });
    startGeneration({ write: { resource: served(rule) }, object });
    expect(object.metadata.generation).toBe(expected);
  });
});

describe('generation of a changed object', () => {
  const counted = (rule: GenerationRule, before: number | undefined, changes: JsonObject): number | undefined => {
    const metadata = before === undefined ? {} : { generation: before };
    const old = widget('a', { size: 1 }, { ...metadata, labels: { a: 'b' } });
    const object = { ...widget('a', { size: 1 }, metadata), ...changes };
    countGeneration({ write: { resource: served(rule) }, object, old });
    return object.metadata.generation;
  };

  it.each<[string, JsonObject, number]>([
    ['the spec', { spec: { size: 2 } }, 5],
    ['a field that came', { extra: true }, 5],
    ['metadata only', {}, 4],
    ['the status', { status: { ready: true } }, 4],
    ['the version it was written in', { apiVersion: 'example.com/v2' }, 4],
  ])('after a change of %s', (_what, changes, expected) => {
    expect(counted('counted', 4, changes)).toBe(expected);
  });

  it('counts a status that has no subresource of its own', () => {
    const resource = serveResource({ ...widgets, subresources: [] });
    const old = widget('a', {}, { generation: 4 });
    const object = { ...widget('a', {}, { generation: 4 }), status: { ready: true } };
    countGeneration({ write: { resource }, object, old });
    expect(object.metadata.generation).toBe(5);
    const same = { ...object, metadata: { generation: 5, labels: { a: 'b' } } };
    countGeneration({ write: { resource }, object: same, old: object });
    expect(same.metadata.generation).toBe(5);
  });

  it('counts a removed field', () => {
    const old = { ...widget('a', { size: 1 }, { generation: 4 }), extra: true, status: { ready: true } };
    const object = widget('a', { size: 1 }, { generation: 4 });
    countGeneration({ write: { resource: served('counted') }, object, old });
    expect(object.metadata.generation).toBe(5);
  });

  it('starts with the first change if creation set none', () => {
    expect(counted('after-change', undefined, { spec: { size: 2 } })).toBe(1);
  });

  it('does not change if the resource does not count', () => {
    expect(counted('none', 4, { spec: { size: 2 } })).toBe(4);
    expect(counted('none', undefined, { spec: { size: 2 } })).toBeUndefined();
  });
});

const owner = (uid: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'owner',
  uid,
  ...more,
});

function dedup(references: OwnerReference[] | undefined, when?: string) {
  const object = widget('a', {}, references === undefined ? {} : { ownerReferences: references });
  const warnings: string[] = [];
  dedupOwnerReferences(object, (text) => warnings.push(text), when);
  return { kept: object.metadata.ownerReferences, warnings };
}

describe('repeated owner references', () => {
  it('are dropped, and the first of each is kept in its place', () => {
    const { kept, warnings } = dedup([owner('1'), owner('2'), owner('1'), owner('2'), owner('1')]);
    expect(kept).toEqual([owner('1'), owner('2')]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/contains duplicate entries; .*duplicate UID\(s\) observed: 1, 2$/);
  });

  it('do not include references that share only the uid', () => {
    const references = [owner('1'), owner('1', { controller: true }), owner('1', { name: 'other' })];
    expect(dedup(references)).toEqual({ kept: references, warnings: [] });
  });

  it('have a warning with the time of the finding', () => {
    const { warnings } = dedup([owner('1'), owner('1')], ' after mutating admission happens');
    expect(warnings[0]).toContain('contains duplicate entries after mutating admission happens; ');
  });

  it.each([[undefined], [[]], [[owner('1')]]])('do not exist in %j', (references) => {
    expect(dedup(references)).toEqual({ kept: references, warnings: [] });
  });
});

it('are found among very many', () => {
  const references = Array.from({ length: 30_000 }, (_, i) => owner('1', { name: `o${i % 15_000}` }));
  expect(dedup(references).kept).toHaveLength(15_000);
});
