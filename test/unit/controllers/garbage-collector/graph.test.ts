import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiObjectLike } from '../../../../client/index.js';
import { OwnerGraph, waitsOnlyForItself } from '../../../../controllers/garbage-collector/graph.js';
import { mayConcern, relevantPart } from '../../../../controllers/garbage-collector/relevant.js';

const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
let deletable: string[];
let absent: string[];
let graph: OwnerGraph;
beforeEach(() => {
  deletable = [];
  absent = [];
  graph = new OwnerGraph({
    onDeletable: ({ identity }) => deletable.push(identity.name),
    onOrphaning: () => {},
    onAbsent: ({ name }) => absent.push(name),
    onForeignOwner: () => {},
  });
});

const object = (name: string, owners: readonly string[] = [], resourceVersion = '5'): ApiObjectLike => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    ...{ name, namespace: 'default', uid: `${name}-uid`, resourceVersion },
    ownerReferences: owners.map((owner) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: `${owner}-uid` })),
  },
});

describe('the graph of owners', () => {
  it('contains no objects without owners and dependents', () => {
    graph.observe(object('plain'));
    expect(graph.size).toBe(0);
    graph.observe(object('child', ['owner']));
    expect([graph.size, graph.has('owner-uid')]).toEqual([2, true]);
    graph.observe(object('owner', [], '6'));
    graph.observe(object('child', [], '7'));
    expect(graph.size).toBe(0);
  });

  it('reports dependents of an owner that no event has named, until it is found', () => {
    graph.observe(object('child', ['owner']));
    expect(deletable).toEqual(['child']);
    const [child, owner] = [graph.get('child-uid'), graph.get('owner-uid')];
    if (!child || !owner) throw new Error('they are not there');
    expect(graph.hasSolidOwners(child)).toBe(false);
    graph.confirm(owner, object('owner'));
    expect(graph.hasSolidOwners(child)).toBe(true);
  });

  it('does not undo what a watch has reported while an owner was looked up', () => {
    graph.observe(object('child', ['owner']));
    const owner = graph.get('owner-uid');
    if (!owner) throw new Error('it is not there');
    graph.end(object('owner', [], '6'));
    graph.confirm(owner, object('owner'));
    expect([graph.has('owner-uid'), absent]).toEqual([false, ['owner']]);
    expect(deletable).toEqual(['child', 'child']);
  });

  it('ignores states that are older than its own', () => {
    graph.observe(object('child', ['owner'], '10'));
    graph.observe(object('child', [], '9'));
    expect(graph.get('child-uid')?.owners).toHaveLength(1);
  });

  it('forgets dependents that a listing does not have, and checks owners again', () => {
    graph.observe(object('child', ['owner']));
    graph.observe(object('gone', ['owner']));
    graph.observe(object('later', ['owner'], '20'));
    const owner = graph.get('owner-uid');
    if (owner) graph.confirm(owner, object('owner'));
    deletable.length = 0;
    graph.doubt({ group: 'apps', kind: 'ConfigMap' }, new Set(), '10', false);
    expect([graph.size, deletable]).toEqual([4, []]);
    graph.doubt(kind, new Set(['child-uid']), '10', false);
    expect([graph.has('gone-uid'), graph.has('child-uid'), graph.has('later-uid')]).toEqual([false, true, true]);
    expect([owner?.isVirtual, deletable]).toEqual([true, ['child', 'later']]);
  });
});

describe('an object that waits for its dependents', () => {
  /** Observes objects, each with the owners that it blocks; `deleting` are deleted in the foreground. */
  function observeAll(owners: Readonly<Record<string, readonly string[]>>, deleting: readonly string[]): void {
    for (const [name, of] of Object.entries(owners)) {
      const { metadata, ...rest } = object(name, of);
      const ownerReferences = metadata.ownerReferences?.map((one) => ({ ...one, blockOwnerDeletion: true }));
      const end = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] };
      graph.observe({ ...rest, metadata: { ...metadata, ownerReferences, ...(deleting.includes(name) ? end : {}) } });
    }
  }

  it.each([
    ['itself', { a: ['a'] }, ['a'], ['a']],
    ['another one in a circle', { a: ['b'], b: ['a'] }, ['a', 'b'], ['a', 'b']],
    ['one in a circle that is not deleted yet', { a: ['b'], b: ['a'] }, ['a'], []],
    ['one that waits for itself', { a: [], b: ['a', 'b'] }, ['a', 'b'], ['b']],
    ['one in a circle, and one that is not', { a: ['b'], b: ['a'], c: ['b'] }, ['a', 'b', 'c'], []],
    ['two circles that share it', { a: ['b', 'c'], b: ['a'], c: ['a'] }, ['a', 'b', 'c'], ['a', 'b', 'c']],
    ['nobody', { a: [], b: ['c'], c: [] }, ['a'], []],
  ])('waits only for itself: %s', (_, owners: Readonly<Record<string, readonly string[]>>, deleting, expected) => {
    observeAll(owners, deleting);
    const nodes = Object.keys(owners).filter((name) => {
      const node = graph.get(`${name}-uid`);
      return node !== undefined && waitsOnlyForItself(node);
    });
    expect(nodes).toEqual(expected);
  });
});

describe('JSON of objects that may matter to the collector', () => {
  const known = { size: 1, has: (uid: string) => uid === 'owner-uid' };
  const concerns = (one: object): boolean => mayConcern(known)(JSON.stringify({ type: 'ADDED', object: one }));

  it('has owners, waits for its dependents, or is known', () => {
    expect(concerns(object('child', ['other']))).toBe(true);
    expect(concerns({ metadata: { uid: 'a', finalizers: ['orphan'] } })).toBe(true);
    expect(concerns({ metadata: { uid: 'a', finalizers: ['foregroundDeletion'] } })).toBe(true);
    expect(concerns({ metadata: { uid: 'owner-uid' } })).toBe(true);
  });

  it('does not match other objects, whatever they say about owners', () => {
    const annotations = { note: '{"ownerReferences":[{"uid":"owner-uid"}]}' };
    expect(concerns({ metadata: { uid: 'a', annotations, finalizers: ['example.com/orphan'] } })).toBe(false);
  });

  it('keeps the metadata that matters', () => {
    const whole = object('a', ['b']);
    const labelled = { ...whole, kind: 'PartialObjectMetadata', metadata: { ...whole.metadata, labels: { a: 'b' } } };
    expect(relevantPart(labelled, kind)).toEqual(whole);
  });
});
