/** Certificates and the keys that belong to them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { keyPairProblem } from '../../../../strategies/core/key-pair.js';
import { makeCertificate, makeKeys, pem, privateKeyPem } from '../../../support/certificates.js';

const problem = (certificate: string, key: string) => keyPairProblem(Buffer.from(certificate), Buffer.from(key));

describe('keyPairProblem', () => {
  let certificate = '';
  let key = '';
  let otherKey = '';
  let rsaKey = '';
  beforeAll(async () => {
    const keys = await makeKeys();
    certificate = (await makeCertificate(keys)).toString('pem');
    key = await privateKeyPem(keys);
    otherKey = await privateKeyPem(await makeKeys());
    rsaKey = await privateKeyPem(await makeKeys('RSA SHA-256'));
  });

  it('finds nothing wrong with a pair, whatever else is in the texts', () => {
    expect(problem(certificate, key)).toBeUndefined();
    expect(
      problem(`text\n${pem('OTHER', Buffer.from('x'))}${certificate}`, `${pem('OTHER', Buffer.from('x'))}${key}`),
    ).toBeUndefined();
  });

  it('reports another key, and a key of another kind', () => {
    expect(problem(certificate, otherKey)).toBe('tls: private key does not match public key');
    expect(problem(certificate, rsaKey)).toBe('tls: private key type does not match public key type');
  });

  it('reports a missing part', () => {
    expect(problem('', key)).toBe('tls: failed to find any PEM data in certificate input');
    expect(problem(certificate, '')).toBe('tls: failed to find any PEM data in key input');
    expect(problem(pem('A', Buffer.from('x')) + pem('B', Buffer.from('x')), key)).toMatch(/following types: \[A B\]$/);
    expect(problem(certificate, pem('A', Buffer.from('x')))).toMatch(/following types: \[A\]$/);
  });

  it('reports that the two were switched', () => {
    expect(problem(key, certificate)).toMatch(/PEM inputs may have been switched$/);
    expect(problem(certificate, certificate)).toBe(
      'tls: found a certificate rather than a key in the PEM for the private key',
    );
  });

  it('reports a part that cannot be read', () => {
    expect(problem(pem('CERTIFICATE', Buffer.from('x')), key)).toBe('x509: malformed certificate');
    expect(problem(certificate, pem('PRIVATE KEY', Buffer.from('x')))).toBe('tls: failed to parse private key');
  });
});
