/** The fixtures: one server for a file of tests, reset after each of them. */
import { test as base, expect } from 'vitest';
import { testServerFixtures, type WithTestServer } from '../../../testing/vitest.js';

const test = base.extend<WithTestServer>(
  testServerFixtures({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kept' } }] }),
);

const names: (string | undefined)[] = [];
let url: string | undefined;

test.for([1, 2])('begins with the objects in the options, and nothing else: %i', async (_, { server }) => {
  url ??= server.url;
  expect(server.url).toBe(url);
  const [kept] = await server.until(
    { resource: 'namespaces', fieldSelector: 'metadata.name=kept' },
    (all) => all.length === 1,
  );
  expect(kept?.metadata.name).toBe('kept');
  await server.until({ resource: 'configmaps', namespace: 'kept' }, (all) => all.length === 0);
  const [made] = await server.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'one', namespace: 'kept' },
  });
  names.push(made?.metadata.name);
});

test('does not start for tests that use no server', () => {
  expect(names).toEqual(['one', 'one']);
});
