/** Tries certificates of clients and proxies that are wrong in every way. The server accepts none of them. */
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, startServer } from '../../../server/index.js';
import {
  type IssuedPair,
  issueBelow,
  makeAuthority,
  type TestAuthority,
  type Wanted,
} from '../../support/certificate-authority.js';
import { pem } from '../../support/certificates.js';
import { type Method, testMethod, type Way } from '../../support/credential-matrix.js';
import { scratchFolder } from '../../support/scratch-folder.js';

const folder = scratchFolder();

/** An authority that the server trusts, an authority that it no longer trusts, and the file of both. */
interface Trusted {
  readonly subject: string;
  readonly file: string;
  readonly now: TestAuthority;
  readonly before: TestAuthority;
}

let clients: Trusted;
let proxies: Trusted;
let server: ListeningServer;
beforeAll(async () => {
  [clients, proxies] = [await trusted('clients'), await trusted('proxies')];
  server = await startServer({
    naming: 'kubernetes',
    runtimeConfig: 'api/all=true',
    controllers: [],
    tls: {},
    http: false,
    authorization: { modes: ['AlwaysAllow'] },
    authentication: {
      anonymous: 'refused',
      clientCaFile: clients.file,
      requestHeader: {
        clientCaFile: proxies.file,
        allowedNames: ['front'],
        usernameHeaders: ['X-Remote-User'],
        groupHeaders: ['X-Remote-Group'],
        extraHeadersPrefixes: ['X-Remote-Extra-'],
      },
    },
  });
});
afterAll(() => server.stop());

async function trusted(name: string): Promise<Trusted> {
  const file = join(folder, `${name}.crt`);
  const subject = `CN=${name}`;
  const [now, before] = [await makeAuthority(subject), await makeAuthority(`CN=${name} of before`)];
  writeFileSync(file, now.cert + before.cert);
  return { subject, file, now, before };
}

const proxyCertificate = (name: string): Promise<IssuedPair> =>
  proxies.now.issue({ subject: `CN=${name}`, purposes: ['client'] });

/** The certificate and headers of a client. */
interface Shown extends Partial<IssuedPair> {
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Returns the user that the server takes a client for; the code of its answer, or `closed`, if it refuses the client.
 */
const userOf = ({ cert, key, headers }: Shown): Promise<string | number | 'closed'> =>
  new Promise((resolve) => {
    const review = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1beta1', kind: 'SelfSubjectReview' });
    const call = request(
      `${server.url}/apis/authentication.k8s.io/v1beta1/selfsubjectreviews`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        rejectUnauthorized: false,
        agent: false,
        // Lets the client show certificates that OpenSSL itself would not use.
        ciphers: 'DEFAULT:@SECLEVEL=0',
        ...(cert === undefined || key === undefined ? {} : { cert, key }),
      },
      async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk);
        const { statusCode = 0 } = answer;
        resolve(
          statusCode === 201 ? JSON.parse(Buffer.concat(chunks).toString()).status.userInfo.username : statusCode,
        );
      },
    );
    call.on('error', () => resolve('closed'));
    call.end(review);
  });

/** Replaces a name in a certificate by another name of the same length. The signature no longer fits. */
function forged({ cert, key }: IssuedPair, from: string, to: string): IssuedPair {
  const der = Buffer.from(cert.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const changed = Buffer.from(der.toString('latin1').replace(from, to), 'latin1');
  expect(changed.equals(der)).toBe(false);
  return { cert: pem('CERTIFICATE', changed), key };
}

/** Makes certificates that are each wrong in one way, and otherwise good. */
async function wrongCertificates(
  { file, now, before, subject: issuer }: Trusted,
  name: string,
  headers: Shown['headers'],
): Promise<Readonly<Record<Way, IssuedPair>>> {
  const good: Wanted = { subject: `CN=${name}`, purposes: ['client'] };
  const others = `other-${name}`.slice(0, name.length);
  const revoked = await before.issue(good);
  expect(await userOf({ ...revoked, headers })).toBe('anna');
  writeFileSync(file, now.cert);
  await expect.poll(() => userOf({ ...revoked, headers }), { timeout: 20_000 }).toBe(401);
  return {
    expired: await now.issue({ ...good, until: new Date('2021-01-01') }),
    'not yet valid': await now.issue({ ...good, from: new Date('2039-01-01') }),
    // Uses another key under the name of the authority.
    'wrong key': await (await makeAuthority(issuer)).issue(good),
    'wrong audience': await now.issue({ ...good, purposes: ['server'] }),
    'wrong issuer': await (await makeAuthority('CN=strangers')).issue(good),
    malformed: forged(await now.issue({ ...good, subject: `CN=${others}` }), others, name),
    oversized: await now.issue({ ...good, names: Array.from({ length: 8000 }, (_, i) => `name-${i}.example.com`) }),
    revoked,
    // A certificate must have an algorithm. The nearest to none is an algorithm with forgeable signatures.
    'alg none': await now.issue({ ...good, hash: 'SHA-1' }),
    // Signs with the key of a certificate that is not an authority.
    'key confusion': await issueBelow(good.subject, await now.issue(good), good),
  };
}

const asAnna = { 'x-remote-user': 'anna' };

const methods: Readonly<Record<string, Method<Shown>>> = {
  'client certificate': {
    good: async () => [await clients.now.issue({ subject: 'CN=anna', purposes: ['client'] }), 'anna'],
    wrong: () => wrongCertificates(clients, 'anna', {}),
  },
  'headers of a proxy': {
    good: async () => [{ ...(await proxyCertificate('front')), headers: asAnna }, 'anna'],
    async wrong() {
      const wrong = await wrongCertificates(proxies, 'front', asAnna);
      const entries = Object.entries(wrong).map(([way, shown]) => [way, { ...shown, headers: asAnna }]);
      return Object.fromEntries(entries);
    },
  },
};

describe.each(Object.entries(methods))('by %s', (_, method) => testMethod(method, userOf));

describe('headers of a proxy, beside good certificates of other kinds', () => {
  it.each<[string, () => Promise<Shown>, string | number]>([
    ['of no certificate', async () => ({ headers: asAnna }), 401],
    ['of a proxy that is not allowed', async () => ({ ...(await proxyCertificate('other')), headers: asAnna }), 401],
    ['without a user', async () => ({ ...(await proxyCertificate('front')), headers: { 'x-remote-user': '' } }), 401],
    ['of a client', async () => ({ ...(await clients.now.issue({ subject: 'CN=front' })), headers: asAnna }), 'front'],
  ])('%s', async (_, shown, expected) => expect(await userOf(await shown())).toBe(expected));
});
