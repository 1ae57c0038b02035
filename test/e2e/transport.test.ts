/** The certificates that a server shows: its own, the files of its flags, and their replacements. */
import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, startServer, type TlsOption } from '../../server/index.js';
import { makeAuthority, type TestAuthority } from '../support/certificate-authority.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { runCommand } from '../support/server-process.js';

const folder = scratchFolder();

let authority: TestAuthority;
beforeAll(async () => {
  authority = await makeAuthority('CN=authority');
});

/** Writes a certificate for names, and its key. */
async function writePair(name: string, ...names: string[]): Promise<{ certFile: string; keyFile: string }> {
  const { cert, key } = await authority.issue({ subject: `CN=${name}`, purposes: ['server'], names });
  const files = { certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) };
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key);
  return files;
}

const start = (tls: TlsOption, more: object = {}): Promise<ListeningServer> =>
  startServer({ http: false, tls, ...more });

function handshake({ url }: ListeningServer, options: ConnectionOptions): Promise<TLSSocket> {
  const { hostname: host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ...options }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Returns the common name of the certificate that the server shows for a name. */
async function shownFor(server: ListeningServer, servername?: string): Promise<string | undefined> {
  const socket = await handshake(server, servername === undefined ? {} : { servername });
  const name = socket.getPeerCertificate().subject?.CN;
  socket.destroy();
  return String(name);
}

const trustedBy = ({ kubeconfig }: ListeningServer): string =>
  Buffer.from(JSON.parse(kubeconfig).clusters[0].cluster['certificate-authority-data'], 'base64').toString();

describe('a certificate that the server makes', () => {
  it('is valid for all names and addresses of the server, and signed by its authority', async () => {
    const server = await start(
      { host: '0.0.0.0', names: ['api.example.com', '*.example.org', '203.0.113.7'] },
      { serviceRanges: undefined },
    );
    const own = Object.values(networkInterfaces()).flatMap((all = []) => all.filter(({ family }) => family === 'IPv4'));
    const names = ['localhost', hostname().toLowerCase(), 'kubernetes.default.svc', 'api.example.com', 'a.example.org'];
    const addresses = ['127.0.0.1', '::1', '10.0.0.1', '203.0.113.7', ...own.map(({ address }) => address)];
    const socket = await handshake(server, { ca: trustedBy(server), rejectUnauthorized: true, host: 'localhost' });
    const shown = socket.getPeerX509Certificate();
    socket.destroy();
    expect(names.filter((name) => shown?.checkHost(name) === undefined)).toEqual([]);
    expect(addresses.filter((address) => shown?.checkIP(address) === undefined)).toEqual([]);
    expect(shown?.checkHost('other.example.com')).toBe(undefined);
    expect(shown?.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    await server.stop();
  });

  it('has the same authority at each start, and another authority for other data', async () => {
    const storage = { lmdb: join(folder, 'data') };
    const credentials = { folder: join(folder, 'data/credentials') };
    const first = await start({}, { storage, credentials });
    expect(readFileSync(first.credentials?.authority ?? '', 'utf8')).toBe(trustedBy(first));
    expect(statSync(first.credentials?.kubeconfig ?? '').mode & 0o777).toBe(0o600);
    await first.stop();
    const second = await start({}, { storage, credentials });
    expect(trustedBy(second)).toBe(trustedBy(first));
    await second.stop();
    // Without the folder, the authority gets a new certificate with the same name and key.
    const third = await start({}, { storage });
    expect(trustedBy(third)).not.toBe(trustedBy(first));
    const socket = await handshake(third, { ca: trustedBy(first), rejectUnauthorized: true });
    socket.destroy();
    await third.stop();
    const [other, another] = [await start({}), await start({})];
    const keyOf = (server: ListeningServer) => new X509Certificate(trustedBy(server)).publicKey;
    expect(keyOf(other).equals(keyOf(another))).toBe(false);
    expect(keyOf(other).equals(keyOf(first))).toBe(false);
    await Promise.all([other.stop(), another.stop()]);
  });

  it('has a second authority that certifies only the administrator of the same data', async () => {
    const [server, other] = [await start({}), await start({})];
    const userOf = ({ kubeconfig }: ListeningServer) => JSON.parse(kubeconfig).users[0].user;
    const pem = (data: string) => Buffer.from(data, 'base64').toString();
    const codeOf = async (user: Record<string, string>): Promise<string> => {
      const socket = await handshake(server, {
        ca: trustedBy(server),
        cert: pem(user['client-certificate-data'] ?? ''),
        key: pem(user['client-key-data'] ?? ''),
      });
      socket.write('GET /api/v1/secrets HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      let answer = '';
      for await (const chunk of socket) answer += chunk;
      return answer.split(' ')[1] ?? '';
    };
    expect(userOf(server)).not.toHaveProperty('token');
    expect(await codeOf(userOf(server))).toBe('200');
    expect(await codeOf(userOf(other))).toBe('401');
    await Promise.all([server.stop(), other.stop()]);
  });
});

describe('the address that clients get', () => {
  const [ofMachine = '127.0.0.1'] = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.flatMap(({ address, family, internal }) =>
      family === 'IPv4' && !internal && !address.startsWith('169.254.') ? address : [],
    ),
  );

  it.each([
    ['the bound address', { host: '127.0.0.2' }, {}, '127.0.0.2'],
    ['an address of this machine if all are bound', { host: '0.0.0.0' }, {}, ofMachine],
    ['the given address', { host: '0.0.0.0' }, { advertiseAddress: '203.0.113.9' }, '203.0.113.9'],
    ['the given address, in IPv6', { host: '127.0.0.1' }, { advertiseAddress: '2001:db8::9' }, '[2001:db8::9]'],
  ])('is %s', async (_which, tls, more, expected) => {
    const server = await startServer({ tls, controllers: [], ...more });
    const [, port] = /:(\d+)$/.exec(server.url) ?? [];
    const transport = server.client().transport;
    const answer = await transport?.send({ method: 'GET', path: '/api', headers: {} });
    const { serverAddressByClientCIDRs: told } = JSON.parse((await answer?.text()) ?? '{}');
    expect(told).toEqual([{ clientCIDR: '0.0.0.0/0', serverAddress: `${expected}:${port}` }]);
    const socket = await handshake(server, { ca: trustedBy(server), rejectUnauthorized: false });
    expect(socket.getPeerX509Certificate()?.checkIP(expected.replace(/^\[|\]$/g, ''))).toBeDefined();
    socket.destroy();
    await server.stop();
  });

  it.each(['0.0.0.0', '::', 'example.com', ''])('is not %j', async (advertiseAddress) => {
    const message = /^advertiseAddress .*: must be an address that clients can reach, such as 192\.0\.2\.1$/;
    await expect(startServer({ tls: {}, advertiseAddress })).rejects.toThrow(message);
  });
});

describe('certificates by name', () => {
  it('are chosen by patterns first, then by their own names, whole names before those with *', async () => {
    const main = await writePair('main', 'localhost');
    const wild = await writePair('wild', '*.example.com');
    const exact = await writePair('exact', 'a.example.com');
    const patterned = await writePair('patterned', 'b.example.com');
    const late = await writePair('late', 'a.example.com');
    const server = await start({
      certificate: main,
      named: [wild, exact, late, { ...patterned, patterns: ['C.example.com', '*.example.org'] }],
    });
    const shown = [
      'a.example.com',
      'A.EXAMPLE.COM',
      'x.example.com',
      'c.example.com',
      'b.example.com',
      'z.example.org',
    ];
    const names = await Promise.all(shown.map((name) => shownFor(server, name)));
    expect(names).toEqual(['exact', 'exact', 'wild', 'patterned', 'wild', 'patterned']);
    const others = ['localhost', 'example.com', 'a.b.example.com', undefined];
    expect(await Promise.all(others.map((name) => shownFor(server, name)))).toEqual(['main', 'main', 'main', 'main']);
    await server.stop();
  });
});

describe('certificate files', () => {
  it('are read again when they change; connections continue, and broken files change nothing', async () => {
    const files = await writePair('changing', 'localhost');
    const named = await writePair('named', 'n.example.com');
    const problems: string[] = [];
    const server = await start(
      { certificate: files, named: [named] },
      { onProblem: (one: string) => problems.push(one) },
    );
    expect(await shownFor(server)).toBe('changing');
    const before = await handshake(server, { ALPNProtocols: ['http/1.1'] });
    const later = await authority.issue({ subject: 'CN=later', names: ['localhost'] });
    writeFileSync(files.certFile, later.cert);
    writeFileSync(files.keyFile, later.key);
    await expect.poll(() => shownFor(server), { timeout: 20_000 }).toBe('later');
    expect(problems).toEqual([]);
    const renamed = await authority.issue({ subject: 'CN=renamed', names: ['m.example.com'] });
    writeFileSync(named.certFile, renamed.cert);
    writeFileSync(named.keyFile, renamed.key);
    await expect.poll(() => shownFor(server, 'm.example.com'), { timeout: 20_000 }).toBe('renamed');
    expect(await shownFor(server, 'n.example.com')).toBe('later');
    writeFileSync(files.keyFile, renamed.key);
    await expect.poll(() => problems, { timeout: 20_000 }).toHaveLength(1);
    expect(problems[0]).toContain(`what was read before stays in use: tls.certificate.certFile ${files.certFile}`);
    expect(await shownFor(server)).toBe('later');
    before.write('GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    let answer = '';
    for await (const chunk of before) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1.1 401/);
    await server.stop();
  });
});

describe('versions and cipher suites', () => {
  const trial = async (server: ListeningServer, options: ConnectionOptions): Promise<string> => {
    try {
      const socket = await handshake(server, options);
      const spoken = `${socket.getProtocol()} ${socket.getCipher().name}`;
      socket.destroy();
      return spoken;
    } catch {
      return 'refused';
    }
  };

  it.each<[TlsOption, ConnectionOptions, string | RegExp]>([
    [{}, { maxVersion: 'TLSv1.2' }, /^TLSv1.2/],
    [{}, {}, /^TLSv1.3/],
    [{}, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' }, 'refused'],
    [{ minVersion: 'VersionTLS13' }, { maxVersion: 'TLSv1.2' }, 'refused'],
    [{ minVersion: 'VersionTLS13' }, {}, /^TLSv1.3/],
    [
      { cipherSuites: ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'] },
      { maxVersion: 'TLSv1.2' },
      'TLSv1.2 ECDHE-ECDSA-AES256-GCM-SHA384',
    ],
    [
      { cipherSuites: ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'] },
      { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' },
      'refused',
    ],
    [{ cipherSuites: ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'] }, {}, /^TLSv1.3/],
    [{ cipherSuites: ['TLS_AES_128_GCM_SHA256'] }, { maxVersion: 'TLSv1.2' }, 'refused'],
  ])('%j with a client of %j: %s', async (tls, client, expected) => {
    const server = await start(tls);
    expect(await trial(server, client)).toMatch(expected);
    await server.stop();
  });
});

describe('two addresses', () => {
  it('answer side by side, and end together', async () => {
    const server = await startServer({ tls: {}, authentication: { anonymous: 'administrator' } });
    expect(server.url).toMatch(/^https:/);
    expect(server.plainUrl).toMatch(/^http:/);
    const watch = await fetch(`${server.plainUrl}/api/v1/namespaces?watch=true`);
    expect(watch.status).toBe(200);
    const [stopped] = await Promise.all([server.stop().then(() => 'stopped'), watch.text()]);
    expect(stopped).toBe('stopped');
  });

  it('do not listen if one of them is taken', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
    const flags = ['serve', '--storage', 'memory', '--http-port', 'auto', '--secure-port', String(port)];
    expect(await runCommand(...flags)).toEqual({
      code: 2,
      out: '',
      err: `kindforge: port ${port} of 127.0.0.1 is in use; choose another one with --secure-port\n`,
    });
    other.close();
  });
});
