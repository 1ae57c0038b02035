import { expect, it } from 'vitest';
import { parseRoute } from '../../../../generator/import/served.js';

const route = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: false, single: false, watch: false };

it.each([
  ['/apis/apps/v1/deployments', route],
  ['/apis/apps/v1/namespaces/{namespace}/deployments', { ...route, namespaced: true }],
  ['/apis/apps/v1/namespaces/{namespace}/deployments/{name}', { ...route, namespaced: true, single: true }],
  [
    '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale',
    { ...route, namespaced: true, single: true, subresource: 'scale' },
  ],
  ['/apis/apps/v1/watch/deployments', { ...route, watch: true }],
  ['/api/v1/namespaces', { ...route, group: '', plural: 'namespaces' }],
  ['/api/v1/namespaces/{name}', { ...route, group: '', plural: 'namespaces', single: true }],
  [
    '/api/v1/namespaces/{name}/finalize',
    { ...route, group: '', plural: 'namespaces', single: true, subresource: 'finalize' },
  ],
  ['/api/v1/nodes/{name}/proxy/{path}', { ...route, group: '', plural: 'nodes', single: true, subresource: 'proxy' }],
])('splits %s into parts', (path, expected) => {
  expect(parseRoute(path)).toEqual(expected);
});

it.each([
  '/',
  '/version',
  '/api/',
  '/api/v1/',
  '/apis/apps/',
  '/apis/apps/v1/',
  '/apis/{group}/v1/things',
  '/logs/{path}',
  '/apis/a/v1/things/all',
])('finds no resource at %s', (path) => {
  expect(parseRoute(path)).toBeUndefined();
});
