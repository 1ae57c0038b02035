/** Controllers of releases after 1.27 against a server of the latest one. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { oldestOf, strategyOf } from '../../../controllers/coordinated-leases.js';
import { defineStorageMigration, defineTrustBundlePublishing } from '../../../controllers/index.js';
import { runControllers } from '../../../controllers/kit/index.js';
import { isNeeded } from '../../../controllers/service-blocks.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import { checkOptions } from '../../../server/check-options.js';
import { type Answer, ask } from '../../support/ask.js';
import { makeAuthority, makeServerCertificate } from '../../support/certificates.js';
import { servingForTests } from '../../support/serving.js';

const running = servingForTests({
  naming: 'kubernetes',
  emulatedVersion: 'latest',
  featureGates: 'ClusterTrustBundle=true,CoordinatedLeaderElection=true',
  serviceClusterIpRange: '10.0.0.0/29',
  coordinatedLeadershipLeaseDuration: '2s',
  coordinatedLeadershipRenewDeadline: '1s',
  coordinatedLeadershipRetryPeriod: '200ms',
});

const blocks = '/apis/networking.k8s.io/v1/servicecidrs';
const services = '/api/v1/namespaces/default/services';
const addressOf = ({ body }: Answer): string => stringAt(objectAt(body, 'spec'), 'clusterIP');
const readyOf = async (name: string): Promise<unknown> => {
  const { body } = await ask(running(), 'GET', `${blocks}/${name}`);
  const [ready] = objectsAt(objectAt(body, 'status'), 'conditions');
  return ready && [ready.status, ready.reason];
};

it('gives services addresses of every block, and keeps a block while they have them', async () => {
  const service = (name: string, more = {}) =>
    ask(running(), 'POST', services, { metadata: { name }, spec: { ports: [{ port: 80 }], ...more } });
  const early = await service('early', { clusterIP: '10.1.0.9' });
  expect([early.code, stringAt(early.body, 'message')]).toEqual([
    422,
    expect.stringContaining('failed to allocate IP 10.1.0.9: the provided network does not match the current range'),
  ]);
  await ask(running(), 'POST', blocks, { metadata: { name: 'more' }, spec: { cidrs: ['10.1.0.0/28'] } });
  await expect.poll(() => readyOf('more')).toEqual(['True', '']);
  expect((await service('asked', { clusterIP: '10.1.0.9' })).code).toBe(201);
  // The block of the server has six addresses, and its own service has the first.
  const given = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => service(name)));
  expect(given.filter((one) => addressOf(one).startsWith('10.1.0.'))).toHaveLength(1);

  await ask(running(), 'DELETE', `${blocks}/more`);
  await expect.poll(() => readyOf('more')).toEqual(['False', 'Terminating']);
  expect((await service('late', { clusterIP: '10.1.0.10' })).code).toBe(422);
}, 120_000);

it('keeps a block if an address is in no other', () => {
  const block = (...cidrs: string[]) => ({ apiVersion: '', kind: '', metadata: {}, spec: { cidrs } });
  const own = block('10.1.0.0/24');
  expect(isNeeded(own, [], ['10.2.0.1'])).toBe(false);
  expect(isNeeded(own, [], ['10.1.0.1'])).toBe(true);
  expect(isNeeded(own, [block('10.1.0.0/25')], ['10.1.0.1'])).toBe(false);
  expect(isNeeded(own, [block('10.1.0.0/25')], ['10.1.0.200'])).toBe(true);
  expect(isNeeded(own, [block('10.0.0.0/8')], ['10.1.0.200'])).toBe(false);
});

it('publishes the certificates of the server, and replaces the bundle when they change', async () => {
  const group = 'certificates.k8s.io';
  const version = 'v1beta1';
  const bundles = `/apis/${group}/${version}/clustertrustbundles`;
  let trusted = await makeAuthority();
  const options = { group, version, signerName: 'kubernetes.io/kube-apiserver-serving' };
  const published = async (): Promise<string[]> =>
    objectsAt((await ask(running(), 'GET', bundles)).body, 'items').map((one) =>
      stringAt(objectAt(one, 'metadata'), 'name'),
    );
  const publish = async (): Promise<void> => {
    const client = running().client();
    // The server's own certificate signs no others, and is left out.
    const { cert } = await makeServerCertificate();
    const controller = defineTrustBundlePublishing({ ...options, trusted: () => `${cert}\n${trusted}` });
    const publishing = runControllers([{ controller, client }], { client, onProblem: () => {} });
    const hash = createHash('sha256').update(trusted).digest('hex').slice(0, 24);
    await expect.poll(published).toEqual([`kubernetes.io:kube-apiserver-serving:${hash}`]);
    await publishing.stop();
  };
  await publish();
  trusted = await makeAuthority();
  await publish();
}, 120_000);

it('keeps a class of volume attributes while a claim names it', async () => {
  const classes = '/apis/storage.k8s.io/v1/volumeattributesclasses';
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  const made = await ask(running(), 'POST', classes, {
    metadata: { name: 'fast' },
    driverName: 'a.b',
    parameters: { a: 'b' },
  });
  expect(made.code).toBe(201);
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await ask(running(), 'POST', claims, {
    metadata: { name: 'c' },
    spec: { ...spec, volumeAttributesClassName: 'fast' },
  });
  const finalizers = async () =>
    objectAt((await ask(running(), 'GET', `${classes}/fast`)).body, 'metadata')?.finalizers;
  await expect.poll(finalizers).toEqual(['kubernetes.io/vac-protection']);
  await ask(running(), 'DELETE', `${classes}/fast`);
  expect((await ask(running(), 'GET', `${classes}/fast`)).code).toBe(200);
  await ask(running(), 'DELETE', `${claims}/c`);
  await expect.poll(async () => (await ask(running(), 'GET', `${classes}/fast`)).code).toBe(404);
}, 120_000);

it('carries out migrations in v1beta1, with the conditions of that version', async () => {
  // The kind has this shape, under a name of its own.
  const group = 'migrate.example.com';
  const names = { plural: 'storageversionmigrations', kind: 'StorageVersionMigration' };
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const version = { name: 'v1beta1', served: true, storage: true, subresources: { status: {} } };
  await ask(running(), 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, names, scope: 'Cluster', versions: [{ ...version, schema: { openAPIV3Schema: open } }] },
  });
  const migrations = `/apis/${group}/v1beta1/${names.plural}`;
  await expect.poll(async () => (await ask(running(), 'GET', migrations)).code).toBe(200);
  const client = running().client();
  const controller = defineStorageMigration(group, 'v1beta1');
  const migrating = runControllers([{ controller, client }], { client, onProblem: () => {} });
  const spec = { resource: { group: '', resource: 'namespaces' } };
  const migration = { apiVersion: `${group}/v1beta1`, kind: names.kind, metadata: { name: 'm' }, spec };
  expect((await ask(running(), 'POST', migrations, migration)).code).toBe(201);
  const ended = async () =>
    objectsAt(objectAt((await ask(running(), 'GET', `${migrations}/m`)).body, 'status'), 'conditions').find(
      ({ type }) => type === 'Succeeded',
    );
  await expect.poll(ended).toMatchObject({ status: 'True', lastTransitionTime: expect.stringMatching(/Z$/) });
  await migrating.stop();
}, 120_000);

describe('a lease with candidates', () => {
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  const candidates = '/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates';
  const candidate = (
    name: string,
    emulationVersion: string,
    binaryVersion = '1.36.0',
    strategy = 'OldestEmulationVersion',
  ) => ({
    apiVersion: 'coordination.k8s.io/v1beta1',
    kind: 'LeaseCandidate',
    metadata: { name },
    spec: { leaseName: 'work', emulationVersion, binaryVersion, strategy, renewTime: now() },
  });
  const now = (): string => new Date().toISOString().replace('Z', '000Z');
  const specOf = async (path: string) => objectAt((await ask(running(), 'GET', path)).body, 'spec');

  it('gets the oldest one as its holder, and names an older one that comes later', async () => {
    await ask(running(), 'POST', candidates, candidate('late', '1.36.0'));
    await expect.poll(async () => (await specOf(`${leases}/work`))?.holderIdentity).toBe('late');
    expect(await specOf(`${leases}/work`)).toMatchObject({
      strategy: 'OldestEmulationVersion',
      leaseDurationSeconds: 15,
    });
    await ask(running(), 'POST', candidates, candidate('early', '1.35.0'));
    await expect.poll(async () => (await specOf(`${leases}/work`))?.preferredHolder).toBe('early');
    // The holder releases the lease.
    const given = { spec: { holderIdentity: '', preferredHolder: null, strategy: null } };
    expect((await ask(running(), 'PATCH', `${leases}/work`, given)).code).toBe(200);
    await ask(running(), 'PATCH', `${candidates}/early`, { spec: { renewTime: now() } });
    await expect.poll(async () => (await specOf(`${leases}/work`))?.holderIdentity).toBe('early');
  }, 120_000);

  it('gets its holder from the server that leads the servers', async () => {
    const ofServers = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/leader-election-controller';
    const found = objectAt((await ask(running(), 'GET', ofServers)).body, 'spec');
    expect(found).toMatchObject({ leaseDurationSeconds: 2, holderIdentity: expect.stringMatching(/./) });
    const renewTime = now();
    const taken = { spec: { holderIdentity: 'other', acquireTime: renewTime, renewTime } };
    expect((await ask(running(), 'PATCH', ofServers, taken)).code).toBe(200);
    await sleep(500);
    const own = candidate('own', '1.36.0');
    const second = { ...own, spec: { ...own.spec, leaseName: 'second' } };
    await ask(running(), 'POST', candidates, second);
    await sleep(500);
    expect((await ask(running(), 'GET', `${leases}/second`)).code).toBe(404);
    // The other server renews nothing.
    await expect.poll(async () => (await specOf(`${leases}/second`))?.holderIdentity).toBe('own');
    expect((await specOf(ofServers))?.holderIdentity).toBe(found?.holderIdentity);
  }, 120_000);

  it.each([
    [{ durationMs: 9000 }, 'durationMs 9000: must be longer than the renew deadline'],
    [{ renewDeadlineMs: 2400 }, 'renewDeadlineMs 2400: must be more than 1.2 retry periods'],
    [{ retryMs: 0 }, 'retryMs 0: must be at least a millisecond'],
    [{ durationMs: 900, renewDeadlineMs: 500, retryMs: 100 }, 'durationMs 900: must be from a second to a day'],
  ])('cannot have servers with the times %j', (coordinatedLeadership, problem) => {
    expect(() => checkOptions({ coordinatedLeadership })).toThrow(`coordinatedLeadership.${problem}`);
  });

  it('has the strategy of the latest programs, if they agree', () => {
    expect(strategyOf([candidate('a', '1.35.0', '1.36.0', 'x'), candidate('b', '1.35.0', '1.35.0', 'y')])).toBe('x');
    expect(
      strategyOf([candidate('a', '1.35.0', '1.36.0', 'x'), candidate('b', '1.35.0', '1.36.0', 'y')]),
    ).toBeUndefined();
  });

  it('prefers the oldest emulated version, then the oldest program', () => {
    const all = [candidate('a', '1.10.0'), candidate('b', '1.9.0', '1.10.0'), candidate('c', '1.9.0', '1.9.0')];
    expect(oldestOf(all)?.metadata.name).toBe('c');
    expect(oldestOf([candidate('a', 'new')])).toBeUndefined();
  });
});
