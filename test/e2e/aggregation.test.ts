/** One server behind another. The server in front sends requests there, and reports whether the other answers. */
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { gadgetsPath, type Servers, servicePath, startServers } from '../support/aggregated.js';
import { makeAuthority } from '../support/certificate-authority.js';
import { until } from '../support/eventually.js';
import { hasKubectl, type Kubectl, kubectlFor, printed } from '../support/kubectl.js';
import { listenLocally } from '../support/local-server.js';

const gadget = (name: string, size = 'small'): object => ({
  apiVersion: 'behind.example.com/v1',
  kind: 'Gadget',
  metadata: { name, namespace: 'default' },
  spec: { size },
});

const serviceUnavailable = 'service unavailable\n';

describe('a server behind another', () => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers();
    await servers.startBehind();
    await servers.register();
    await servers.available('Passed');
  });
  afterAll(() => servers.stop());

  it('is available, and gets the user of the server in front', async () => {
    expect(await servers.available('Passed')).toBe('all checks passed');
    const created = await servers.write(gadgetsPath, gadget('one'));
    expect(created.status).toBe(201);
    const refused = await servers.ask(gadgetsPath, 'eve-token');
    expect(await refused.json()).toMatchObject({ code: 403, message: expect.stringContaining('User "eve"') });
  });

  it('answers discovery and OpenAPI through the server in front', async () => {
    const read = async (path: string, accept = 'application/json') =>
      (await servers.ask(path, 'admin-token', { headers: { accept } })).json();
    const groups = (await read('/apis')).groups.map(({ name }: { name: string }) => name);
    expect(groups.indexOf('behind.example.com')).toBe(groups.length - 1);
    expect(await read('/apis/behind.example.com')).toMatchObject({ preferredVersion: { version: 'v1' } });
    expect((await read('/apis/behind.example.com/v1')).resources).toHaveLength(2);
    const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
    expect((await read('/apis', aggregated)).items.at(-1)).toMatchObject({
      metadata: { name: 'behind.example.com' },
      versions: [{ version: 'v1', freshness: 'Current', resources: [{ resource: 'gadgets', shortNames: ['gd'] }] }],
    });
    const url = await until(async () => (await read('/openapi/v3')).paths['apis/behind.example.com/v1']);
    expect(Object.keys((await read(url.serverRelativeURL)).components.schemas)).toContain(
      'com.example.behind.v1.Gadget',
    );
    const { definitions, paths } = await read('/openapi/v2');
    expect(definitions['com.example.behind.v1.Gadget'].properties.spec.description).toBe('What it is to be.');
    expect(paths).toHaveProperty(['/apis/behind.example.com/v1/namespaces/{namespace}/gadgets']);
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const encoded = await servers.ask('/openapi/v2', 'admin-token', { headers: { accept } });
    expect([encoded.status, await encoded.text()]).toEqual([
      200,
      expect.stringContaining('com.example.behind.v1.Gadget'),
    ]);
    expect((await read('/')).paths).toContain('/apis/behind.example.com/v1');
  });

  it.skipIf(!hasKubectl)('works with kubectl (skipped if it is not installed)', async () => {
    const kubectl = kubectlFor(servers.front.url);
    onTestFinished(() => kubectl.close());
    await useKubectl(servers, kubectl);
  });

  it('streams over WebSocket, and refuses large bodies with its own message', async () => {
    const address = `${servers.url.replace('http', 'ws')}${gadgetsPath}?watch=true`;
    const socket = new WebSocket(address, { headers: { authorization: 'Bearer admin-token' } });
    const messages: string[] = [];
    socket.on('message', (data) => messages.push(String(data)));
    await once(socket, 'open');
    await servers.write(gadgetsPath, gadget('streamed'));
    await until(async () => messages.some((text) => text.includes('"streamed"')));
    socket.close();
    const large = { ...gadget('large'), spec: { size: 'small', note: 'x'.repeat(4 << 20) } };
    const refused = await servers.write(gadgetsPath, large);
    expect([refused.status, (await refused.json()).reason]).toEqual([413, 'RequestEntityTooLarge']);
  });

  it('may end and come back', async () => {
    const stopped = await servers.startBehind();
    const stream = await servers.ask(`${gadgetsPath}?watch=true`, 'admin-token');
    const reader = stream.body?.getReader();
    await stopped.stop();
    // A watch ends or breaks, and does not hang.
    await (async () => {
      while ((await reader?.read())?.done === false);
    })().catch(() => undefined);
    const unreachable = await servers.ask(gadgetsPath, 'admin-token');
    expect(unreachable.status).toBe(503);
    const message = await servers.available('FailedDiscoveryCheck');
    // A check that the stop interrupts reports the end of its connection.
    expect(message).toMatch(
      /^failing or missing response from https:\/\/localhost:\d+\/apis\/behind\.example\.com\/v1: Get .* (connection refused|EOF)$/,
    );
    const refused = await servers.ask(gadgetsPath, 'admin-token');
    expect([refused.status, await refused.text()]).toEqual([503, serviceUnavailable]);
    expect(refused.headers.get('warning')).toContain('v1.behind.example.com is not available: FailedDiscoveryCheck');
    const groups = await (await servers.ask('/apis', 'admin-token')).json();
    expect(JSON.stringify(groups)).toContain('behind.example.com');
    expect((await servers.ask('/apis/apps/v1/deployments', 'admin-token')).status).toBe(200);
    const metrics = await (await servers.ask('/metrics', 'admin-token')).text();
    expect(metrics).toContain('aggregator_unavailable_apiservice{name="v1.behind.example.com"} 1');

    await servers.startBehind();
    await servers.available('Passed');
    const list = await (await servers.ask(gadgetsPath, 'admin-token')).json();
    expect(list.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toContain('one');
  });

  it('does not prevent the server in front from stopping', async () => {
    const other = await startServers();
    await other.startBehind();
    await other.register();
    await other.available('Passed');
    const stream = await other.ask(`${gadgetsPath}?watch=true`, 'admin-token');
    const before = performance.now();
    await other.front.stop();
    expect(performance.now() - before).toBeLessThan(5000);
    await stream.text().catch(() => undefined);
    await other.stop();
  });

  it('is removed with its APIService', async () => {
    await servers.write(`${servicePath}/v1.behind.example.com`, {}, 'DELETE');
    expect((await servers.ask(gadgetsPath, 'admin-token')).status).toBe(404);
    expect(await (await servers.ask('/apis', 'admin-token')).text()).not.toContain('behind.example.com');
  });
});

describe('a server behind with other protocols', () => {
  let servers: Servers;
  let behind: Server;
  const gone = new Set<string>();
  const list = JSON.stringify({ kind: 'APIResourceList', groupVersion: 'fake.example.com/v1', resources: [] });
  const path = '/apis/fake.example.com/v1/namespaces/default/pods/one';
  beforeAll(async () => {
    servers = await startServers();
    const authority = await makeAuthority('CN=fake');
    const pair = await authority.issue({ subject: 'CN=api', names: ['api.shop.svc'], purposes: ['server'] });
    behind = createServer(pair, (req, res) => {
      req.once('close', () => gone.add(req.url ?? ''));
      if (req.url === '/apis/fake.example.com/v1') return res.end(list);
      return res.write('begun');
    });
    behind.on('upgrade', (req, socket) => {
      const { upgrade, 'x-remote-user': user } = req.headers;
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n${user} `);
      socket.pipe(socket);
    });
    const port = await listenLocally(behind);
    await servers.write('/api/v1/namespaces', { metadata: { name: 'shop' } });
    await servers.write('/api/v1/namespaces/shop/services', {
      metadata: { name: 'api' },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    });
    await servers.write(servicePath, {
      metadata: { name: 'v1.fake.example.com' },
      spec: {
        group: 'fake.example.com',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        service: { namespace: 'shop', name: 'api', port },
        caBundle: Buffer.from(authority.cert).toString('base64'),
      },
    });
    await servers.available('Passed', 'v1.fake.example.com');
  });
  afterAll(async () => {
    await servers.stop();
    behind.closeAllConnections();
    behind.close();
  });

  it('gets upgrades of kubectl exec, with the user', async () => {
    const { hostname, port } = new URL(servers.url);
    const headers = { authorization: 'Bearer admin-token', connection: 'Upgrade', upgrade: 'SPDY/3.1' };
    const call = request({ hostname, port, method: 'POST', path: `${path}/exec?command=ls`, headers }).end();
    const [answer, socket, head] = await once(call, 'upgrade');
    expect([answer.statusCode, answer.headers.upgrade]).toEqual([101, 'SPDY/3.1']);
    let text = String(head);
    socket.on('data', (chunk: Buffer) => {
      text += String(chunk);
    });
    socket.write('both ways');
    await until(async () => text === 'admin both ways');
    socket.destroy();
  });

  it('notices that a client has left', async () => {
    const ending = new AbortController();
    const answer = await servers.ask(`${path}/log?follow=true`, 'admin-token', { signal: ending.signal });
    expect(new TextDecoder().decode((await answer.body?.getReader().read())?.value)).toBe('begun');
    expect([...gone]).not.toContain(`${path}/log?follow=true`);
    ending.abort();
    await until(async () => gone.has(`${path}/log?follow=true`));
  });
});

async function useKubectl(servers: Servers, kubectl: Kubectl): Promise<void> {
  const flag = `--kubeconfig=${kubectl.file('front', servers.front.kubeconfig)}`;
  const run = async (...args: string[]): Promise<string> => printed(await kubectl.run(flag, ...args));
  const text = JSON.stringify(gadget('two', 'large'));
  expect(printed(await kubectl.pipe(text, flag, 'apply', '-f', '-'))).toContain('two created');
  expect(await run('get', 'gd', 'two')).toMatch(/NAME +SIZE\ntwo +large/);
  expect(await run('explain', 'gadgets.spec')).toContain('What it is to be.');
  const watch = kubectl.start(flag, 'get', 'gd', '--watch-only', '-o', 'name');
  let seen = '';
  watch.stdout?.on('data', (chunk) => {
    seen += String(chunk);
  });
  await until(async () => {
    await servers.write(gadgetsPath, { ...gadget('x'), metadata: { generateName: 'seen-', namespace: 'default' } });
    return seen.includes('gadget.behind.example.com/seen-');
  });
  expect(await run('delete', 'gd', 'two')).toContain('deleted');
  expect(await run('get', 'apiservice', 'v1.behind.example.com')).toMatch(/shop\/api +True/);
}
