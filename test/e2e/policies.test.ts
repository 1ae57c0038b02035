/** Admission policies hold on every server from the moment they are written, and from the first request after a restart. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../support/etcd.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';

const flags = [
  ...['--feature-gates', 'ValidatingAdmissionPolicy=true'],
  ...['--runtime-config', 'admissionregistration.platform.io/v1alpha1'],
];
const group = '/apis/admissionregistration.platform.io/v1alpha1';

/** Sends a write, and resolves to its code. */
async function send({ url }: ServeProcess, method: string, path: string, body?: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  await answer.arrayBuffer();
  return answer.status;
}

/** Forbids ConfigMaps of a name, as a policy of that name. */
async function forbid(server: ServeProcess, name: string): Promise<void> {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: `object.metadata.name != '${name}'` }],
  };
  expect(await send(server, 'POST', `${group}/validatingadmissionpolicies`, { metadata: { name }, spec })).toBe(201);
  const binding = { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } };
  expect(await send(server, 'POST', `${group}/validatingadmissionpolicybindings`, binding)).toBe(201);
}

const create = (server: ServeProcess, name: string): Promise<number> =>
  send(server, 'POST', '/api/v1/namespaces/default/configmaps?dryRun=All', { metadata: { name } });

describe('policies of a durable server', () => {
  it('are in force for the first write after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kindforge-policies-'));
    const start = (): Promise<ServeProcess> => startServe('--storage', `lmdb:${folder}`, ...flags);
    const first = await start();
    await forbid(first, 'unwanted');
    expect([await create(first, 'unwanted'), await create(first, 'wanted')]).toEqual([422, 201]);
    await first.kill();
    const second = await start();
    expect([await create(second, 'unwanted'), await create(second, 'wanted')]).toEqual([422, 201]);
    await second.kill();
    rmSync(folder, { recursive: true });
  }, 120_000);
});

describe.runIf(hasEtcd)(`policies of two servers over one ${etcdOrWhyNot}`, () => {
  let etcd: EtcdCluster;
  let servers: readonly ServeProcess[] = [];
  beforeAll(async () => {
    etcd = await startEtcd();
    const start = (): Promise<ServeProcess> =>
      startServe('--storage', `etcd:${etcd.endpoints.join(',')}?prefix=policies`, ...flags);
    servers = await Promise.all([start(), start()]);
  }, 120_000);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await etcd?.dispose();
  });

  it('are in force on the other for the next write', async () => {
    const [a, b] = servers;
    if (!a || !b) return expect(servers).toHaveLength(2);
    for (let round = 0; round < 10; round++) {
      const [writer, other] = round % 2 ? [a, b] : [b, a];
      const name = `unwanted-${round}`;
      expect(await create(other, name)).toBe(201);
      await forbid(writer, name);
      expect(await create(other, name)).toBe(422);
      expect(await send(other, 'DELETE', `${group}/validatingadmissionpolicybindings/${name}`)).toBe(200);
      expect(await create(writer, name)).toBe(201);
    }
  }, 120_000);
});
