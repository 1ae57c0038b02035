/** The real kubectl and programs behind pods: raw requests, and `kubectl proxy` between a client and the server. */
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubectlForTests, newestKubectl, printed } from '../support/kubectl.js';
import { listenLocally } from '../support/local-server.js';

const { program } = newestKubectl();

const pod = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {automountServiceAccountToken: false, containers: [{name: main, image: example.com/main}]}
`;

describe.skipIf(program === '')('kubectl and programs behind pods (skipped if it is not installed)', () => {
  const kubectl = kubectlForTests({ proxyLoopback: true }, program);
  const strict = kubectlForTests({}, program);
  let web: Server;
  let root = '';

  beforeAll(async () => {
    web = createServer((req, res) => res.end(`${req.method} ${req.url} ${req.headers.authorization ?? 'nobody'}`));
    const port = await listenLocally(web);
    root = `/api/v1/namespaces/default/pods/web:${port}/proxy`;
    const patch = ['--subresource=status', '--type=merge', '-p', '{"status":{"podIP":"127.0.0.1"}}'];
    for (const one of [kubectl, strict]) {
      await one.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
      printed(await one.pipe(pod, 'create', '-f', '-'));
      printed(await one.run('patch', 'pod', 'web', ...patch));
    }
  });
  afterAll(() => {
    web.closeAllConnections();
    web.close();
  });

  it('reaches them by raw paths, without the credentials of the client', async () => {
    expect(printed(await kubectl.run('get', '--raw', `${root}/a/b?c=d`))).toBe('GET /a/b?c=d nobody');
  });

  it('does not reach this machine unless the server allows it', async () => {
    expect((await strict.run('get', '--raw', `${root}/`)).err).toContain('address not allowed');
  });

  it('shows them to browsers through kubectl proxy', async () => {
    const child = kubectl.start('proxy', '--port=0');
    const url = await new Promise<string>((resolve) => {
      child.stdout?.on('data', (line) => {
        const at = /127\.0\.0\.1:\d+/.exec(String(line))?.[0];
        if (at !== undefined) resolve(`http://${at}`);
      });
    });
    const answer = await fetch(`${url}${root}`);
    expect([answer.url, await answer.text()]).toEqual([`${url}${root}/`, 'GET / nobody']);
  });
});
