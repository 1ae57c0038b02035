import { expect, it } from 'vitest';
import { servingForTests } from '../../support/serving.js';

const running = servingForTests({ naming: 'kubernetes', controllers: 'none' });

async function ask(method: string, path: string, body?: object) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
  const answer = await fetch(`${running().url}/apis/${path}`, { method, ...init });
  return { code: answer.status, body: await answer.json() };
}

const definitions = 'apiextensions.k8s.io/v1/customresourcedefinitions';
const services = 'apiregistration.k8s.io/v1/apiservices';
const label = 'kube-aggregator.kubernetes.io/automanaged';

const schema = { openAPIV3Schema: { type: 'object' } };
const version = (name: string, more: object = {}) => ({ name, served: true, storage: false, schema, ...more });
const define = async (plural: string, group: string, ...versions: object[]): Promise<void> => {
  const kind = plural.slice(0, 1).toUpperCase() + plural.slice(1, -1);
  const spec = { group, scope: 'Cluster', names: { plural, kind }, versions };
  expect((await ask('POST', definitions, { metadata: { name: `${plural}.${group}` }, spec })).code).toBe(201);
};
const service = async (name: string) => (await ask('GET', `${services}/${name}`)).body;
const exists = async (name: string): Promise<boolean> => (await ask('GET', `${services}/${name}`)).code === 200;

it('come with each served version, available at once, and with a priority after built-in ones', async () => {
  await define('widgets', 'shop.example.com', version('v1', { storage: true }), version('v2', { served: false }));
  await expect
    .poll(() => service('v1.shop.example.com'))
    .toMatchObject({
      metadata: { labels: { [label]: 'true' } },
      spec: { group: 'shop.example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 },
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
    });
  expect(await exists('v2.shop.example.com')).toBe(false);
});

it('follow the served versions of definitions, and stay while one of these is served', async () => {
  await define('gadgets', 'shop.example.com', version('v1', { storage: true }));
  const versions = [version('v1', { storage: true }), version('v2')];
  await ask('PATCH', `${definitions}/widgets.shop.example.com`, { spec: { versions } });
  await expect.poll(() => exists('v2.shop.example.com')).toBe(true);
  await ask('DELETE', `${definitions}/widgets.shop.example.com`);
  await expect.poll(() => exists('v2.shop.example.com')).toBe(false);
  expect(await exists('v1.shop.example.com')).toBe(true);
  await ask('DELETE', `${definitions}/gadgets.shop.example.com`);
  await expect.poll(() => exists('v1.shop.example.com')).toBe(false);
});

it('are restored, unless others have made them', async () => {
  const own = { group: 'other.example.com', version: 'v1', groupPriorityMinimum: 7, versionPriority: 7 };
  await ask('POST', services, { metadata: { name: 'v1.other.example.com' }, spec: own });
  await define('others', 'other.example.com', version('v1', { storage: true }));
  await define('things', 'thing.example.com', version('v1', { storage: true }));
  const name = 'v1.thing.example.com';
  await expect.poll(() => exists(name)).toBe(true);
  const { metadata } = await service(name);
  await ask('DELETE', `${services}/${name}`);
  await expect.poll(async () => (await service(name)).metadata?.uid ?? metadata.uid).not.toBe(metadata.uid);
  await ask('PATCH', `${services}/${name}`, { spec: { versionPriority: 1 } });
  await expect.poll(async () => (await service(name)).spec.versionPriority).toBe(100);
  expect((await service('v1.other.example.com')).spec).toEqual(own);
});
