/** Users with a client certificate: their names over each protocol, and the certificates that the server refuses. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type ListeningServer, startServer } from '../../server/index.js';
import {
  type IssuedPair,
  issueBelow,
  makeAuthority,
  selfSigned,
  type TestAuthority,
} from '../support/certificate-authority.js';
import { scratchFolder } from '../support/scratch-folder.js';

const folder = scratchFolder();
const caFile = join(folder, 'ca.crt');
const tokenFile = join(folder, 'tokens.csv');
writeFileSync(tokenFile, 'berta-token,berta,u-2\n');

let first: TestAuthority;
let second: TestAuthority;
let below: TestAuthority;
let server: ListeningServer;
let serverCa: string;
beforeAll(async () => {
  first = await makeAuthority('CN=first');
  second = await makeAuthority('CN=second');
  below = await first.below('CN=below');
  writeFileSync(caFile, `two authorities\n${first.cert}${second.cert}`);
  server = await startServer({
    tls: {},
    authentication: { clientCaFile: caFile, tokenFile, administrator: false, anonymous: 'anonymous' },
    runtimeConfig: 'authentication.platform.io/v1beta1=true',
    featureGates: 'APISelfSubjectReview=true',
  });
  serverCa = trustedBy(server);
});
afterAll(() => server.stop());

/** Returns the authority that a kubeconfig trusts. */
function trustedBy({ kubeconfig }: ListeningServer): string {
  const { clusters } = JSON.parse(kubeconfig);
  return Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString();
}

type Shown = Partial<IssuedPair>;
interface Answer {
  readonly code: number;
  readonly body: string;
}

const path = '/apis/authentication.platform.io/v1beta1/selfsubjectreviews';

/** Returns the user that the server sees in a client, over HTTP/1.1. */
const ask = (shown: Shown, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = { method: 'POST', ca: serverCa, agent: false as const, ...shown };
    const sent = request(
      server.url + path,
      { ...options, headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => resolve({ code: response.statusCode ?? 0, body }));
      },
    );
    sent.on('error', reject);
    sent.end('{}');
  });

/** Returns the users over HTTP/2, of two requests on one connection. */
async function askHttp2(shown: Shown): Promise<readonly Answer[]> {
  const session = connectHttp2(server.url, { ca: serverCa, ...shown });
  const one = (): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' });
      let code = 0;
      let body = '';
      stream.on('response', (headers) => {
        code = Number(headers[':status']);
      });
      stream.on('data', (chunk) => {
        body += chunk;
      });
      stream.on('end', () => resolve({ code, body }));
      stream.on('error', reject);
      stream.end('{}');
    });
  try {
    return [await one(), await one()];
  } finally {
    session.close();
  }
}

/** Returns the user that an answer names, or its code. */
function userIn({ code, body }: Answer): unknown {
  if (code !== 201) return code;
  const { username, groups } = JSON.parse(body).status.userInfo;
  return [username, ...groups];
}

const past = new Date('2021-01-01');
const future = new Date('2039-01-01');
const nobody = 403;
const refused = 401;

const cases: readonly [string, () => Promise<Shown>, unknown][] = [
  ['none', async () => ({}), nobody],
  ['for clients', () => first.issue({ subject: 'CN=anna', purposes: ['client'] }), ['anna', 'system:authenticated']],
  [
    'of the second authority',
    () => second.issue({ subject: 'CN=anna, O=devs', purposes: ['client'] }),
    ['anna', 'devs', 'system:authenticated'],
  ],
  [
    'with several organizations',
    () => first.issue({ subject: 'O=devs, O=ops, CN=anna', purposes: ['client'] }),
    ['anna', 'devs', 'ops', 'system:authenticated'],
  ],
  ['for all purposes', () => first.issue({ subject: 'CN=anna' }), ['anna', 'system:authenticated']],
  [
    'for clients and servers',
    () => first.issue({ subject: 'CN=anna', purposes: ['server', 'client'] }),
    ['anna', 'system:authenticated'],
  ],
  [
    'with an authority between',
    async () => {
      const own = await below.issue({ subject: 'CN=anna', purposes: ['client'] });
      return { key: own.key, cert: own.cert + below.cert };
    },
    ['anna', 'system:authenticated'],
  ],
  ['with an authority between that it does not show', () => below.issue({ subject: 'CN=anna' }), refused],
  ['that has expired', () => first.issue({ subject: 'CN=anna', until: past }), refused],
  ['that is not yet valid', () => first.issue({ subject: 'CN=anna', from: future }), refused],
  ['for servers only', () => first.issue({ subject: 'CN=anna', purposes: ['server'] }), refused],
  ['of another authority', async () => (await makeAuthority('CN=third')).issue({ subject: 'CN=anna' }), refused],
  [
    'of another authority of the same name',
    async () => (await makeAuthority('CN=first')).issue({ subject: 'CN=anna' }),
    refused,
  ],
  ['of its own', () => selfSigned({ subject: 'CN=anna, O=system:masters' }), refused],
  ['of its own with the name of the authority', () => selfSigned({ subject: 'CN=first' }), refused],
  [
    'of somebody who is no authority',
    async () => {
      const anna = await first.issue({ subject: 'CN=anna' });
      const forged = await issueBelow('CN=anna', anna, { subject: 'CN=root, O=system:masters' });
      return { key: forged.key, cert: forged.cert + anna.cert };
    },
    refused,
  ],
  ['without a name', () => first.issue({ subject: 'O=system:masters' }), nobody],
];

describe('a client certificate', () => {
  it.each(cases)('%s', async (_what, make, expected) => {
    const shown = await make();
    expect(userIn(await ask(shown))).toEqual(expected);
    expect((await askHttp2(shown)).map(userIn)).toEqual([expected, expected]);
  });

  it('that is wrong does not affect later reads or other connections', async () => {
    const { port } = new URL(server.url);
    const open = async (shown: Shown): Promise<TLSSocket> => {
      const socket = connectTls({ host: '127.0.0.1', port: Number(port), ca: serverCa, ...shown });
      await once(socket, 'secureConnect');
      return socket;
    };
    const codeOver = async (socket: TLSSocket): Promise<string> => {
      socket.write('GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      const [first] = await once(socket, 'data');
      socket.destroy();
      return String(first).slice(9, 12);
    };
    const right = await open(await first.issue({ subject: 'CN=anna', purposes: ['client'] }));
    const wrong = await open(await (await makeAuthority('CN=first')).issue({ subject: 'CN=anna' }));
    await sleep(100);
    expect([await codeOver(right), await codeOver(wrong)]).toEqual(['200', '401']);
  });

  it('counts before a token, but a wrong certificate does not hide the token', async () => {
    const wrong = await selfSigned({ subject: 'CN=anna' });
    const right = await first.issue({ subject: 'CN=anna' });
    const headers = { authorization: 'Bearer berta-token' };
    expect(userIn(await ask(wrong, headers))).toEqual(['berta', 'system:authenticated']);
    expect(userIn(await ask(right, headers))).toEqual(['anna', 'system:authenticated']);
    expect(userIn(await ask(right, { authorization: 'Bearer guess' }))).toEqual(['anna', 'system:authenticated']);
  });

  it('opens WebSockets', async () => {
    const codeOf = (shown: Shown): Promise<number | undefined> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${server.url.replace('https', 'wss')}/api/v1/namespaces?watch=true`, {
          ca: serverCa,
          ...shown,
        });
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
        socket.on('open', () => {
          socket.close();
          resolve(101);
        });
        socket.on('error', () => undefined);
      });
    expect(await codeOf(await first.issue({ subject: 'CN=root, O=system:masters' }))).toBe(101);
    expect(await codeOf(await first.issue({ subject: 'CN=anna' }))).toBe(403);
    expect(await codeOf(await selfSigned({ subject: 'CN=root, O=system:masters' }))).toBe(401);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('is sent again on each connection of %s', async (version) => {
    const { port } = new URL(server.url);
    const anna = await first.issue({ subject: 'CN=anna' });
    const options = { host: '127.0.0.1', port: Number(port), ca: serverCa, minVersion: version, maxVersion: version };
    const open = (more: object): Promise<TLSSocket> =>
      new Promise((resolve, reject) => {
        const socket = connectTls({ ...options, ...more }, () => resolve(socket));
        socket.on('error', reject);
      });
    const begun = await open(anna);
    const session = await new Promise<Buffer | undefined>((resolve) => {
      begun.on('session', resolve);
      begun.on('close', () => resolve(begun.getSession()));
      begun.end('GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      begun.resume();
    });
    const resumed = await open({ session });
    expect(resumed.isSessionReused()).toBe(false);
    resumed.destroy();
  });

  it('is not negotiated again', async () => {
    const { port } = new URL(server.url);
    const socket = connectTls({ host: '127.0.0.1', port: Number(port), ca: serverCa, maxVersion: 'TLSv1.2' });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    const problem = await new Promise<Error | null>((resolve) => {
      socket.on('error', resolve);
      socket.renegotiate({}, resolve);
    });
    expect(String(problem)).toMatch(/no renegotiation|ECONNRESET|closed/i);
    socket.destroy();
  });
});

describe('the authorities of clients', () => {
  it('are read again when their file changes, for open connections too', async () => {
    const file = join(folder, 'changing.crt');
    const problems: string[] = [];
    writeFileSync(file, first.cert);
    const changing = await startServer({
      tls: {},
      http: false,
      onProblem: (problem) => problems.push(problem),
      authentication: { clientCaFile: file, anonymous: 'refused', administrator: false },
    });
    const session = connectHttp2(changing.url, {
      ca: trustedBy(changing),
      ...(await first.issue({ subject: 'CN=root, O=system:masters' })),
    });
    const codeOf = (): Promise<number> =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ':path': '/api/v1/namespaces' });
        stream.on('response', (headers) => resolve(Number(headers[':status'])));
        stream.on('error', reject);
        stream.resume();
      });
    expect(await codeOf()).toBe(200);
    writeFileSync(file, second.cert);
    await expect.poll(codeOf, { timeout: 20_000 }).toBe(401);
    writeFileSync(file, first.cert + second.cert);
    await expect.poll(codeOf, { timeout: 20_000 }).toBe(200);
    expect(problems).toEqual([]);
    writeFileSync(file, 'broken');
    await expect.poll(() => problems, { timeout: 20_000 }).toHaveLength(1);
    expect(problems[0]).toContain(`${file}: no certificate in PEM`);
    expect(await codeOf()).toBe(200);
    session.close();
    await changing.stop();
  });
});
