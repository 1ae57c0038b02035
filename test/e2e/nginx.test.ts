/** The example configurations for nginx, with a server behind: the users of requests, and watches without delay. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Authority, defineAuthority, type KeyPair } from '../../plugins/index.js';
import { type ListeningServer, startServer } from '../../server/index.js';
import { freePort } from '../support/local-server.js';
import { filesIn, scratchFolder } from '../support/scratch-folder.js';
import { root } from '../support/shared.js';

const hasNginx = spawnSync('nginx', ['-v']).status === 0;
const streamModule = '/usr/lib/nginx/modules/ngx_stream_module.so';

const folder = scratchFolder();
const file = filesIn(folder);
const authority = (name: string): Authority => defineAuthority({ secret: undefined, name, now: Date.now() });
const [clients, proxies, web] = [authority('clients'), authority('proxies'), authority('web')];
const certify = (by: Authority, commonName: string, organizations: string[], use: 'client' | 'server'): KeyPair =>
  by.issue({
    subject: { commonName, organizations },
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 3_600_000),
    use,
    ...(use === 'server' ? { names: ['api.example.com'] } : {}),
  });

let server: ListeningServer;
const running: ChildProcess[] = [];

beforeAll(async () => {
  if (!hasNginx) return;
  server = await startServer({
    naming: 'kubernetes',
    controllers: [],
    runtimeConfig: 'api/all=true',
    tls: {},
    credentials: { folder: join(folder, 'credentials') },
    allowedHosts: ['api.example.com'],
    authorization: { modes: ['AlwaysAllow'] },
    authentication: {
      tokenFile: file('tokens.csv', 'secret,ben,u-1\n'),
      requestHeader: {
        clientCaFile: file('proxies.crt', proxies.certificate),
        allowedNames: ['front'],
        usernameHeaders: ['X-Remote-User'],
        groupHeaders: ['X-Remote-Group'],
        extraHeadersPrefixes: [],
      },
    },
  });
});
afterAll(async () => {
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(running.map((child) => child.exitCode === null && once(child, 'exit')));
  await server?.stop();
});

/** Starts nginx with a configuration of the examples. Resolves to its port. */
async function startNginx(name: string, around: (included: string) => string, first = ''): Promise<number> {
  const port = await freePort();
  const own = new URL(server.url).port;
  const text = readFileSync(join(root, 'examples/deploy', name), 'utf8')
    .replaceAll('/etc/nginx/kindforge', join(folder, 'kindforge'))
    .replace(/listen 443/g, `listen 127.0.0.1:${port}`)
    .replace(/server 192\.0\.2\.11:6443/, `server 127.0.0.1:${own}`)
    .replace(/server 192\.0\.2\.12:6443.*\n/, '')
    .replace(/server 127\.0\.0\.1:6443/, `server 127.0.0.1:${own}`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`);
  const config = file(
    `${name}.main`,
    `${first}daemon off; pid ${folder}/${name}.pid; error_log ${folder}/${name}.log; events {}\n` +
      around(file(name, text)).replace('http {', `http { access_log off; ${paths.join(' ')}`),
  );
  const child = spawn('nginx', ['-c', config, '-e', join(folder, `${name}.log`)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  let problems = '';
  child.stderr.on('data', (chunk) => {
    problems += chunk;
  });
  const listens = (): Promise<boolean> =>
    new Promise((resolve, reject) => {
      if (child.exitCode !== null) return reject(new Error(problems));
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  while (!(await listens())) await sleep(20);
  return port;
}

type Headers = Readonly<Record<string, string>>;

/** Sends a request. Resolves to the code and text, or to the text so far when it contains the expected text. */
const ask = (
  port: number,
  method: string,
  path: string,
  options: {
    headers?: Headers;
    shown?: KeyPair | undefined;
    body?: object;
    ca: string;
    servername: string;
    until?: string;
  },
): Promise<readonly [number, string]> =>
  new Promise((resolve, reject) => {
    const { headers, shown, body, until, ...tls } = options;
    const call = request(
      `https://127.0.0.1:${port}${path}`,
      {
        method,
        headers: { 'content-type': 'application/json', host: tls.servername, ...headers },
        agent: false,
        ...tls,
        ...shown,
      },
      (answer) => {
        let text = '';
        const done = (): void => resolve([answer.statusCode ?? 0, text]);
        answer.on('data', (chunk) => {
          text += chunk;
          if (until === undefined || !text.includes(until)) return;
          done();
          call.destroy();
        });
        answer.on('end', done);
        answer.on('error', done);
      },
    );
    call.on('error', reject);
    call.end(body && JSON.stringify(body));
  });

const configMap = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { a: 'x'.repeat(100_000) },
});
const configMaps = '/api/v1/namespaces/default/configmaps';
const reviews = '/apis/authentication.k8s.io/v1beta1/selfsubjectreviews';
const review = { apiVersion: 'authentication.k8s.io/v1beta1', kind: 'SelfSubjectReview' };

describe.skipIf(!hasNginx)('nginx that does TLS itself (skipped without nginx)', () => {
  let port: number;
  const publicly = { ca: web.certificate, servername: 'api.example.com' };
  beforeAll(async () => {
    mkdirSync(join(folder, 'kindforge'));
    const [api, front] = [certify(web, 'api', [], 'server'), certify(proxies, 'front', [], 'client')];
    const files: Readonly<Record<string, string>> = {
      'api.crt': String(api.cert),
      'api.key': String(api.key),
      'front.crt': String(front.cert),
      'front.key': String(front.key),
      'clients.crt': clients.certificate,
      'ca.crt': readFileSync(server.credentials?.authority ?? '', 'utf8'),
    };
    for (const [name, text] of Object.entries(files)) file(join('kindforge', name), text);
    port = await startNginx('nginx-reencrypt.conf', (path) => `http { include ${path}; }`);
  });

  /** Returns the user and groups of a request, or its code if the server refuses it. */
  const userOf = async (headers: Headers, shown?: KeyPair): Promise<unknown> => {
    const [code, text] = await ask(port, 'POST', reviews, { ...publicly, headers, shown, body: review });
    if (code !== 201) return code;
    const { username, groups } = JSON.parse(text).status.userInfo;
    return [username, ...groups];
  };
  const shown = (commonName: string, ...organizations: string[]) =>
    certify(clients, commonName, organizations, 'client');
  const spoofed = { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' };

  it.each<[string, Headers, KeyPair | undefined, unknown]>([
    ['a certificate', {}, shown('anna', 'team'), ['anna', 'team', 'system:authenticated']],
    ['a certificate without organization', {}, shown('anna'), ['anna', 'system:authenticated']],
    ['a token', { authorization: 'Bearer secret' }, undefined, ['ben', 'system:authenticated']],
    ['headers of its own', spoofed, undefined, 401],
    ['headers beside a certificate', spoofed, shown('anna'), ['anna', 'system:authenticated']],
    ['nothing', {}, undefined, 401],
    ['a name that looks like two', {}, shown('x,O=system:masters,CN=admin'), 401],
    ['a name that looks like another', {}, shown('x+CN=admin'), 401],
    ['an organization that looks like a name', {}, shown('anna', 'x,CN=admin'), ['anna', 'system:authenticated']],
  ])('names the user by %s', async (_what, headers, certificate, expected) =>
    expect(await userOf(headers, certificate)).toEqual(expected),
  );

  it('refuses certificates of another authority', async () => {
    const stranger = certify(authority('clients'), 'anna', [], 'client');
    expect((await ask(port, 'POST', reviews, { ...publicly, shown: stranger, body: review }))[0]).toBe(400);
  });

  it('sends the events of a watch at once, and large bodies to the server', async () => {
    const headers = { authorization: 'Bearer secret' };
    const watch = ask(port, 'GET', `${configMaps}?watch=true`, { ...publicly, headers, until: '"through"' });
    expect((await ask(port, 'POST', configMaps, { ...publicly, headers, body: configMap('through') }))[0]).toBe(201);
    expect(await watch).toEqual([200, expect.stringContaining('"type":"ADDED"')]);
    const large = { ...configMap('large'), data: { a: 'x'.repeat(3_500_000) } };
    const [code, text] = await ask(port, 'POST', configMaps, { ...publicly, headers, body: large });
    expect([code, JSON.parse(text).reason]).toEqual([413, 'RequestEntityTooLarge']);
  });
});

describe.skipIf(!hasNginx || !existsSync(streamModule))(
  'nginx that passes TLS on (skipped without its stream module)',
  () => {
    it('leaves certificates and watches to the server', async () => {
      const port = await startNginx(
        'nginx-passthrough.conf',
        (path) => `include ${path};`,
        `load_module ${streamModule};\n`,
      );
      const ca = readFileSync(server.credentials?.authority ?? '', 'utf8');
      const tls = { ca, servername: 'localhost', headers: { authorization: 'Bearer secret' } };
      const watch = ask(port, 'GET', `${configMaps}?watch=true`, { ...tls, until: '"passed"' });
      expect((await ask(port, 'POST', configMaps, { ...tls, body: configMap('passed') }))[0]).toBe(201);
      expect(await watch).toEqual([200, expect.stringContaining('"type":"ADDED"')]);
    });
  },
);
