/** The file with the progress of a migration: for the same server, complete at any time, and removed at the end. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DiscoveredResource } from '../../../../client/index.js';
import { FlagError } from '../../../../server/maintenance/open-stores.js';
import { openPositions } from '../../../../server/maintenance/storage-jobs.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();

const resource = (plural: string): DiscoveredResource => ({
  group: 'example.com',
  version: 'v1',
  plural,
  kind: plural,
  scope: 'Namespaced',
  subresources: [],
  verbs: ['list', 'patch'],
  shortNames: [],
});

it('keeps the position of each resource, for the given server', async () => {
  const file = join(folder, 'kept.json');
  const first = await openPositions(file, 'http://a');
  expect(first.of(resource('cups'))).toBeUndefined();
  await Promise.all([
    first.save(resource('cups'), { mark: 'm', token: 't' }),
    first.save(resource('mugs'), { mark: 'm', token: '' }),
    first.save(resource('cups'), { mark: 'm', token: 'u' }),
  ]);
  const second = await openPositions(file, 'http://a');
  expect(second.of(resource('cups'))).toEqual({ mark: 'm', token: 'u' });
  expect(second.of(resource('mugs'))).toEqual({ mark: 'm', token: '' });
  expect((await openPositions(file, 'http://b')).of(resource('cups'))).toBeUndefined();
  expect(readdirSync(folder)).toEqual(['kept.json']);
  await second.end();
  expect(existsSync(file)).toBe(false);
});

it.each(['', '[]', '{"server":1}', 'not JSON'])('refuses %j, which is not a file of positions', async (text) => {
  const file = join(folder, 'other.json');
  writeFileSync(file, text);
  await expect(openPositions(file, 'http://a')).rejects.toThrow(FlagError);
  rmSync(file);
});
