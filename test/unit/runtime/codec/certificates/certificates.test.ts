/** Certificates from signers. */
import { beforeAll, describe, expect, it } from 'vitest';
import { authoritiesProblem, certificatesProblem } from '../../../../../runtime/codec/certificates/certificates.js';
import { makeCertificate, makeKeys, pem } from '../../../../support/certificates.js';

const problem = (text: string) => certificatesProblem(Buffer.from(text));

describe('certificatesProblem', () => {
  let der = Buffer.alloc(0);
  beforeAll(async () => {
    der = Buffer.from((await makeCertificate(await makeKeys())).rawData);
  });

  it('accepts one certificate, several, and several in one block, with text around', () => {
    const one = pem('CERTIFICATE', der);
    expect(problem(one)).toBeUndefined();
    expect(problem(`first\n${one}then\n${one}last`)).toBeUndefined();
    expect(problem(pem('CERTIFICATE', Buffer.concat([der, der])))).toBeUndefined();
  });

  it('accepts an absent value', () => {
    expect(problem('')).toBeUndefined();
  });

  it('requires a block', () => {
    expect(problem('text')).toBe('must contain at least one CERTIFICATE PEM block');
  });

  it('refuses other blocks, wherever they are', () => {
    const rule = 'only CERTIFICATE PEM blocks are allowed, found "PRIVATE KEY"';
    expect(problem(pem('PRIVATE KEY', der))).toBe(rule);
    expect(problem(pem('CERTIFICATE', der) + pem('PRIVATE KEY', der))).toBe(rule);
  });

  it('refuses headers', () => {
    expect(problem(pem('CERTIFICATE', der, 'Key: value\n\n'))).toBe('no PEM block headers are permitted');
  });

  it('refuses an empty block, and any content except a certificate', () => {
    expect(problem('-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n')).toMatch(/containing 0 certificates/);
    for (const bytes of [Buffer.from('text'), der.subarray(0, -1), Buffer.concat([der, Buffer.from([0x30, 0])])]) {
      expect(problem(pem('CERTIFICATE', bytes))).toBe('x509: malformed certificate');
    }
  });

  it('requires one readable certificate of an authority', () => {
    const bundle = (text: string) => authoritiesProblem(Buffer.from(text));
    const [one, key, broken] = [pem('CERTIFICATE', der), pem('PRIVATE KEY', der), pem('CERTIFICATE', Buffer.from('x'))];
    expect([bundle(''), bundle(one), bundle(key + broken + one)]).toEqual([undefined, undefined, undefined]);
    expect(bundle('text')).toBe('unable to parse bytes as PEM block');
    expect(bundle(key)).toBe('no valid certificate authority data seen');
    expect(bundle(broken)).toBe('failed to parse certificate: x509: malformed certificate');
  });
});
