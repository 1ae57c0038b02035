import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { type ApiObjectLike, createResourceClient, defineResource } from '../../../../client/index.js';
import { customResourceDefinitions } from '../../../../generated/apiextensions.platform.io/v1/index.js';
import { events, namespaces } from '../../../../generated/core/v1/index.js';
import { storageClasses } from '../../../../generated/storage.platform.io/v1/index.js';
import { OwnedObjects, ownerOf } from '../../../support/owned-objects.js';
import { servingForTests } from '../../../support/serving.js';

const server = servingForTests({ naming: 'kubernetes', controllers: 'garbagecollector' });
let objects: OwnedObjects;
beforeAll(() => {
  objects = new OwnedObjects(server().client());
});
beforeAll(async () => {
  for (const name of ['ns-a', 'ns-b'])
    await createResourceClient(namespaces, server().client()).create({ metadata: { name } });
  await objects.create('first', [absentOwner('none', 'none')]);
  while ((await objects.get('first')) !== undefined) await sleep(50);
});

/** Polls for up to 20 s: machines may be busy, and the first scan of all kinds takes a while. */
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 20_000 });

/** Waits long enough for the collector to make a mistake. */
const settled = (): Promise<void> => sleep(300);

const absentOwner = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid });

it('deletes dependents after their owner, and their dependents', async () => {
  const owner = await objects.create('back');
  const child = await objects.create('back-child', [ownerOf(owner)]);
  await objects.create('back-grandchild', [ownerOf(child)]);
  await settled();
  expect(await objects.names('back')).toEqual(['back', 'back-child', 'back-grandchild']);
  await objects.delete('back');
  await soon(() => objects.names('back')).toEqual([]);
}, 60_000);

it('deletes dependents before their owner in the foreground, if they block it', async () => {
  const owner = await objects.create('fore');
  const child = await objects.create('fore-child', [ownerOf(owner, { blockOwnerDeletion: true })], ['test/held']);
  await objects.create('fore-grandchild', [ownerOf(child, { blockOwnerDeletion: true })], ['test/held']);
  await objects.create('fore-loose', [ownerOf(owner)]);
  await objects.delete('fore', 'Foreground');
  await soon(async () => (await objects.get('fore-grandchild'))?.metadata.deletionTimestamp).toBeDefined();
  expect((await objects.get('fore'))?.metadata.finalizers).toEqual(['foregroundDeletion']);
  expect((await objects.get('fore-child'))?.metadata.finalizers).toEqual(['test/held', 'foregroundDeletion']);
  await objects.maps.patch('fore-grandchild', { metadata: { finalizers: null } });
  await soon(async () => (await objects.get('fore-child'))?.metadata.finalizers).toEqual(['test/held']);
  expect(await objects.get('fore')).toBeDefined();
  await objects.maps.patch('fore-child', { metadata: { finalizers: null } });
  await soon(() => objects.names('fore')).toEqual([]);
}, 60_000);

it('does not wait for dependents that do not block', async () => {
  const owner = await objects.create('quick');
  await objects.create('quick-child', [ownerOf(owner)], ['test/held']);
  await objects.delete('quick', 'Foreground');
  await soon(() => objects.get('quick')).toBeUndefined();
  await soon(async () => (await objects.get('quick-child'))?.metadata.deletionTimestamp).toBeDefined();
  await objects.maps.patch('quick-child', { metadata: { finalizers: null } });
}, 60_000);

it('continues once a dependent no longer blocks its owner', async () => {
  const owner = await objects.create('let');
  await objects.create('let-child', [ownerOf(owner, { blockOwnerDeletion: true })], ['test/held']);
  await objects.delete('let', 'Foreground');
  await settled();
  expect(await objects.get('let')).toBeDefined();
  await objects.maps.patch('let-child', { metadata: { ownerReferences: [ownerOf(owner)] } });
  await soon(() => objects.get('let')).toBeUndefined();
  await objects.maps.patch('let-child', { metadata: { finalizers: null } });
}, 60_000);

it('keeps dependents if the owner is deleted without them', async () => {
  const owner = await objects.create('orph');
  const other = await objects.create('orph-other');
  await objects.create('orph-child', [ownerOf(owner), ownerOf(other)]);
  await objects.create('orph-second', [ownerOf(owner, { blockOwnerDeletion: true })]);
  await objects.delete('orph', 'Orphan');
  await soon(() => objects.get('orph')).toBeUndefined();
  expect(await objects.owners('orph-child')).toEqual(['orph-other']);
  expect(await objects.owners('orph-second')).toEqual([]);
  await settled();
  expect(await objects.names('orph-')).toEqual(['orph-child', 'orph-other', 'orph-second']);
}, 60_000);

it('keeps a dependent that has another owner, and drops the reference to the removed one', async () => {
  const [one, two] = [await objects.create('two-one'), await objects.create('two-two')];
  await objects.create('two-child', [ownerOf(one), ownerOf(two)]);
  await objects.delete('two-one');
  await soon(() => objects.owners('two-child')).toEqual(['two-two']);
  await objects.delete('two-two');
  await soon(() => objects.get('two-child')).toBeUndefined();
}, 60_000);

it('drops the reference to an owner that waits, so that it does not wait for a dependent that stays', async () => {
  const [one, two] = [await objects.create('stay-one'), await objects.create('stay-two')];
  await objects.create('stay-child', [ownerOf(one, { blockOwnerDeletion: true }), ownerOf(two)]);
  await objects.delete('stay-one', 'Foreground');
  await soon(() => objects.get('stay-one')).toBeUndefined();
  expect(await objects.owners('stay-child')).toEqual(['stay-two']);
}, 60_000);

it('deletes objects with an owner that never existed, or with another owner of the same name', async () => {
  await objects.create('name');
  await objects.create('name-child', [absentOwner('name', 'no-such-uid')]);
  await objects.create('never-child', [absentOwner('never', 'no-such-uid-either')]);
  await soon(() => objects.names('never')).toEqual([]);
  await soon(() => objects.names('name')).toEqual(['name']);
}, 60_000);

it('deletes dependents in a circle, in the background and in the foreground', async () => {
  for (const policy of ['Background', 'Foreground'] as const) {
    const first = await objects.create('circle-a');
    const second = await objects.create('circle-b', [ownerOf(first, { blockOwnerDeletion: true })]);
    const third = await objects.create('circle-c', [ownerOf(second, { blockOwnerDeletion: true })]);
    await objects.maps.patch('circle-a', {
      metadata: { ownerReferences: [ownerOf(third, { blockOwnerDeletion: true })] },
    });
    await settled();
    expect(await objects.names('circle')).toHaveLength(3);
    await objects.delete('circle-a', policy);
    await soon(() => objects.names('circle')).toEqual([]);
  }
});

const blocking = { blockOwnerDeletion: true };

it.each(['Background', 'Foreground', 'Orphan'] as const)('deletes an object that owns itself: %s', async (policy) => {
  const self = await objects.create('self');
  await objects.maps.patch('self', { metadata: { ownerReferences: [ownerOf(self, blocking)] } });
  await objects.create('self-child', [ownerOf(self, blocking)]);
  await settled();
  expect(await objects.names('self')).toEqual(['self', 'self-child']);
  await objects.delete('self', policy);
  await soon(() => objects.names('self')).toEqual(policy === 'Orphan' ? ['self-child'] : []);
  if (policy === 'Orphan') await objects.delete('self-child');
});

it.each([1, 2, 3, 5])('deletes %s objects in a circle that are all deleted in the foreground', async (size) => {
  const names = Array.from({ length: size }, (_, index) => `ring-${index}`);
  const made = await Promise.all(names.map((name) => objects.create(name)));
  await Promise.all(
    made.map((owner, index) =>
      objects.maps.patch(names[(index + 1) % size] ?? '', {
        metadata: { ownerReferences: [ownerOf(owner, blocking)] },
      }),
    ),
  );
  const [owner] = made;
  if (owner) await objects.create('ring-held', [ownerOf(owner, blocking)], ['test/held']);
  await Promise.all(names.map((name) => objects.delete(name, 'Foreground')));
  await soon(async () => (await objects.get('ring-held'))?.metadata.deletionTimestamp).toBeDefined();
  await settled();
  // The objects that depend on one of them go first.
  expect(await objects.names('ring')).toEqual([...names, 'ring-held'].sort());
  await objects.maps.patch('ring-held', { metadata: { finalizers: null } });
  await soon(() => objects.names('ring')).toEqual([]);
});

const eventsAbout = async (namespace: string, name: string): Promise<string[]> => {
  const { items } = await createResourceClient(events, server().client()).in(namespace).list();
  return items.flatMap(({ reason, message, involvedObject }) =>
    involvedObject.name === name ? `${reason}: ${message}` : [],
  );
};

it('treats an owner of another namespace as absent, reports it, and keeps objects with other owners', async () => {
  const [a, b] = [new OwnedObjects(server().client(), 'ns-a'), new OwnedObjects(server().client(), 'ns-b')];
  const owner = await b.create('owner');
  await settled();
  await a.create('foreign', [ownerOf(owner)]);
  await b.create('own', [ownerOf(owner)]);
  await soon(() => a.get('foreign')).toBeUndefined();
  await expect
    .poll(() => eventsAbout('ns-a', 'foreign'))
    .toEqual([
      `OwnerRefInvalidNamespace: ownerRef [v1/ConfigMap, namespace: ns-a, name: owner, uid: ${owner.metadata.uid}] does not exist in namespace "ns-a"`,
    ]);
  await settled();
  expect(await b.names('ow')).toEqual(['own', 'owner']);
  await b.delete('owner');
  await soon(() => b.get('own')).toBeUndefined();
}, 60_000);

it('does not change a cluster-scoped object with an owner in a namespace, and reports it', async () => {
  const owner = await objects.create('cluster-owner');
  const client = createResourceClient(storageClasses, server().client());
  await client.create({ metadata: { name: 'owned', ownerReferences: [ownerOf(owner)] }, provisioner: 'example.com/p' });
  await soon(() => eventsAbout('default', 'owned')).toHaveLength(1);
  await objects.delete('cluster-owner');
  await settled();
  expect(await client.get('owned')).toMatchObject({ metadata: { name: 'owned' } });
}, 60_000);

it('deletes dependents of a cluster-scoped object in namespaces', async () => {
  const client = createResourceClient(storageClasses, server().client());
  const owner = await client.create({ metadata: { name: 'above' }, provisioner: 'example.com/p' });
  const reference = { ...ownerOf(owner), apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' };
  await objects.create('below', [reference]);
  await settled();
  expect(await objects.get('below')).toBeDefined();
  await client.delete('above');
  await soon(() => objects.get('below')).toBeUndefined();
});

const gadgets = defineResource<ApiObjectLike>()({
  group: 'example.com',
  version: 'v1',
  plural: 'gadgets',
  kind: 'Gadget',
  scope: 'Namespaced',
  subresources: [],
} as const);

it('waits for a kind that is defined after its dependent, and follows it from then on', async () => {
  await objects.create('early', [{ apiVersion: 'example.com/v1', kind: 'Gadget', name: 'g', uid: 'not-yet' }]);
  await settled();
  expect(await objects.get('early')).toBeDefined();
  await createResourceClient(customResourceDefinitions, server().client()).create({
    metadata: { name: 'gadgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  await soon(() => objects.get('early')).toBeUndefined();

  const client = createResourceClient(gadgets, server().client()).in('default');
  const gadget = await client.create({ metadata: { name: 'g' } });
  await objects.create('of-gadget', [ownerOf(gadget)]);
  const owner = await objects.create('of-map');
  await client.create({ metadata: { name: 'owned', ownerReferences: [ownerOf(owner)] } });
  await settled();
  expect(await objects.names('of-')).toEqual(['of-gadget', 'of-map']);
  await objects.delete('of-map');
  await soon(async () => (await client.list()).items.map(({ metadata }) => metadata.name)).toEqual(['g']);
  await client.delete('g');
  await soon(() => objects.get('of-gadget')).toBeUndefined();

  const last = await client.create({ metadata: { name: 'last' } });
  await objects.create('of-last', [ownerOf(last)]);
  await createResourceClient(customResourceDefinitions, server().client()).delete('gadgets.example.com');
  await soon(() => objects.get('of-last')).toBeUndefined();
}, 30_000);
