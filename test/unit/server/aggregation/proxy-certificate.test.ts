/** The certificate for servers behind this one: made from the secret of the data, or read from files. */
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProxyCertificate } from '../../../../server/aggregation/proxy-certificate.js';
import { makeServerCertificate } from '../../../support/certificates.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const secret = Buffer.alloc(32, 7);
const dayMs = 86_400_000;

describe('the certificate that a server makes', () => {
  it('is for a client, and its signer is an authority that belongs to the data', async () => {
    const first = await openProxyCertificate(undefined, secret, () => {});
    const again = await openProxyCertificate(undefined, secret, () => {});
    const certificate = new X509Certificate(first.current().cert);
    const [authority, other] = [first, again].map((one) => new X509Certificate(one.authority?.() ?? ''));
    expect(certificate.subject).toBe('CN=front-proxy-client');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(authority && certificate.verify(authority.publicKey)).toBe(true);
    expect(other && authority?.publicKey.equals(other.publicKey)).toBe(true);
  });

  it('is renewed in time, under the same authority', async () => {
    let now = Date.now();
    const made = await openProxyCertificate(
      undefined,
      secret,
      () => {},
      () => now,
    );
    const [before, authority] = [made.current().cert, made.authority?.()];
    now += 200 * dayMs;
    expect(made.current().cert).toBe(before);
    now += 100 * dayMs;
    expect(made.current().cert).not.toBe(before);
    expect(Date.parse(new X509Certificate(made.current().cert).validTo)).toBeGreaterThan(now + 300 * dayMs);
    expect(made.authority?.()).toBe(authority);
  });
});

describe('a given certificate', () => {
  const folder = scratchFolder();
  const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') };

  it('is presented, and reloaded', async () => {
    const pair = await makeServerCertificate();
    writeFileSync(files.certFile, pair.cert);
    writeFileSync(files.keyFile, pair.key);
    const followed: unknown[] = [];
    const given = await openProxyCertificate(files, secret, (one) => void followed.push(one));
    expect(given.current()).toEqual({ cert: pair.cert, key: pair.key });
    expect(given.authority).toBeUndefined();
    expect(followed).toHaveLength(1);
  });

  it('is refused if a file is missing, with the name of its option', async () => {
    const absent = { ...files, keyFile: join(folder, 'absent') };
    await expect(openProxyCertificate(absent, secret, () => {})).rejects.toThrow(
      /aggregation\.proxyCertificate\.keyFile/,
    );
  });
});
