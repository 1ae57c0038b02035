/** Clients of servers that are busy, absent or broken, or that only a kubeconfig names. */
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError, isConnectionError, isTooManyRequests } from '../../client/index.js';
import { loadKubeconfig } from '../../client/node.js';
import { createClient } from '../../generated/client.js';
import { makeCertificate, makeKeys, privateKeyPem } from '../support/certificates.js';
import { filesIn, scratchFolder } from '../support/scratch-folder.js';
import { type ScriptedAnswer, type ScriptedServer, scriptedServer } from '../support/scripted-server.js';
import { collect, rejection } from '../support/sdk.js';
import { startServing } from '../support/serving.js';
import { kubeconfigFor } from '../support/write-kubeconfig.js';

const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x' } };

const busy = (code: 429 | 503, retryAfter?: string): ScriptedAnswer => ({
  code,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, reason: code === 429 ? 'TooManyRequests' : '', code },
});

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function scripted(...answers: ScriptedAnswer[]): Promise<ScriptedServer> {
  const server = await scriptedServer(answers);
  ends.push(() => server.close());
  return server;
}

const mapsOf = (baseUrl: string, retry = {}) =>
  createClient({ baseUrl, retry: { initialDelayMs: 1, ...retry } }).core.v1.configMaps.in('default');

describe('a busy server', () => {
  it.each(['GET', 'POST', 'PATCH', 'DELETE'])(
    'gets the request again, with the same body, for a %s',
    async (method) => {
      const server = await scripted(busy(503, '0'), busy(429, '0'), { body: object });
      const maps = mapsOf(server.url);
      const requests: Record<string, () => Promise<unknown>> = {
        GET: () => maps.get('x'),
        POST: () => maps.create({ metadata: { name: 'x' } }),
        PATCH: () => maps.patch('x', { data: { a: '1' } }),
        DELETE: () => maps.delete('x', { gracePeriodSeconds: 0 }),
      };
      expect(await requests[method]?.()).toEqual(object);
      expect(server.asked.map((asked) => asked.method)).toEqual([method, method, method]);
      expect(new Set(server.asked.map(({ body }) => body)).size).toBe(1);
    },
  );

  it('gets the request for a watch again', async () => {
    const event = `${JSON.stringify({ type: 'ADDED', object })}\n`;
    const server = await scripted(busy(429), { send: (response) => response.end(event) });
    expect(await collect(mapsOf(server.url).watch())).toEqual([{ type: 'ADDED', object }]);
  });

  it('gets no more requests after the last attempt', async () => {
    const server = await scripted(busy(429));
    expect(isTooManyRequests(await rejection(mapsOf(server.url, { retries: 3 }).get('x')))).toBe(true);
    expect(server.asked).toHaveLength(4);
  });

  it('gets no more requests after the caller aborts', async () => {
    const server = await scripted(busy(429, '20'));
    const controller = new AbortController();
    const request = mapsOf(server.url).get('x', { signal: controller.signal });
    await expect.poll(() => server.asked.length).toBe(1);
    controller.abort(new Error('enough'));
    expect(await rejection(request)).toMatchObject({ message: 'enough' });
    expect(server.asked).toHaveLength(1);
  });
});

describe('a broken server', () => {
  it('is named if it does not exist', async () => {
    const server = await scripted();
    await server.close();
    const error = await rejection(mapsOf(server.url).get('x'));
    expect(isConnectionError(error)).toBe(true);
    expect(String(error)).toMatch(/^ConnectionError: no answer from http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  });

  it('is reported if it breaks the connection in the middle', async () => {
    const server = await scripted({
      send: (response) => {
        response.writeHead(200, { 'content-length': 1000 });
        response.write('{"kind":', () => response.destroy());
      },
    });
    const error = await rejection(mapsOf(server.url).get('x'));
    expect(isConnectionError(error)).toBe(true);
    expect(String(error)).toContain('broke off');
  });

  it('ends a broken watch with an error, after the earlier events', async () => {
    const event = `${JSON.stringify({ type: 'ADDED', object })}\n`;
    const server = await scripted({
      send: (response) => void response.write(`${event}{"type":`, () => response.destroy()),
    });
    const watch = mapsOf(server.url).watch();
    expect((await watch.next()).value).toEqual({ type: 'ADDED', object });
    expect(isConnectionError(await rejection(watch.next()))).toBe(true);
  });

  it.each([
    ['a web page', { send: (response) => void response.end('<html>') }, isConnectionError],
    ['an error in words', { code: 400, body: 'no' }, (error) => error instanceof ApiError && error.message === '"no"'],
    ['an event that is not JSON', { send: (response) => void response.end('<html>\n') }, isConnectionError],
  ] satisfies [string, ScriptedAnswer, (error: unknown) => boolean][])('that answers %s', async (what, answer, is) => {
    const server = await scripted(answer);
    const maps = mapsOf(server.url);
    expect(is(await rejection(what.startsWith('an event') ? maps.watch().next() : maps.get('x')))).toBe(true);
  });
});

describe('the address of the server', () => {
  it.each(['', 'nowhere', '127.0.0.1:8080', 'localhost:8080', 'ftp://127.0.0.1', 'http://'])(
    'must have a valid address, unlike %j',
    (baseUrl) =>
      expect(() => createClient({ baseUrl })).toThrow(
        /is not the base URL of a server, as in "http:\/\/127\.0\.0\.1:8080"/,
      ),
  );

  it('must be given', () => expect(() => createClient({})).toThrow('createClient needs a baseUrl'));

  it('may be below a path', async () => {
    const server = await scripted({ body: object });
    await mapsOf(`${server.url}/some/proxy/`).get('x');
    expect(server.asked[0]?.path).toBe('/some/proxy/api/v1/namespaces/default/configmaps/x');
  });

  it('may have another naming', async () => {
    const server = await scripted({ body: object });
    const rename = (group: string): string => group.replace('platform.io', 'example.com');
    const api = createClient({ baseUrl: server.url, rename });
    await api.storage.v1.csiDrivers.create({ metadata: { name: 'd' }, spec: {} });
    expect(server.asked[0]?.path).toBe('/apis/storage.example.com/v1/csidrivers');
    expect(JSON.parse(server.asked[0]?.body ?? '')).toMatchObject({ apiVersion: 'storage.example.com/v1' });
  });
});

describe('a kubeconfig', () => {
  const folder = scratchFolder();
  const write = filesIn(folder);

  type Cluster = Readonly<Record<string, unknown>> & { readonly server: string };
  const config = ({ server, ...cluster }: Cluster, user: object): string =>
    kubeconfigFor(server, user, cluster, { namespace: 'dev' });

  it('connects to a server, as the user with the token', async () => {
    const tokenAuthFile = write('tokens.csv', 'sesame,ali,1,"system:masters"\n');
    const running = await startServing({ naming: 'kubernetes', tokenAuthFile });
    ends.push(() => running.stop());
    const path = write('config', config({ server: running.url }, { token: 'sesame' }));
    const kubeconfig = loadKubeconfig({ path });
    expect(kubeconfig.namespace).toBe('dev');
    const api = createClient({ kubeconfig, naming: 'kubernetes' });
    expect((await api.storage.v1.csiDrivers.list()).apiVersion).toBe('storage.k8s.io/v1');
    const wrong = write('wrong', config({ server: running.url }, { token: 'barley' }));
    const refused = createClient({ kubeconfig: loadKubeconfig({ path: wrong }) }).core.v1.namespaces.list();
    expect(await rejection(refused)).toMatchObject({ code: 401, reason: 'Unauthorized' });
  });

  it('connects over TLS, trusting only its authority, with a token from a file', async () => {
    const keys = await makeKeys();
    const cert = (await makeCertificate(keys)).toString('pem');
    const tls = { key: await privateKeyPem(keys), cert };
    const server = await scriptedServer([{ body: object }], (listener) => createTlsServer(tls, listener));
    ends.push(() => server.close());
    write('ca.pem', cert);
    write('token', 'sesame\n');
    const address = server.url.replace('http:', 'https:');
    const trusting = { server: address, 'certificate-authority': 'ca.pem', 'tls-server-name': 'test' };
    const path = write('tls', config(trusting, { tokenFile: 'token' }));
    const api = createClient({ kubeconfig: loadKubeconfig({ path }) });
    expect((await api.core.v1.namespaces.get('x')).metadata.name).toBe('x');
    expect(server.asked[0]?.headers.authorization).toBe('Bearer sesame');

    const others = write('others', config({ server: address, 'tls-server-name': 'test' }, {}));
    const distrusting = createClient({ kubeconfig: loadKubeconfig({ path: others }) });
    expect(isConnectionError(await rejection(distrusting.core.v1.namespaces.get('x')))).toBe(true);
    const careless = write('careless', config({ server: address, 'insecure-skip-tls-verify': true }, {}));
    await createClient({ kubeconfig: loadKubeconfig({ path: careless }) }).core.v1.namespaces.get('x');
    expect(server.asked).toHaveLength(2);
  });

  it('is named if it does not exist', () =>
    expect(() => loadKubeconfig({ path: join(folder, 'missing') })).toThrow('missing'));
});
