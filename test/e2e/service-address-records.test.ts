/** IPAddress objects that record which Service has which address, with their gate and without it. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { type Answer, ask } from '../support/ask.js';
import { testFolder } from '../support/scratch-folder.js';
import { type ListeningServer, type ServingFlags, startServing } from '../support/serving.js';

const services = '/api/v1/namespaces/default/services';
const addresses = '/apis/networking.k8s.io/v1alpha1/ipaddresses';

const recorded: ServingFlags = {
  naming: 'kubernetes',
  controllers: 'none',
  featureGates: 'MultiCIDRServiceAllocator=true',
  runtimeConfig: 'networking.k8s.io/v1alpha1/ipaddresses=true',
  serviceClusterIpRange: '10.9.0.0/27,fd00:9::/112',
};

const service = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

const address = (name: string, parentRef: JsonObject): JsonObject => ({ metadata: { name }, spec: { parentRef } });

const messageOf = ({ body }: Answer): string => stringAt(body, 'message');

/** Returns the names of the records, each with its owner. */
async function holders(running: ListeningServer): Promise<Record<string, string>> {
  const { items } = (await ask(running, 'GET', addresses)).body;
  const records = isArray(items) ? items.filter(isObject) : [];
  return Object.fromEntries(
    records.map((record) => [
      stringAt(objectAt(record, 'metadata'), 'name'),
      stringAt(objectAt(objectAt(record, 'spec'), 'parentRef'), 'name'),
    ]),
  );
}

describe('with the gate, addresses of Services', () => {
  let running: ListeningServer;
  beforeAll(async () => {
    running = await startServing(recorded);
  }, 300_000);
  afterAll(() => running.stop());

  it('are recorded, including the addresses of the first start', async () => {
    expect(await holders(running)).toEqual({ '10.9.0.1': 'kubernetes' });
    const clusterIPs = ['10.9.0.20', 'fd00:9::20'];
    const spec = { ipFamilyPolicy: 'RequireDualStack', clusterIP: '10.9.0.20', clusterIPs };
    const created = await ask(running, 'POST', services, service('two', spec));
    expect(created.code).toBe(201);
    const { metadata, spec: said } = (await ask(running, 'GET', `${addresses}/fd00:9::20`)).body;
    expect(isObject(metadata) && metadata.labels).toEqual({
      'ipaddress.kubernetes.io/ip-family': 'IPv6',
      'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
    });
    const { uid } = objectAt(created.body, 'metadata') ?? {};
    expect(said).toEqual({ parentRef: { resource: 'services', namespace: 'default', name: 'two', uid } });
    expect(await holders(running)).toMatchObject({ '10.9.0.20': 'two', 'fd00:9::20': 'two' });
  });

  it('are free again after the Service is deleted, or releases them', async () => {
    await ask(running, 'POST', services, service('leaving', { clusterIP: '10.9.0.21' }));
    await ask(running, 'DELETE', `${services}/leaving`);
    await ask(running, 'POST', services, service('renamed', { clusterIP: '10.9.0.22' }));
    const externally = { type: 'ExternalName', externalName: 'a.example.com', clusterIP: null, clusterIPs: null };
    expect((await ask(running, 'PATCH', `${services}/renamed`, { spec: externally })).code).toBe(200);
    const held = await holders(running);
    expect([held['10.9.0.21'], held['10.9.0.22']]).toEqual([undefined, undefined]);
    expect((await ask(running, 'POST', services, service('next', { clusterIP: '10.9.0.22' }))).code).toBe(201);
  });

  it('do not wait for a finalizer that the last update removes', async () => {
    const held = { ...service('held', { clusterIP: '10.9.0.23' }), metadata: { name: 'held', finalizers: ['a.b/c'] } };
    await ask(running, 'POST', services, held);
    await ask(running, 'DELETE', `${services}/held`);
    expect((await holders(running))['10.9.0.23']).toBe('held');
    await ask(running, 'PATCH', `${services}/held`, { metadata: { finalizers: null } });
    expect((await holders(running))['10.9.0.23']).toBeUndefined();
  });

  it('are in use if another client has recorded them', async () => {
    await ask(running, 'POST', addresses, address('10.9.0.24', { group: 'a.b', resource: 'gateways', name: 'g' }));
    const refused = await ask(running, 'POST', services, service('late', { clusterIP: '10.9.0.24' }));
    expect([refused.code, messageOf(refused)]).toEqual([
      422,
      'Service "late" is invalid: spec.clusterIPs: Invalid value: []string{"10.9.0.24"}: failed to allocate IP 10.9.0.24: provided IP is already allocated',
    ]);
    const dry = await ask(running, 'POST', `${services}?dryRun=All`, service('late', { clusterIP: '10.9.0.24' }));
    expect(dry.code).toBe(422);
    expect((await holders(running))['10.9.0.24']).toBe('g');
  });

  it('leave no record after a refused Service or a dry run', async () => {
    const before = await holders(running);
    const wrong = await ask(running, 'POST', services, service('wrong', { clusterIP: '10.9.0.25', ports: [] }));
    expect(wrong.code).toBe(422);
    expect((await ask(running, 'POST', services, service('two', { clusterIP: '10.9.0.25' }))).code).toBe(409);
    expect((await ask(running, 'POST', `${services}?dryRun=All`, service('tried'))).code).toBe(201);
    expect(await holders(running)).toEqual(before);
  });

  it('are recorded once under concurrent creates, until none is free', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => ask(running, 'POST', services, service(`many-${i}`))),
    );
    const created = replies.filter(({ code }) => code === 201).map(({ body }) => body);
    expect(replies.filter(({ code }) => code !== 201).every(({ code }) => code === 500)).toBe(true);
    const held = await holders(running);
    for (const { metadata, spec } of created) {
      expect(held[isObject(spec) ? stringAt(spec, 'clusterIP') : '']).toBe(isObject(metadata) ? metadata.name : '');
    }
    // All 30 addresses of the block, and the IPv6 address.
    expect(Object.keys(held)).toHaveLength(31);
    expect((await ask(running, 'DELETE', services)).code).toBe(200);
    expect(Object.keys(await holders(running))).toEqual(['10.9.0.24']);
  });
});

describe('records of addresses', () => {
  it('have other names with the naming of the platform', { timeout: 60_000 }, async () => {
    const own = { runtimeConfig: 'networking.platform.io/v1alpha1/ipaddresses=true', naming: 'platform' };
    const running = await startServing({ ...recorded, ...own });
    onTestFinished(() => running.stop());
    const path = '/apis/networking.platform.io/v1alpha1/ipaddresses/10.9.0.1';
    const { metadata } = (await ask(running, 'GET', path)).body;
    expect(isObject(metadata) && metadata.labels).toEqual({
      'ipaddress.platform.io/ip-family': 'IPv4',
      'ipaddress.platform.io/managed-by': 'ipallocator.platform.io',
    });
  });

  it('are not kept without the gate, and are updated when the gate is on', { timeout: 300_000 }, async () => {
    const folder = testFolder();
    const flags: ServingFlags = { ...recorded, storage: `lmdb:${folder}` };
    const during = async <T>(changes: ServingFlags, use: (running: ListeningServer) => Promise<T>): Promise<T> => {
      const running = await startServing({ ...flags, ...changes });
      try {
        return await use(running);
      } finally {
        await running.stop();
      }
    };
    await during({ featureGates: '' }, async (running) => {
      expect((await ask(running, 'POST', services, service('early', { clusterIP: '10.9.0.9' }))).code).toBe(201);
      expect(await holders(running)).toEqual({});
      const labels = { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' };
      const parent = { resource: 'services', namespace: 'default', name: 'gone', uid: 'x' };
      const orphan = address('10.9.0.10', parent);
      await ask(running, 'POST', addresses, { ...orphan, metadata: { name: '10.9.0.10', labels } });
      await ask(running, 'POST', addresses, address('10.9.0.11', { ...parent, name: 'of-others' }));
      // Without the gate, the server does not check who has recorded an address.
      expect((await ask(running, 'POST', services, service('free', { clusterIP: '10.9.0.10' }))).code).toBe(201);
      await ask(running, 'DELETE', `${services}/free`);
    });
    await during({}, async (running) => {
      const all = { '10.9.0.1': 'kubernetes', '10.9.0.9': 'early', '10.9.0.11': 'of-others' };
      expect(await holders(running)).toEqual(all);
      await ask(running, 'DELETE', `${addresses}/10.9.0.9`);
    });
    await during({}, async (running) => expect((await holders(running))['10.9.0.9']).toBe('early'));
  });
});
