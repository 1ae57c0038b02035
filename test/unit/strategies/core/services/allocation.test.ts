import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, Store } from '../../../../../runtime/contract/index.js';
import { isArray, isObject, isStringArray, objectAt } from '../../../../../runtime/objects/guards.js';
import { parseIpRange } from '../../../../../runtime/objects/ip-address.js';
import { platformNaming } from '../../../../../runtime/objects/names/naming.js';
import { openEtcdStore } from '../../../../../runtime/storage/etcd/index.js';
import { type EmbeddedStore, memoryBackend, openStore } from '../../../../../runtime/storage/index.js';
import { addressRecordsGate, kindHandlers } from '../../../../../strategies/index.js';
import { registry } from '../../../../support/built-in-modules.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../../../../support/etcd.js';
import { everyVersion } from '../../../../support/kind-api.js';
import { sharedStore } from '../../../../support/shared-store.js';
import { keysOf, listed } from '../../../../support/store-objects.js';
import { type Reply, startTestApi } from '../../../../support/test-api.js';

type Send = (method: string, path: string, body?: unknown) => Promise<Reply>;

/**
 * Serves a store, with so few addresses and ports that a test can exhaust them. Paths are relative to the Services of
 * the namespace `default`. If `recorded` is set, each address has a record.
 */
async function serve(store: Store, recorded = false, blocks: readonly string[] = ['10.7.0.0/28']): Promise<Send> {
  const kinds = ['Service', 'Namespace', ...(recorded ? ['IPAddress'] : [])];
  const addresses = blocks.flatMap((text) => parseIpRange(text) ?? []);
  const serviceRanges = { addresses, nodePorts: { first: 30_000, last: 30_005 } };
  const { send } = await startTestApi(
    registry.filter(({ names }) => kinds.includes(names.kind)),
    {
      ...(recorded && { featureEnabled: (gate: string) => gate === addressRecordsGate, runtimeConfig: everyVersion }),
      store,
      handlers: kindHandlers(platformNaming, { serviceRanges }),
    },
  );
  return (method, path, body) => send(method, `/api/v1/namespaces/default/services${path}`, body);
}

const serviceNamed = (name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

function addressesIn({ body }: Reply): readonly string[] {
  const addresses = objectAt(body, 'spec')?.clusterIPs;
  return isStringArray(addresses) ? addresses : [];
}

/** Lists the node ports in an answer; 0 for a port without one. */
function nodePortsIn({ body }: Reply): readonly JsonValue[] {
  const ports = objectAt(body, 'spec')?.ports;
  return isArray(ports) ? ports.map((port) => (isObject(port) ? (port.nodePort ?? 0) : 0)) : [];
}

const messageOf = ({ body }: Reply): string => String(body.message);

const readAttributes = () => ({ labels: {}, fields: {} });
const everyAddress = Array.from({ length: 14 }, (_, i) => `10.7.0.${i + 1}`);

const createMany = async (senders: readonly Send[], count: number, spec = {}) =>
  Promise.all(
    Array.from({ length: count }, (_, i) => {
      const send = senders[i % senders.length];
      if (!send) throw new Error('no server');
      return send('POST', '', serviceNamed(`s${i}`, spec));
    }),
  );

describe('values of Services', () => {
  let store: EmbeddedStore;
  let send: Send;
  beforeEach(async () => {
    store = await openStore({ backend: memoryBackend(), readAttributes });
    send = await serve(store);
  });
  afterEach(() => store.close());

  it('are never given twice to concurrent requests', async () => {
    const replies = await createMany([send], 20);
    const given = replies.filter(({ code }) => code === 201).flatMap(addressesIn);
    expect(given.toSorted()).toEqual(everyAddress.toSorted());
    expect(replies.filter(({ code }) => code !== 201).map(messageOf)).toEqual(
      Array.from({ length: 6 }, () => 'Internal error occurred: failed to allocate a serviceIP: range is full'),
    );
  });

  it('are refused to all but one of several requests for the same', async () => {
    const replies = await createMany([send], 5, { clusterIP: '10.7.0.9' });
    expect(replies.map(({ code }) => code).toSorted()).toEqual([201, 422, 422, 422, 422]);
    expect(replies.filter(({ code }) => code === 422).map(messageOf)[0]).toMatch(
      /^Service "s\d" is invalid: spec\.clusterIPs: Invalid value: \[\]string\{"10\.7\.0\.9"\}: failed to allocate IP 10\.7\.0\.9: provided IP is already allocated$/,
    );
  });

  it('are free again when the Service is removed, or no longer needs them', async () => {
    await send('POST', '', serviceNamed('a', { clusterIP: '10.7.0.9' }));
    await send('DELETE', '/a');
    expect((await send('POST', '', serviceNamed('b', { clusterIP: '10.7.0.9' }))).code).toBe(201);
    const changed = await send('PATCH', '/b', { spec: { type: 'ExternalName', externalName: 'example.com' } });
    expect(changed.code).toBe(200);
    expect(addressesIn(changed)).toEqual([]);
    expect((await send('POST', '', serviceNamed('c', { clusterIP: '10.7.0.9' }))).code).toBe(201);
  });

  it('are neither taken nor released by a dry run', async () => {
    const dry = await send('POST', '?dryRun=All', serviceNamed('a', { clusterIP: '10.7.0.9', type: 'NodePort' }));
    expect(dry.code).toBe(201);
    expect(addressesIn(dry)).toEqual(['10.7.0.9']);
    expect((await send('POST', '', serviceNamed('b', { clusterIP: '10.7.0.9' }))).code).toBe(201);
    await send('DELETE', '/b?dryRun=All');
    expect((await send('POST', '', serviceNamed('c', { clusterIP: '10.7.0.9' }))).code).toBe(422);
  });

  it('are released by a write that is refused later', async () => {
    const bad = { clusterIP: '10.7.0.9', ports: [{ port: 0 }] };
    expect((await send('POST', '', serviceNamed('a', bad))).code).toBe(422);
    expect((await send('POST', '', serviceNamed('a', { clusterIP: '10.7.0.9' }))).code).toBe(201);
  });

  it('stay recorded if nobody knows whether the Service that holds them is stored', async () => {
    const shared = sharedStore(store);
    send = await serve(shared.store, true);
    shared.loseAnswer('services/default');
    expect((await send('POST', '', serviceNamed('a', { clusterIP: '10.7.0.9' }))).code).toBe(504);
    const recorded = () => keysOf(listed(store, 'networking.platform.io/ipaddresses/')).map((key) => key.slice(35));
    expect(recorded()).toEqual(['10.7.0.9']);
    expect((await send('POST', '', serviceNamed('b', { ports: [{ port: 0 }] }))).code).toBe(422);
    expect(recorded()).toEqual(['10.7.0.9']);
    const outside = { type: 'ExternalName', externalName: 'example.com' };
    expect((await send('POST', '', serviceNamed('c', outside))).code).toBe(201);
    shared.loseAnswer('services/default');
    expect((await send('PATCH', '/c', { spec: { type: 'ClusterIP', clusterIP: '10.7.0.8' } })).code).toBe(504);
    expect(recorded()).toEqual(['10.7.0.8', '10.7.0.9']);
  });

  it('are known to a server that has just started', async () => {
    await send('POST', '', serviceNamed('a', { clusterIP: '10.7.0.9', type: 'NodePort' }));
    const records = store.list('');
    if (typeof records === 'string') throw new Error(records);
    const later = await openStore({ backend: memoryBackend(), readAttributes });
    const objects = records.entries.map(({ key, bytes }) => {
      const [head = '', tail = ''] = Buffer.from(bytes)
        .toString()
        .split(/(?<="resourceVersion":")\d+/, 2);
      return { key, object: { text: head + tail, revisionAt: head.length, attributes: readAttributes() } };
    });
    await later.restore(objects, store.revision);
    const sendLater = await serve(later);
    expect((await sendLater('POST', '', serviceNamed('b', { clusterIP: '10.7.0.9' }))).code).toBe(422);
    const rest = await createMany([sendLater], 5, { type: 'NodePort' });
    expect(rest.map(({ code }) => code)).toEqual([201, 201, 201, 201, 201]);
    await later.close();
  });

  it('may be requested within the range only', async () => {
    const range = 'The range of valid IPs is 10.7.0.0/28';
    for (const address of ['10.7.0.0', '10.7.0.15', '10.8.0.1']) {
      const reply = await send('POST', '', serviceNamed('a', { clusterIP: address }));
      expect(messageOf(reply)).toContain(`the provided IP (${address}) is not in the valid range. ${range}`);
    }
    const port = await send('POST', '', serviceNamed('a', { type: 'NodePort', ports: [{ port: 1, nodePort: 80 }] }));
    expect(messageOf(port)).toBe(
      'Service "a" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. ' +
        'The range of valid ports is 30000-30005',
    );
  });

  it('include ports, one for each port, and the same for one number over several protocols', async () => {
    const ports = [
      { name: 'a', port: 53, protocol: 'UDP' },
      { name: 'b', port: 53, protocol: 'TCP' },
      { name: 'c', port: 80 },
    ];
    const reply = await send('POST', '', serviceNamed('a', { type: 'NodePort', ports }));
    expect(reply.code, messageOf(reply)).toBe(201);
    const [a, b, c] = nodePortsIn(reply);
    expect(a).toBe(b);
    expect(c).not.toBe(a);
    const same = { type: 'NodePort', ports: [{ port: 1, nodePort: a }] };
    const taken = await send('POST', '', serviceNamed('b', same));
    expect(messageOf(taken)).toBe(
      `Service "b" is invalid: spec.ports[0].nodePort: Invalid value: ${String(a)}: provided port is already allocated`,
    );
    await send('PATCH', '/a', { spec: { type: 'ClusterIP' } });
    expect((await send('POST', '', serviceNamed('b', same))).code).toBe(201);
  });

  it('are all different within one Service, until there are no more', async () => {
    const ports = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `p${i}`, port: i + 1 }));
    const three = await send('POST', '', serviceNamed('a', { type: 'NodePort', ports: ports(3) }));
    const six = await send('PATCH', '/a', { spec: { ports: ports(6) } });
    expect(new Set(nodePortsIn(six)).size).toBe(6);
    expect(nodePortsIn(six).slice(0, 3)).toEqual(nodePortsIn(three));
    const seven = await send('PATCH', '/a', { spec: { ports: ports(7) } });
    expect(messageOf(seven)).toBe('Internal error occurred: failed to allocate a nodePort: range is full');
  });

  it('stay when the client writes the same without them', async () => {
    const written = serviceNamed('a', { type: 'NodePort' });
    const created = await send('POST', '', written);
    expect((await send('PUT', '/a', written)).body).toEqual(created.body);
  });

  it('include a port for the health check of a load balancer', async () => {
    const balanced = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
    const reply = await send('POST', '', serviceNamed('a', balanced));
    const { healthCheckNodePort } = reply.body.spec as { healthCheckNodePort?: number };
    expect(healthCheckNodePort).toBeGreaterThanOrEqual(30_000);
    expect(nodePortsIn(reply)).not.toContain(healthCheckNodePort);
    const other = await send('POST', '', serviceNamed('b', { ...balanced, healthCheckNodePort }));
    expect(messageOf(other)).toContain('spec.healthCheckNodePort: Invalid value');
    const local = await send('PATCH', '/a', { spec: { externalTrafficPolicy: 'Cluster' } });
    expect((local.body.spec as { healthCheckNodePort?: number }).healthCheckNodePort).toBeUndefined();
  });
});

describe('Services of two families', () => {
  let store: EmbeddedStore;
  let send: Send;
  beforeEach(async () => {
    store = await openStore({ backend: memoryBackend(), readAttributes });
    send = await serve(store, false, ['10.7.0.0/28', 'fd00::/112']);
  });
  afterEach(() => store.close());

  it('have an address of each if they want both', async () => {
    const both = await send('POST', '', serviceNamed('a', { ipFamilyPolicy: 'PreferDualStack' }));
    expect(addressesIn(both)).toEqual([expect.stringMatching(/^10\.7\.0\./), expect.stringMatching(/^fd00::/)]);
    const one = await send('POST', '', serviceNamed('b', { ipFamilies: ['IPv6'] }));
    expect(addressesIn(one)).toEqual([expect.stringMatching(/^fd00::/)]);
  });

  it('get a second address and release it again', async () => {
    const created = await send('POST', '', serviceNamed('a'));
    const upgraded = await send('PATCH', '/a', { spec: { ipFamilyPolicy: 'RequireDualStack' } });
    expect(addressesIn(upgraded)).toEqual([...addressesIn(created), expect.stringMatching(/^fd00::/)]);
    const [, second] = addressesIn(upgraded);
    const back = await send('PATCH', '/a', { spec: { ipFamilyPolicy: 'SingleStack' } });
    expect(addressesIn(back)).toEqual(addressesIn(created));
    expect((await send('POST', '', serviceNamed('b', { clusterIP: second }))).code).toBe(201);
  });
});

describe.runIf(hasEtcd)(etcdOrWhyNot, () => {
  let etcd: EtcdCluster;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd.dispose());

  const open = (prefix: string) =>
    openEtcdStore({ endpoints: etcd.endpoints, prefix, readAttributes, compaction: false });

  it('two servers never allocate the same value', { timeout: 60_000 }, async () => {
    const stores = [await open('/two/'), await open('/two/')];
    const senders = await Promise.all(stores.map((store) => serve(store)));
    const replies = await createMany(senders, 24, { type: 'NodePort' });
    const created = replies.filter(({ code }) => code === 201);
    expect(created.length).toBeLessThanOrEqual(6);
    expect(new Set(created.flatMap(addressesIn)).size).toBe(created.length);
    expect(new Set(created.flatMap(nodePortsIn)).size).toBe(created.length);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('a claim that a server left behind fails the next one for a while, and no other', {
    timeout: 60_000,
  }, async () => {
    const [dead, alive] = [await open('/dead/'), await open('/dead/')];
    const head = '{"metadata":{"resourceVersion":"';
    const lock = { text: `${head}"}}`, revisionAt: head.length, attributes: { labels: {}, fields: {} } };
    await dead.commit({ key: '!claims/services/clusterIPs/10.7.0.9', expected: 0, next: lock });
    await dead.close();
    const send = await serve(alive);
    expect((await send('POST', '', serviceNamed('a', { clusterIP: '10.7.0.9' }))).code).toBe(422);
    expect((await createMany([send], 13)).map(({ code }) => code)).toEqual(Array.from({ length: 13 }, () => 201));
    await alive.close();
  });
});
