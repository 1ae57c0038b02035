/**
 * Definitions that request the same names at the same time, from two servers over one etcd. Both servers give them to
 * the same definition.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isArray, isObject, objectAt } from '../../runtime/objects/guards.js';
import { type EtcdCluster, etcdOrWhyNot, hasEtcd, startEtcd } from '../support/etcd.js';
import { type ListeningServer, startServing } from '../support/serving.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Makes definitions of one group that claim each other's short name, singular and kind. */
const claiming = (group: string, plural: string, names: JsonObject): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { plural, ...names },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

async function ask(server: ListeningServer, method: string, path: string, body?: JsonObject): Promise<JsonObject> {
  const answer = await fetch(server.url + path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const said = await answer.text();
  return said.startsWith('{') ? JSON.parse(said) : {};
}

/** Returns the conditions of a definition, by their types. */
async function conditions(server: ListeningServer, name: string): Promise<Readonly<Record<string, unknown>>> {
  const { conditions: all } = objectAt(await ask(server, 'GET', `${definitions}/${name}`), 'status') ?? {};
  return Object.fromEntries((isArray(all) ? all.filter(isObject) : []).map(({ type, status }) => [type, status]));
}

async function decided(server: ListeningServer, name: string): Promise<Readonly<Record<string, unknown>>> {
  for (let tries = 0; tries < 500; tries++) {
    const said = await conditions(server, name);
    if (said.Established !== undefined) return said;
    await sleep(10);
  }
  throw new Error(`nobody has decided on ${name}`);
}

describe.runIf(hasEtcd)(`two servers over one ${etcdOrWhyNot}`, () => {
  let etcd: EtcdCluster;
  let a: ListeningServer;
  let b: ListeningServer;
  const flags = () => ({ naming: 'kubernetes', storage: `etcd:${etcd.endpoints.join(',')}?prefix=names` }) as const;
  beforeAll(async () => {
    etcd = await startEtcd();
    a = await startServing(flags());
    b = await startServing(flags());
  });
  afterAll(async () => {
    await Promise.all([a?.stop(), b?.stop()]);
    await etcd?.dispose();
  });

  it('accept names for one definition', async () => {
    for (let round = 0; round < 6; round++) {
      const group = `r${round}.example.com`;
      const pair = [
        claiming(group, 'cups', { kind: 'Cup', shortNames: ['c'] }),
        claiming(group, 'cans', { kind: 'Can', shortNames: ['c'] }),
      ];
      const [first, second] = round % 2 ? [a, b] : [b, a];
      await Promise.all(pair.map((each, i) => ask(i === 0 ? first : second, 'POST', definitions, each)));
      const names = ['cups', 'cans'].map((plural) => `${plural}.${group}`);
      const said = await Promise.all(names.map((name) => decided(a, name)));
      expect(said.map(({ NamesAccepted, Established }) => [NamesAccepted, Established]).sort()).toEqual([
        ['False', 'False'],
        ['True', 'True'],
      ]);
      for (const server of [a, b]) {
        expect(await Promise.all(names.map((name) => conditions(server, name)))).toEqual(said);
        const { resources } = await ask(server, 'GET', `/apis/${group}/v1`);
        expect(resources).toHaveLength(1);
      }
    }
  });

  it('give a released name to the same waiting definition, whatever order they read them in', async () => {
    for (let round = 0; round < 3; round++) {
      const group = `free${round}.example.com`;
      await ask(a, 'POST', definitions, claiming(group, 'mugs', { kind: 'Mug', shortNames: ['m'] }));
      await decided(a, `mugs.${group}`);
      const kinds = { vats: 'Vat', pots: 'Pot', jugs: 'Jug' };
      const waiting = Object.keys(kinds).map((plural) => `${plural}.${group}`);
      for (const [plural, kind] of Object.entries(kinds)) {
        await ask(a, 'POST', definitions, claiming(group, plural, { kind, shortNames: ['m'] }));
      }
      for (const name of waiting) expect((await decided(a, name)).Established).toBe('False');
      // One server learns of them in the order of their names, the other in the order of their creation.
      await b.stop();
      b = await startServing(flags());
      await ask(b, 'DELETE', `${definitions}/mugs.${group}`);
      const established = async (server: ListeningServer): Promise<number> => {
        const all = await Promise.all(waiting.map((name) => conditions(server, name)));
        return all.filter(({ Established }) => Established === 'True').length;
      };
      for (let tries = 0; (await established(a)) === 0 && tries < 500; tries++) await sleep(10);
      await sleep(300);
      expect([await established(a), await established(b)]).toEqual([1, 1]);
    }
  });
});
