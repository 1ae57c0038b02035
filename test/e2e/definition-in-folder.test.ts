/** Moves the stored definition of a kind into a folder. The folder's definition counts, and the objects stay. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ask } from '../support/ask.js';
import { eventually } from '../support/eventually.js';
import { customResource } from '../support/kinds.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { startServing } from '../support/serving.js';

const folder = scratchFolder();
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const own = `${definitions}/lamps.home.example.com`;
const lamps = '/apis/home.example.com/v1/lamps';
const definition = customResource({ kind: 'Lamp', group: 'home.example.com', scope: 'Cluster' });

const code = async (url: string, method: string, path: string, body?: object): Promise<number> =>
  (await ask({ url }, method, path, body)).code;

it('keeps objects of a kind in a folder when the stored definition of the kind is deleted', async () => {
  const flags = { storage: `lmdb:${join(folder, 'data')}`, naming: 'kubernetes', allowEveryone: true } as const;
  const before = await startServing(flags);
  expect(await code(before.url, 'POST', definitions, definition)).toBe(201);
  const desk = { apiVersion: 'home.example.com/v1', kind: 'Lamp', metadata: { name: 'desk' } };
  await eventually(async () => expect(await code(before.url, 'POST', lamps, desk)).toBe(201));
  await before.stop();

  writeFileSync(join(folder, 'lamps.yaml'), JSON.stringify(definition));
  const after = await startServing({ ...flags, schemas: folder });
  expect(await code(after.url, 'DELETE', own)).toBe(200);
  await eventually(async () => expect(await code(after.url, 'GET', own)).toBe(404));
  expect(await code(after.url, 'GET', `${lamps}/desk`)).toBe(200);
  await after.stop();
});
