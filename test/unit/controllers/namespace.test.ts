import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  isNotFound,
  type Transport,
  type TransportRequest,
} from '../../../client/index.js';
import { defineNamespace } from '../../../controllers/index.js';
import { type RunningControllers, runControllers } from '../../../controllers/kit/index.js';
import { conditionsOf, isEmpty } from '../../../controllers/namespace.js';
import { customResourceDefinitions } from '../../../generated/apiextensions.platform.io/v1/index.js';
import { configMaps, type Namespace, namespaces, pods } from '../../../generated/core/v1/index.js';
import { type ListeningServer, startServing } from '../../support/serving.js';

const gadgets = defineResource<ApiObjectLike>()({
  group: 'example.com',
  version: 'v1',
  plural: 'gadgets',
  kind: 'Gadget',
  scope: 'Namespaced',
  subresources: [],
} as const);

let server: ListeningServer;
let running: RunningControllers;
/** Answers requests of the controller in place of the server, if it returns anything. */
let disturb: (request: TransportRequest) => { readonly code: number; readonly body: object } | undefined = () =>
  undefined;

beforeAll(async () => {
  server = await startServing({
    naming: 'kubernetes',
    controllers: 'none',
    disableAdmissionPlugins: ['ServiceAccount'],
  });
  const client = { ...disturbed(server.client()), retry: { retries: 0 } };
  running = runControllers([{ controller: defineNamespace(true), client }], { client, onProblem: () => {} });
}, 300_000);
afterAll(async () => {
  await running.stop();
  await server.stop();
});

function disturbed({ transport }: ClientOptions): { readonly transport: Transport } {
  return {
    transport: {
      send: async (request) => {
        const other = disturb(request);
        if (!transport) throw new Error('no transport');
        if (!other) return transport.send(request);
        const text = JSON.stringify(other.body);
        return { status: other.code, header: () => '', text: async () => text, chunks: async function* () {} };
      },
    },
  };
}

const all = () => createResourceClient(namespaces, server.client());
const inside = (name: string) => createResourceClient(configMaps, server.client()).in(name);

/** Polls for up to 20 s, because machines may be busy. */
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 20_000 });

async function get(name: string): Promise<Namespace | undefined> {
  try {
    return await all().get(name);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Returns the conditions of a namespace that are true, by their types, as `reason: message`. */
async function troubles(name: string): Promise<Record<string, string>> {
  const { conditions = [] } = (await get(name))?.status ?? {};
  return Object.fromEntries(
    conditions.flatMap(({ type, status, reason, message }) =>
      status === 'True' ? [[type, `${reason}: ${message}`]] : [],
    ),
  );
}

it('deletes objects of all kinds, also of one that is defined while it runs', async () => {
  await createResourceClient(customResourceDefinitions, server.client()).create({
    metadata: { name: 'gadgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  await all().create({ metadata: { name: 'whole' } });
  await inside('whole').create({ metadata: { name: 'map' } });
  const custom = createResourceClient(gadgets, server.client()).in('whole');
  await soon(() => custom.create({ metadata: { generateName: 'g-' } }).then(() => true)).toBe(true);
  await all().delete('whole');
  await soon(() => get('whole')).toBeUndefined();
  expect((await custom.list()).items).toEqual([]);
  expect((await inside('whole').list()).items).toEqual([]);
}, 60_000);

it('reports how many objects are left, and which finalizers hold them', async () => {
  await all().create({ metadata: { name: 'held' } });
  for (const name of ['one', 'two'])
    await inside('held').create({ metadata: { name, finalizers: ['test/b', 'test/a'] } });
  await createResourceClient(gadgets, server.client())
    .in('held')
    .create({ metadata: { name: 'g', finalizers: ['test/a'] } });
  await all().delete('held');
  await soon(() => troubles('held')).toEqual({
    NamespaceContentRemaining:
      'SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource instances, gadgets.example.com has 1 resource instances',
    NamespaceFinalizersRemaining:
      'SomeFinalizersRemain: Some content in the namespace has finalizers remaining: test/a in 3 resource instances, test/b in 2 resource instances',
  });
  expect((await get('held'))?.status?.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
    'NamespaceDeletionDiscoveryFailure False',
    'NamespaceDeletionGroupVersionParsingFailure False',
    'NamespaceDeletionContentFailure False',
    'NamespaceContentRemaining True',
    'NamespaceFinalizersRemaining True',
  ]);
  for (const name of ['one', 'two']) await inside('held').patch(name, { metadata: { finalizers: null } });
  await soon(() => troubles('held')).toMatchObject({
    NamespaceContentRemaining:
      'SomeResourcesRemain: Some resources are remaining: gadgets.example.com has 1 resource instances',
  });
  await createResourceClient(gadgets, server.client())
    .in('held')
    .patch('g', { metadata: { finalizers: null } });
  await soon(() => get('held')).toBeUndefined();
}, 60_000);

it('keeps everything else until its pods are gone', async () => {
  await all().create({ metadata: { name: 'busy' } });
  await inside('busy').create({ metadata: { name: 'map' } });
  const busy = createResourceClient(pods, server.client()).in('busy');
  await busy.create({
    metadata: { name: 'p', finalizers: ['test/a'] },
    spec: { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0 },
  });
  await all().delete('busy');
  await soon(() => troubles('busy')).toMatchObject({
    NamespaceContentRemaining: 'SomeResourcesRemain: Some resources are remaining: pods. has 1 resource instances',
  });
  expect((await inside('busy').get('map')).metadata.deletionTimestamp).toBeUndefined();
  await busy.patch('p', { metadata: { finalizers: null } });
  await soon(() => get('busy')).toBeUndefined();
}, 60_000);

it('reports which kinds cannot be listed or deleted, and stays until they can', async () => {
  await all().create({ metadata: { name: 'broken' } });
  const failure = (code: number, message: string) => ({
    code,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message, reason: 'InternalError' },
  });
  disturb = ({ method, path }) => {
    if (path.startsWith('/apis/batch/v1')) return failure(500, 'batch is down');
    return method === 'DELETE' && path.includes('/secrets') ? failure(500, 'secrets are stuck') : undefined;
  };
  await all().delete('broken');
  await soon(() => troubles('broken')).toEqual({
    NamespaceDeletionDiscoveryFailure:
      'DiscoveryFailed: Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: batch/v1: batch is down',
    NamespaceDeletionContentFailure:
      'ContentDeletionFailed: Failed to delete all resource types, 1 remaining: secrets are stuck',
  });
  disturb = () => undefined;
  await soon(() => get('broken')).toBeUndefined();
}, 60_000);

it('is removed once it is empty, even if its conditions cannot be written, as on a full disk', async () => {
  await all().create({ metadata: { name: 'unwritten' } });
  await inside('unwritten').create({ metadata: { name: 'map' } });
  disturb = ({ path }) => {
    if (!path.endsWith('/namespaces/unwritten/status')) return undefined;
    const message = 'the change could not be stored: no space left on the device';
    return { code: 500, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 500, message } };
  };
  await all().delete('unwritten');
  await soon(() => get('unwritten')).toBeUndefined();
  disturb = () => undefined;
}, 60_000);

it('waits for its own finalizers from others', async () => {
  await all().create({ metadata: { name: 'kept', finalizers: ['test/mine'] } });
  await all().delete('kept');
  await soon(async () => (await get('kept'))?.status?.conditions?.length).toBe(5);
  expect(await troubles('kept')).toEqual({});
  await all().patch('kept', { metadata: { finalizers: null } });
  await soon(() => get('kept')).toBeUndefined();
}, 60_000);

describe('conditions of a namespace that is deleted', () => {
  const nothing = { undiscovered: [], malformed: [], errors: [], objects: new Map(), finalizers: new Map() };
  const [early, late] = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z'];

  it('are false if nothing is left', () => {
    expect(isEmpty(nothing)).toBe(true);
    expect(conditionsOf(nothing, [], early).map(({ status, reason, message }) => [status, reason, message])).toEqual([
      ['False', 'ResourcesDiscovered', 'All resources successfully discovered'],
      ['False', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
      ['False', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
      ['False', 'ContentRemoved', 'All content successfully removed'],
      ['False', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    ]);
  });

  it('keep the time of their last change while the status is the same', () => {
    const before = conditionsOf({ ...nothing, objects: new Map([['pods.', 2]]) }, [], early);
    const after = conditionsOf({ ...nothing, objects: new Map([['pods.', 1]]) }, before, late);
    expect(after[3]).toMatchObject({ lastTransitionTime: early, message: expect.stringContaining('pods. has 1 ') });
    expect(conditionsOf(nothing, after, late)[3]).toMatchObject({ status: 'False', lastTransitionTime: late });
  });

  it('of other programs are kept', () => {
    const other = { type: 'Other', status: 'True' };
    expect(conditionsOf(nothing, [other], early)).toContainEqual(other);
  });

  it('report an invalid group version', () => {
    const malformed = { ...nothing, malformed: ['a/b/c'] };
    expect(isEmpty(malformed)).toBe(false);
    expect(conditionsOf(malformed, [], early)[1]).toMatchObject({
      status: 'True',
      reason: 'GroupVersionParsingFailed',
      message: 'unexpected GroupVersion string: a/b/c',
    });
  });
});
