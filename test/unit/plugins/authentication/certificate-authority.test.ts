import { createPrivateKey as privateKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { defineAuthority } from '../../../../plugins/index.js';
import { certificateSubject } from '../../../../runtime/codec/certificates/read-name.js';

const secret = Buffer.alloc(32, 1);
const day = 86_400_000;
const now = Date.parse('2026-01-01');
const define = (more: Partial<Parameters<typeof defineAuthority>[0]> = {}) =>
  defineAuthority({ secret, name: 'some-ca', now, ...more });
const read = ({ certificate }: { readonly certificate: string }) => new X509Certificate(certificate);

describe('an authority', () => {
  it('has a key derived from the secret and its name', () => {
    const [one, again, renamed, other] = [define(), define(), define({ name: 'b' }), define({ secret: undefined })];
    expect(read(one).publicKey.equals(read(again).publicKey)).toBe(true);
    expect(read(one).publicKey.equals(read(renamed).publicKey)).toBe(false);
    expect(read(one).publicKey.equals(read(other).publicKey)).toBe(false);
    expect(read(one)).toMatchObject({ ca: true, subject: 'CN=some-ca', issuer: 'CN=some-ca' });
    expect(read(one).verify(read(again).publicKey)).toBe(true);
  });

  it.each([
    ['until it is about to end', now + 3650 * day * 0.79, true],
    ['no longer', now + 3650 * day * 0.81, false],
    ['not before it begins', now - day, false],
  ])('keeps its certificate %s', (_when, later, isKept) => {
    const kept = define().certificate;
    expect(define({ kept, now: later }).certificate === kept).toBe(isKept);
  });

  it.each([
    ['another key', { secret: Buffer.alloc(32, 2) }],
    ['another name', { name: 'b' }],
  ])('keeps no certificate of %s', (_what, more) => {
    const kept = define(more).certificate;
    expect(define({ kept }).certificate).not.toBe(kept);
  });

  it('ignores an invalid text', () => expect(read(define({ kept: 'broken' })).ca).toBe(true));

  it('signs certificates for servers and for clients', () => {
    const authority = define();
    const times = { notBefore: new Date(now), notAfter: new Date('2051-02-03T04:05:06Z') };
    const names = ['a.example.com', '*.b.example.com', '10.1.2.3', 'fd00::1:2', '::1'];
    const subject = { commonName: 'ünï', organizations: ['a, b', 'c+d=e'] };
    const { cert, key } = authority.issue({ ...times, subject, use: 'server', names });
    const issued = new X509Certificate(cert);
    expect(issued.checkIssued(read(authority)) && issued.verify(read(authority).publicKey)).toBe(true);
    expect(issued.ca).toBe(false);
    expect(issued.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(Date.parse(issued.validTo)).toBe(times.notAfter.getTime());
    expect(Date.parse(issued.validFrom)).toBe(now);
    expect(issued.checkPrivateKey(privateKey(key))).toBe(true);
    expect(issued.checkHost('a.example.com') && issued.checkHost('x.b.example.com')).toBeTruthy();
    expect(['10.1.2.3', 'fd00::1:2', '::1'].map((one) => issued.checkIP(one) !== undefined)).toEqual([
      true,
      true,
      true,
    ]);
    const client = new X509Certificate(authority.issue({ ...times, subject, use: 'client' }).cert);
    expect(client.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(certificateSubject(client.raw)).toEqual(subject);
    expect(client.serialNumber).not.toBe(issued.serialNumber);
  });

  it('signs certificates of any length', () => {
    const names = Array.from({ length: 3000 }, (_, i) => `host-${i}.a-rather-long-name.example.com`);
    const { cert } = define().issue({
      notBefore: new Date(now),
      notAfter: new Date(now + day),
      subject: { commonName: 'a', organizations: [] },
      use: 'server',
      names,
    });
    expect(new X509Certificate(cert).checkHost(names[2999] ?? '')).toBe(names[2999]);
  });
});
