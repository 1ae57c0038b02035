import { afterAll, beforeAll, expect, it } from 'vitest';
import { defineRootCertificates } from '../../../controllers/index.js';
import { type RunningControllers, runControllers } from '../../../controllers/kit/index.js';
import { FakeClock } from '../../support/fake-clock.js';
import { type ListeningServer, startServing } from '../../support/serving.js';

const name = 'platform-root-ca.crt';
const problems: string[] = [];
const clock = new FakeClock();
let trusted = 'first';
let server: ListeningServer;
let controllers: RunningControllers;
beforeAll(async () => {
  server = await startServing({ controllers: 'none', authorizationMode: 'AlwaysAllow' });
  const client = server.client();
  const controller = defineRootCertificates({ name, trusted: () => trusted });
  controllers = runControllers([{ controller, client }], {
    client,
    clock,
    onProblem: (_name, problem) => void problems.push(problem),
  });
}, 300_000);
afterAll(async () => {
  await controllers.stop();
  await server.stop();
  expect(problems).toEqual([]);
});

async function ask(method: string, path: string, body?: object) {
  const answer = await fetch(`${server.url}/api/v1/namespaces${path}`, {
    method,
    headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { data, metadata, code } = await answer.json();
  return { data, code, version: metadata?.resourceVersion };
}

const map = (namespace: string) => ask('GET', `/${namespace}/configmaps/${name}`);
const dataOf = async (namespace: string): Promise<unknown> => (await map(namespace)).data;

it('exists in each namespace, old and new', async () => {
  await expect.poll(() => dataOf('default')).toEqual({ 'ca.crt': 'first' });
  await ask('POST', '', { metadata: { name: 'new' } });
  await expect.poll(() => dataOf('new')).toEqual({ 'ca.crt': 'first' });
});

it('is restored when it is changed, extended or deleted', async () => {
  const path = `/default/configmaps/${name}`;
  for (const change of [{ data: { 'ca.crt': 'forged' } }, { data: { more: 'x' } }]) {
    const { version } = await ask('PATCH', path, change);
    await expect.poll(async () => (await map('default')).version).not.toBe(version);
    expect(await dataOf('default')).toEqual({ 'ca.crt': 'first' });
  }
  await ask('DELETE', path);
  await expect.poll(() => dataOf('default')).toEqual({ 'ca.crt': 'first' });
});

it('keeps labels and annotations of others', async () => {
  const { version } = await ask('PATCH', `/default/configmaps/${name}`, { metadata: { labels: { a: 'b' } } });
  await ask('PATCH', `/new/configmaps/${name}`, { data: { 'ca.crt': 'forged' } });
  await expect.poll(() => dataOf('new')).toEqual({ 'ca.crt': 'first' });
  expect((await map('default')).version).toBe(version);
});

it('follows the certificates of the server within a minute', async () => {
  trusted = 'second';
  await clock.advance(60_000);
  for (const namespace of ['default', 'new'])
    await expect.poll(() => dataOf(namespace)).toEqual({ 'ca.crt': 'second' });
});
