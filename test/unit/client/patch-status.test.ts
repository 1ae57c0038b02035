import { afterAll, expect, it } from 'vitest';
import { createResourceClient, defineResource, isConflict, patchStatus } from '../../../client/index.js';
import type { Deployment } from '../../../generated/apps/v1/index.js';
import { startTestServer } from '../../../testing/index.js';

const server = await startTestServer();
afterAll(() => server.dispose());

const descriptor = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment' } as const;
const deployments = createResourceClient(
  defineResource<Deployment>()({ ...descriptor, scope: 'Namespaced', subresources: ['status'] } as const),
  server.client,
);

const create = (name: string) => {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'example.com/c' }] } };
  return deployments
    .in('default')
    .create({ metadata: { name }, spec: { selector: { matchLabels: labels }, template } });
};

it('merges a change into the status, and sends nothing if there is none', async () => {
  const made = await create('one');
  const first = await patchStatus(deployments, made, { replicas: 2, readyReplicas: 1 });
  expect(first.status).toEqual({ replicas: 2, readyReplicas: 1 });
  const second = await patchStatus(deployments.in('default'), first, { readyReplicas: null });
  expect(second.status).toEqual({ replicas: 2 });
  server.faults.add({ resource: 'deployments/status', fault: { status: 500 } });
  expect(await patchStatus(deployments, second, { replicas: 2, readyReplicas: null })).toBe(second);
  await server.reset();
});

it('rejects with a conflict if another client was faster', async () => {
  const made = await create('two');
  await deployments.in('default').patch('two', { metadata: { labels: { a: 'b' } } });
  const late = await patchStatus(deployments, made, { replicas: 1 }).catch((error: unknown) => error);
  expect(isConflict(late)).toBe(true);
});

it('refuses fields that the status does not have, by their types', () => {
  // @ts-expect-error The field is named `replicas`.
  const misspelt = (made: Deployment) => patchStatus(deployments, made, { replica: 1 });
  expect(misspelt).toBeTypeOf('function');
});
