/**
 * The default service account of each namespace: it exists for the first pod, and returns after a deletion unless the
 * namespace ends.
 */
import { expect, it, vi } from 'vitest';
import { objectAt } from '../../runtime/objects/guards.js';
import { ask as askServer } from '../support/ask.js';
import { servingForTests } from '../support/serving.js';

const held = { finalizers: ['example.com/hold'] };
const pod = { metadata: { name: 'first' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

const running = servingForTests({ authorizationMode: 'AlwaysAllow' });

async function ask(method: string, path: string, body?: object): Promise<{ status: number; uid: unknown }> {
  const answer = await askServer(running(), method, `/api/v1/namespaces${path}`, body);
  return { status: answer.code, uid: objectAt(answer.body, 'metadata')?.uid };
}

const accountOf = (namespace: string) => ask('GET', `/${namespace}/serviceaccounts/default`);

it('exists for a pod right after its namespace', async () => {
  expect((await ask('POST', '', { metadata: { name: 'new' } })).status).toBe(201);
  expect((await ask('POST', '/new/pods', pod)).status).toBe(201);
  expect((await ask('POST', '/default/pods', pod)).status).toBe(201);
});

it('is created again after a deletion', async () => {
  const before = await vi.waitUntil(async () => {
    const found = await accountOf('platform-system');
    return found.status === 200 && found;
  }, 60_000);
  expect((await ask('DELETE', '/platform-system/serviceaccounts/default')).status).toBe(200);
  const after = await vi.waitUntil(async () => {
    const found = await accountOf('platform-system');
    return found.status === 200 && found.uid !== before.uid && found;
  }, 60_000);
  expect(after.uid).not.toBe(before.uid);
});

it('is deleted with its namespace', async () => {
  await ask('POST', '', { metadata: { name: 'ending' } });
  expect((await ask('POST', '/ending/configmaps', { metadata: { name: 'c', ...held } })).status).toBe(201);
  expect((await ask('DELETE', '/ending')).status).toBe(200);
  await vi.waitUntil(async () => (await accountOf('ending')).status === 404, 60_000);
  await ask('PATCH', '/ending/configmaps/c', { metadata: { finalizers: null } });
  await vi.waitUntil(async () => (await ask('GET', '/ending')).status === 404, 60_000);
});
