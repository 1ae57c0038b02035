/** Calls of webhooks over both versions of HTTP: the request, valid answers, and the message without one. */
import { rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, WebhookAddress, WebhookAnswer } from '../../../../runtime/contract/index.js';
import { type CredentialsFile, readCredentials } from '../../../../server/webhooks/credentials.js';
import { HttpsLine, readReply, serviceOrigin } from '../../../../server/webhooks/line.js';
import { OutgoingCalls } from '../../../../server/webhooks/outgoing-calls.js';
import { makeServerCertificate } from '../../../support/certificates.js';
import { listenLocally } from '../../../support/local-server.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const mostBytes = 64 * 1024;
const bomb = gzipSync(Buffer.alloc(1024 * 1024));

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

async function answer(request: Request, response: Response): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const write = (text: string | Buffer): void => {
    if ('stream' in response) response.stream.write(text);
    else response.write(text);
  };
  const [path = ''] = (request.url ?? '').slice(1).split('?');
  if (path === 'hang') return;
  if (path === 'half') return write('{');
  if (path === 'hang-up') return void request.socket.destroy();
  if (path === 'endless') {
    const sending = setInterval(() => write(Buffer.alloc(16 * 1024)), 1);
    return void response.on('close', () => clearInterval(sending));
  }
  if (path === 'bomb') {
    response.setHeader('content-encoding', 'gzip');
    response.end(bomb);
    return;
  }
  if (path === 'moved') response.setHeader('location', '/echo');
  response.statusCode = path === 'moved' ? 302 : /^\d+$/.test(path) ? Number(path) : 200;
  response.setHeader('content-type', 'text/plain');
  const { authorization, host, ':authority': authority, 'content-type': type } = request.headers;
  const shown = 'getPeerCertificate' in request.socket ? request.socket.getPeerCertificate()?.subject?.CN : undefined;
  const seen = { method: request.method, url: request.url, host: authority ?? host, type, authorization, shown };
  response.end(path === 'echo' ? JSON.stringify({ ...seen, body: Buffer.concat(chunks).toString() }) : 'broken');
}

describe.each(['1.1', '2.0'])('over HTTP/%s', (version) => {
  let stop: () => void;
  let port = 0;
  let ca = '';
  let connections = 0;
  const used = new Set<string>();
  const lines: HttpsLine[] = [];

  beforeAll(async () => {
    const certificate = await makeServerCertificate('hook.shop.svc');
    ca = certificate.cert;
    const options = { ...certificate, requestCert: true, rejectUnauthorized: false };
    const server = version === '2.0' ? createSecureServer({ ...options, allowHTTP1: true }) : createServer(options);
    server.on('request', (request: Request, response: Response) => {
      used.add(request.httpVersion);
      void answer(request, response);
    });
    const sockets = new Set<{ destroy(): void }>();
    server.on('secureConnection', (socket) => {
      connections++;
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
    });
    port = await listenLocally(server);
    stop = () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    };
  });
  afterEach(() => {
    for (const line of lines.splice(0)) line.close();
  });
  afterAll(() => stop());

  function lineTo(address: WebhookAddress, credentials: readonly CredentialsFile[] = []): HttpsLine {
    const serviceAddress = (namespace: string, name: string) =>
      namespace === 'shop' && name === 'hook' ? new URL(`https://127.0.0.1:${port}`) : undefined;
    const line = new HttpsLine(address, {
      calls: new OutgoingCalls(),
      serviceAddress,
      credentials: () => credentials,
      mostBytes,
    });
    lines.push(line);
    return line;
  }
  const call = (line: HttpsLine, timeoutMs = 10_000): Promise<WebhookAnswer> =>
    line.post({ body: () => '{"a":1}', timeoutMs, service: () => undefined });
  const at = (path: string): WebhookAddress => ({ url: `https://localhost:${port}/${path}`, ca });
  const parsed = async (line: HttpsLine): Promise<unknown> => {
    const got = await call(line);
    return got.ok ? JSON.parse(got.text) : got;
  };

  it('a webhook gets the body as JSON, and its time limit', async () => {
    expect(await parsed(lineTo(at('echo')))).toEqual({
      method: 'POST',
      url: '/echo?timeout=10s',
      host: `localhost:${port}`,
      type: 'application/json',
      body: '{"a":1}',
    });
    expect([...used]).toEqual([version]);
  });

  it("a path is sent in the cleaned form that Kubernetes' clients write", async () =>
    expect(await parsed(lineTo(at('/echo/')))).toMatchObject({ url: '/echo?timeout=10s' }));

  it('a Service is called under its name, at its address', async () => {
    const service = { namespace: 'shop', name: 'hook', port: 443, path: '/echo', ca };
    expect(await parsed(lineTo(service))).toMatchObject({ host: 'hook.shop.svc:443' });
    expect(await call(lineTo({ ...service, name: 'other' }))).toEqual({
      ok: false,
      problem: 'Post "https://other.shop.svc:443/echo?timeout=10s": service "other" not found',
    });
  });

  it('connections are kept, and closed with the line', async () => {
    const line = lineTo(at('echo'));
    connections = 0;
    for (let i = 0; i < 10; i++) expect((await call(line)).ok).toBe(true);
    // The second call may start before the connection of the first is free again.
    expect(connections).toBeLessThanOrEqual(2);
    connections = 0;
    line.close();
    await call(line);
    expect(connections).toBe(1);
  });

  it('calls at the same time are all answered', async () => {
    const line = lineTo(at('echo'));
    connections = 0;
    await call(line);
    expect((await Promise.all(Array.from({ length: 50 }, () => call(line)))).every(({ ok }) => ok)).toBe(true);
    if (version === '2.0') expect(connections).toBe(1);
  });

  it.each([
    ['500', 'an error on the server ("broken") has prevented the request from succeeding', 500],
    ['404', 'the server could not find the requested resource', 404],
    ['401', 'the server has asked for the client to provide credentials', 401],
    ['moved', 'the server rejected our request for an unknown reason', 302],
  ])('a webhook with the answer at /%s has failed', async (path, problem, code) =>
    expect(await call(lineTo(at(path)))).toEqual({ ok: false, problem, code }),
  );

  it('a webhook that hangs up has failed, and so has one that cannot be trusted', async () => {
    const failed = (path: string) => ({
      ok: false,
      problem: expect.stringContaining(`Post "https://localhost:${port}/${path}?timeout=10s": `),
    });
    expect(await call(lineTo(at('hang-up')))).toMatchObject(failed('hang-up'));
    expect(await call(lineTo({ url: `https://localhost:${port}/echo` }))).toMatchObject(failed('echo'));
    const other = await makeServerCertificate();
    expect(await call(lineTo({ url: `https://localhost:${port}/echo`, ca: other.cert }))).toMatchObject(failed('echo'));
  });

  it.each(['hang', 'half'])('a webhook that takes too long, as at /%s, has failed', async (path) => {
    const line = lineTo(at(path));
    expect(await call(line, 100)).toEqual({
      ok: false,
      problem: `Post "https://localhost:${port}/${path}?timeout=1s": context deadline exceeded`,
    });
    // It does not delay others.
    expect((await call(lineTo(at('echo')))).ok).toBe(true);
  });

  it('a webhook gets its whole time limit, to the fraction of a millisecond', async () => {
    const line = lineTo(at('hang'));
    await call(line, 20);
    const left: number[] = [];
    for (let i = 0; i < 200; i++) {
      const [began, timeoutMs] = [performance.now(), 5 + i / 97];
      await call(line, timeoutMs);
      left.push(timeoutMs - (performance.now() - began));
    }
    expect(left.filter((ms) => ms > 0)).toEqual([]);
  });

  it('an endless answer is not read to its end, and a compressed one is not unpacked', async () => {
    expect(await call(lineTo(at('endless')))).toEqual({
      ok: false,
      problem: `Post "https://localhost:${port}/endless?timeout=10s": the answer is too large`,
    });
    const packed = await call(lineTo(at('bomb')));
    expect(packed.ok ? packed.text.length : 0).toBeLessThanOrEqual(bomb.length);
  });

  it('nothing is sent if certificates are invalid', async () =>
    expect(await call(lineTo({ ...at('echo'), ca: 'nonsense' }))).toMatchObject({ ok: false, isUnusable: true }));

  describe('with credentials', () => {
    const folder = scratchFolder();

    function file(...users: readonly { name: string; user: object }[]): CredentialsFile {
      const path = join(folder, 'webhooks.yaml');
      writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'Config', users }));
      return readCredentials(path);
    }

    it('a token or a name and a password are sent', async () => {
      const token = file({ name: `localhost:${port}`, user: { token: 'secret' } });
      expect(await parsed(lineTo(at('echo'), [token]))).toMatchObject({ authorization: 'Bearer secret' });
      const basic = file({ name: 'hook.shop.svc', user: { username: 'me', password: 'pass' } });
      const service = { namespace: 'shop', name: 'hook', port: 443, path: '/echo', ca };
      const authorization = `Basic ${Buffer.from('me:pass').toString('base64')}`;
      expect(await parsed(lineTo(service, [token, basic]))).toMatchObject({ authorization });
      expect(await parsed(lineTo(at('echo'), [basic]))).not.toHaveProperty('authorization');
    });

    it('a token is read from its file for each call', async () => {
      writeFileSync(join(folder, 'token'), 'first\n');
      const credentials = file({ name: '*', user: { tokenFile: 'token' } });
      const line = lineTo(at('echo'), [credentials]);
      expect(await parsed(line)).toMatchObject({ authorization: 'Bearer first' });
      writeFileSync(join(folder, 'token'), 'second\n');
      expect(await parsed(line)).toMatchObject({ authorization: 'Bearer second' });
      rmSync(join(folder, 'token'));
      expect(await call(line)).toMatchObject({ ok: false, problem: expect.stringContaining('ENOENT') });
    });

    it('a certificate is sent, and a new one over new connections', async () => {
      const own = await makeServerCertificate('first');
      const certificate = (pem: string): string => Buffer.from(pem).toString('base64');
      const users: CredentialsFile[] = [];
      const line = lineTo(at('echo'), users);
      expect(await parsed(line)).not.toHaveProperty('shown');
      const user = { 'client-certificate-data': certificate(own.cert), 'client-key-data': certificate(own.key) };
      users.push(file({ name: '*', user }));
      expect(await parsed(line)).toMatchObject({ shown: expect.stringMatching(/./) });
    });
  });
});

const originOf = (spec?: JsonObject) =>
  serviceOrigin(
    { namespace: 'shop', name: 'hook', port: 443 },
    () => spec && { apiVersion: 'v1', kind: 'Service', metadata: { name: 'hook' }, spec },
  );
const ports = [{ port: 443 }];

it.each([
  [{ type: 'ClusterIP', clusterIP: '10.0.0.7', ports }, 'https://10.0.0.7:443'],
  [{ type: 'NodePort', clusterIP: 'fd00::7', ports }, 'https://[fd00::7]:443'],
  [{ type: 'ExternalName', externalName: 'hooks.example.com' }, 'https://hooks.example.com:443'],
])('%j', (spec, origin) => expect(originOf(spec)).toEqual({ ok: true, origin }));

it.each([
  [undefined, 'service "hook" not found'],
  [{ type: 'ClusterIP', clusterIP: 'None', ports }, 'cannot route to service with ClusterIP "None"'],
  [{ type: 'ClusterIP', clusterIP: '10.0.0.7', ports: [{ port: 80 }] }, 'no service port 443 found for service "hook"'],
])('%j has no address', (spec, problem) => expect(originOf(spec)).toEqual({ ok: false, problem }));

const reply = (code: number, text: string, contentType = 'text/plain') => readReply({ code, contentType, text });

it.each([
  [500, 'it broke', 'an error on the server ("it broke") has prevented the request from succeeding'],
  [502, '', 'an error on the server ("unknown") has prevented the request from succeeding'],
  [403, 'go away', 'go away'],
  [404, 'x', 'the server could not find the requested resource'],
  [302, '', 'the server rejected our request for an unknown reason'],
  [200, '', '0-length response with status code: 200 and content type: text/plain'],
  [500, '{"apiVersion":"v1","kind":"Status","status":"Failure","message":"mine"}', 'mine'],
])('%i with %j', (code, text, problem) => expect(reply(code, text)).toEqual({ ok: false, problem, code }));

it('accepts good answers of any type', () => expect(reply(201, '{}')).toEqual({ ok: true, text: '{}' }));

it('a binary body is not printed', () =>
  expect(reply(500, '{}', 'application/json')).toMatchObject({ problem: expect.stringContaining('"unknown"') }));
