import { expect, it } from 'vitest';
import type { CollectionEvent, ObjectChange } from '../../../../client/cache/collection-events.js';
import { ObjectState } from '../../../../client/cache/object-state.js';
import type { ApiObjectLike } from '../../../../client/index.js';

const object = (name: string, resourceVersion: string, uid = `uid of ${name}`): ApiObjectLike => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, resourceVersion, uid },
});

const inShort = (change: ObjectChange): string =>
  `${change.type} ${change.object.metadata.name} ${change.object.metadata.resourceVersion}`;

/** Makes a state that was listed at a revision. */
function listed(revision: string, ...objects: ApiObjectLike[]) {
  const state = new ObjectState<ApiObjectLike>();
  const tell = (told: CollectionEvent<ApiObjectLike>): string[] => [...state.apply(told)].map(inShort);
  const list = (at: string, ...items: ApiObjectLike[]): string[] => [
    ...tell({ type: 'begin' }),
    ...items.flatMap((item) => tell({ type: 'object', object: item })),
    ...tell({ type: 'listed', revision: at }),
  ];
  list(revision, ...objects);
  return {
    tell,
    list,
    learn: (one: ApiObjectLike) => [...state.learn(one)].map(inShort),
    learnAbsent: (key: string, at: string) => [...state.learnAbsent(key, at)].map(inShort),
    revisions: () => [...state.objects.values()].map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`),
  };
}

it('reports a write once, whether its answer or the watch comes first', () => {
  const state = listed('5', object('a', '5'));
  expect(state.learn(object('a', '7'))).toEqual(['changed a 7']);
  expect(state.tell({ type: 'object', object: object('a', '6') })).toEqual([]);
  expect(state.tell({ type: 'object', object: object('a', '7') })).toEqual([]);
  expect(state.tell({ type: 'object', object: object('a', '10') })).toEqual(['changed a 10']);
  expect(state.learn(object('a', '9'))).toEqual([]);
});

it('does not restore by an answer what the watch has reported as deleted', () => {
  const state = listed('5', object('a', '5'));
  expect(state.tell({ type: 'gone', object: object('a', '8') })).toEqual(['removed a 8']);
  expect(state.learn(object('a', '7'))).toEqual([]);
  expect(state.revisions()).toEqual([]);
});

it('keeps objects written after a listing, and drops objects that the listing does not have', () => {
  const state = listed('5', object('a', '3'), object('gone', '4'));
  state.learn(object('new', '12'));
  expect(state.list('10', object('a', '3'))).toEqual(['removed gone 4']);
  expect(state.revisions()).toEqual(['a 3', 'new 12']);
});

it('does not add an object again that was found absent, until a later one is reported', () => {
  const state = listed('5', object('a', '5'));
  expect(state.learnAbsent('a', '9')).toEqual(['removed a 5']);
  expect(state.tell({ type: 'object', object: object('a', '7') })).toEqual([]);
  expect(state.tell({ type: 'gone', object: object('a', '8') })).toEqual([]);
  expect(state.tell({ type: 'object', object: object('a', '10', 'another') })).toEqual(['added a 10']);
});

it('reports the end of an object when another one has its name by now', () => {
  const state = listed('5', object('a', '5'));
  expect(state.tell({ type: 'object', object: object('a', '9', 'another') })).toEqual(['removed a 5', 'added a 9']);
});

it('compares revisions that are wider than numbers', () => {
  const state = listed('9007199254740993', object('a', '9007199254740993'));
  expect(state.tell({ type: 'object', object: object('a', '9007199254740992') })).toEqual([]);
  expect(state.tell({ type: 'object', object: object('a', '10000000000000000') })).toHaveLength(1);
});
