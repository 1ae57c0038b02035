/** Reads `etcd:…`. */
import { describe, expect, it } from 'vitest';
import { readEtcd } from '../../../../server/text/storage.js';

const refusal = (text: string) => {
  const read = readEtcd(text);
  return read.ok ? undefined : read.failure.message;
};

describe('storage in etcd', () => {
  it('accepts endpoints of all forms', () =>
    expect(readEtcd('127.0.0.1:2379,https://etcd-1.example:2379, [::1]:23790')).toMatchObject({
      ok: true,
      value: {
        endpoints: ['127.0.0.1:2379', 'https://etcd-1.example:2379', '[::1]:23790'],
        prefix: '/kindforge/',
        compaction: true,
      },
    }));

  it('accepts options, and adds slashes to the prefix', () => {
    const search = 'prefix=a/b&user=u&password-file=/p&ca=ca.pem&cert=c.pem&key=k.pem&compaction=false';
    expect(readEtcd(`e:1?${search}`)).toMatchObject({
      ok: true,
      value: {
        prefix: '/a/b/',
        user: 'u',
        passwordFile: '/p',
        ca: 'ca.pem',
        cert: 'c.pem',
        key: 'k.pem',
        compaction: false,
      },
    });
    for (const prefix of ['/a/b/', 'a/b/', '//a/b']) {
      expect(readEtcd(`e:1?prefix=${prefix}`)).toMatchObject({ ok: true, value: { prefix: '/a/b/' } });
    }
  });

  it('reports mistakes', () => {
    expect(refusal('')).toContain('"": must be an endpoint');
    expect(refusal('a:1,b')).toContain('"b": must be an endpoint');
    expect(refusal('a:1/x')).toContain('"a:1/x": must be an endpoint');
    expect(refusal('a:1?perfix=x')).toContain('option perfix is unknown');
    expect(refusal('a:1?user=x')).toContain('user and password-file must be given together');
    expect(refusal('a:1?key=x')).toContain('cert and key must be given together');
    expect(refusal('a:1?compaction=no')).toContain('compaction: must be true or false');
  });
});
