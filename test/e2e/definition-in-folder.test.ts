/** Moves the stored definition of a kind into a folder. The folder's definition counts, and the objects stay. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.js';
import { startServing } from '../support/serving.js';

const folder = scratchFolder();
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const lamps = '/apis/home.example.com/v1/lamps';
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lamps.home.example.com' },
  spec: {
    group: 'home.example.com',
    scope: 'Cluster',
    names: { plural: 'lamps', kind: 'Lamp' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

const code = async (method: string, url: string, body?: object): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method, ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }) })).status;
};

/** Sends a request until it gets the code. */
async function eventually(expected: number, method: string, url: string, body?: object): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    if ((await code(method, url, body)) === expected) return;
    await sleep(20);
  }
  throw new Error(`${method} ${url} never answered ${expected}`);
}

it('keeps objects of a kind in a folder when the stored definition of the kind is deleted', async () => {
  const flags = { storage: `lmdb:${join(folder, 'data')}`, naming: 'kubernetes', allowEveryone: true } as const;
  const before = await startServing(flags);
  expect(await code('POST', before.url + definitions, definition)).toBe(201);
  const desk = { apiVersion: 'home.example.com/v1', kind: 'Lamp', metadata: { name: 'desk' } };
  await eventually(201, 'POST', before.url + lamps, desk);
  await before.stop();

  writeFileSync(join(folder, 'lamps.yaml'), JSON.stringify(definition));
  const after = await startServing({ ...flags, schemas: folder });
  expect(await code('DELETE', `${after.url}${definitions}/lamps.home.example.com`)).toBe(200);
  await eventually(404, 'GET', `${after.url}${definitions}/lamps.home.example.com`);
  expect(await code('GET', `${after.url}${lamps}/desk`)).toBe(200);
  await after.stop();
});
