import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { defineStorageVersions } from '../../../../strategies/internal.apiserver.platform.io/storageversions.js';
import { objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = defineStorageVersions();
const server = (apiServerID: string, encodingVersion: string): JsonObject => ({
  apiServerID,
  encodingVersion,
  decodableVersions: [encodingVersion],
});
const version = (status: JsonObject): ApiObject =>
  objectOf(handlers, { spec: {}, status }, { name: 'apps.deployments' });

it.each([
  [{ storageVersions: [server('a', 'apps/v1')] }, ['commonEncodingVersion']],
  [{ storageVersions: [server('a', 'apps/v1')], commonEncodingVersion: 'v2' }, ['commonEncodingVersion']],
  [{ storageVersions: [server('a', 'v1'), server('b', 'v2')] }, []],
  [{ commonEncodingVersion: 'v1' }, ['commonEncodingVersion']],
  [{ storageVersions: [server('Bad_ID', 'v1')], commonEncodingVersion: 'v1' }, ['storageVersions[0].apiServerID']],
  [
    { storageVersions: [server('a', 'a/b/c')], commonEncodingVersion: 'a/b/c' },
    ['storageVersions[0].encodingVersion', 'storageVersions[0].decodableVersions[0]'],
  ],
  [
    { storageVersions: [{ ...server('a', 'v1'), decodableVersions: [] }], commonEncodingVersion: 'v1' },
    ['storageVersions[0].decodableVersions'],
  ],
])('%j', (status, expected) => {
  const found = handlers.validate?.(version(status), contextOf({ subresource: 'status' })) ?? [];
  expect(found.map(({ field }) => field)).toEqual(expected.map((field) => `status.${field}`));
});

it.each([
  ['apps.deployments', 0],
  ['deployments', 1],
  ['Apps.deployments', 1],
  ['apps.9', 1],
])('the name %s has %d problems', (name, count) => expect(handlers.validateName?.(name, false)).toHaveLength(count));

it('shows three servers and counts the others', () => {
  const storageVersions = ['a', 'b', 'c', 'd'].map((id) => server(id, 'v1'));
  expect(handlers.columns?.StorageVersions?.(version({ storageVersions }), 0)).toBe('a=v1,b=v1,c=v1, 1 more...');
  expect(handlers.columns?.CommonEncodingVersion?.(version({}), 0)).toBe('<unset>');
});
