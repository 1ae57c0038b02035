import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { defineClientCertificates } from '../../../../plugins/index.js';
import type { Authentication, ClientCertificate } from '../../../../runtime/contract/index.js';
import { testAuthenticator } from '../../../support/authenticator-suite.js';
import { makeAuthority, type TestAuthority } from '../../../support/certificate-authority.js';

const first = await makeAuthority('CN=first');
const anna = await first.issue({
  subject: 'CN=anna, O=devs',
  from: new Date('2025-01-01'),
  until: new Date('2026-01-01'),
});
const der = (pem: string): Uint8Array => new X509Certificate(pem).raw;
const shown = (...pems: string[]): ClientCertificate => ({ chain: pems.map(der) });
const asked = (clientCertificate: ClientCertificate) => ({ headers: {}, clientCertificate });
const during = Date.parse('2025-06-01');
const after = Date.parse('2026-01-02');
const nameIn = (found: Authentication | Promise<Authentication>): unknown =>
  found && 'user' in found ? found.user.name : found && 'refused' in found ? found.refused : found;

testAuthenticator({
  authenticator: defineClientCertificates(
    () => [new X509Certificate(first.cert)],
    () => during,
  ),
  recognized: asked(shown(anna.cert)),
  name: 'anna',
  wrong: { ...asked({ ...shown(anna.cert), problem: 'CERT_REVOKED' }), headers: { authorization: 'Bearer secret' } },
  foreign: { headers: { authorization: 'Bearer token' } },
});

describe('a client certificate', () => {
  let second: TestAuthority;
  beforeAll(async () => {
    second = await makeAuthority('CN=second');
  });

  it('can expire and become valid during a connection', () => {
    let now = Date.parse('2024-12-31');
    const authorities = [new X509Certificate(first.cert)];
    const { authenticate } = defineClientCertificates(
      () => authorities,
      () => now,
    );
    const credentials = asked(shown(anna.cert));
    expect(nameIn(authenticate(credentials))).toContain('not yet valid');
    now = during;
    expect(nameIn(authenticate(credentials))).toBe('anna');
    now = after;
    expect(nameIn(authenticate(credentials))).toContain('expired');
  });

  it('counts as long as its authority does', () => {
    let authorities = [new X509Certificate(first.cert)];
    const { authenticate } = defineClientCertificates(
      () => authorities,
      () => during,
    );
    const credentials = asked(shown(anna.cert));
    expect(nameIn(authenticate(credentials))).toBe('anna');
    authorities = [new X509Certificate(second.cert)];
    expect(nameIn(authenticate(credentials))).toBe('x509: certificate signed by unknown authority');
    authorities = [new X509Certificate(second.cert), new X509Certificate(first.cert)];
    expect(nameIn(authenticate(credentials))).toBe('anna');
  });

  it('is refused if another authority with the same name signed it', async () => {
    const forged = await (await makeAuthority('CN=first')).issue({ subject: 'CN=anna' });
    const { authenticate } = defineClientCertificates(
      () => [new X509Certificate(first.cert)],
      () => during,
    );
    expect(nameIn(authenticate(asked(shown(forged.cert))))).toBe('x509: certificate signed by unknown authority');
  });

  it('is refused if TLS did not verify it', () => {
    const { authenticate } = defineClientCertificates(
      () => [new X509Certificate(first.cert)],
      () => during,
    );
    expect(nameIn(authenticate(asked({ ...shown(anna.cert), problem: 'INVALID_PURPOSE' })))).toContain(
      'INVALID_PURPOSE',
    );
  });

  it('is verified through intermediate certificates in any order', async () => {
    const middle = await first.below('CN=middle');
    const own = await middle.issue({ subject: 'CN=bert' });
    const old = await first.below('CN=other');
    const { authenticate } = defineClientCertificates(
      () => [new X509Certificate(first.cert)],
      () => during,
    );
    expect(nameIn(authenticate(asked(shown(own.cert, old.cert, middle.cert))))).toBe('bert');
    expect(nameIn(authenticate(asked(shown(own.cert, old.cert))))).toContain('unknown authority');
  });

  it('takes at most quadratic time, however often authorities sign each other', async () => {
    const loops = await Promise.all(Array.from({ length: 10 }, () => first.below('CN=first')));
    const own = await (await makeAuthority('CN=first')).issue({ subject: 'CN=eve' });
    const { authenticate } = defineClientCertificates(
      () => [new X509Certificate(second.cert)],
      () => during,
    );
    const all = asked(shown(own.cert, ...loops.map(({ cert }) => cert)));
    expect(nameIn(authenticate(all))).toContain('unknown authority');
  });
});
