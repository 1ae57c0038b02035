import 'reflect-metadata';
import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { X509Certificate as ReadCertificate, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  agentNameOf,
  defineAuthority,
  defineRequestSigner,
  readSigningAuthority,
  type SignerId,
  type SigningAuthority,
} from '../../../plugins/index.js';
import { kubernetesNaming } from '../../../runtime/objects/names/naming.js';
import { makeAuthority } from '../../support/certificate-authority.js';
import { type AlgorithmName, type FurtherName, makeRequestAndKey } from '../../support/certificates.js';

const now = Date.UTC(2026, 0, 1);
const hourMs = 3_600_000;
const authority = defineAuthority({ secret: undefined, name: 'signer', now });

interface Asked {
  readonly signer?: SignerId;
  readonly subject?: string;
  readonly algorithm?: AlgorithmName;
  readonly names?: readonly FurtherName[];
  readonly usages?: readonly string[];
  readonly expirationSeconds?: number;
  readonly by?: SigningAuthority;
  readonly longestMs?: number;
}

async function sign({ by = authority.signing, longestMs = 365 * 24 * hourMs, ...asked }: Asked) {
  const { signer = 'apiserverClient', subject = 'O=devs, CN=anna', algorithm, names, usages = ['client auth'] } = asked;
  const { request, key } = await makeRequestAndKey(subject, algorithm, names);
  const { expirationSeconds } = asked;
  const spec = {
    request: Buffer.from(request).toString('base64'),
    usages,
    ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
  };
  return { result: defineRequestSigner({ signer, authority: () => by, longestMs })(spec, now), key };
}

async function signed(asked: Asked): Promise<X509Certificate> {
  const { result, key } = await sign(asked);
  if (!result.ok) throw new Error(result.problem);
  const certificate = new X509Certificate(result.certificate);
  expect(certificate.publicKey.equals(createPublicKey(key))).toBe(true);
  return certificate;
}

const problem = async (asked: Asked): Promise<string> => {
  const { result } = await sign(asked);
  return result.ok ? '' : result.problem;
};

const agent = { signer: 'apiserverClientAgent', subject: 'O=system:nodes, CN=system:node:n1' } as const;
const agentUsages = ['key encipherment', 'digital signature', 'client auth'];
const serving = { signer: 'agentServing', subject: agent.subject } as const;
const servingUsages = ['key encipherment', 'digital signature', 'server auth'];
const dns: FurtherName = { type: 'dns', value: 'n1.example.com' };
const ip: FurtherName = { type: 'ip', value: '10.1.2.3' };
const email: FurtherName = { type: 'email', value: 'a@example.com' };
const url: FurtherName = { type: 'url', value: 'https://example.com/n1' };

describe('certificates', () => {
  it.each<AlgorithmName>(['ECDSA P-256', 'ECDSA P-384', 'RSA SHA-256', 'Ed25519'])('have keys of %s', async (one) => {
    const certificate = await signed({ algorithm: one });
    expect(certificate.verify(createPublicKey(authority.certificate))).toBe(true);
    expect(certificate.checkIssued(new X509Certificate(authority.certificate))).toBe(true);
    expect(certificate.subject).toBe('O=devs\nCN=anna');
  });

  it('never make an authority, whatever the request asks for', async () => {
    expect((await signed({})).ca).toBe(false);
    expect((await signed({ signer: 'legacyUnknown', usages: ['cert sign'] })).ca).toBe(false);
  });

  it('have the usages and names of the request', async () => {
    const one = new ReadCertificate((await signed({ ...serving, names: [dns, ip], usages: servingUsages })).raw);
    const purposes = one.extensions.find(({ type }) => type === '2.5.29.37');
    expect(Buffer.from(purposes?.value ?? new ArrayBuffer(0)).toString('hex')).toBe('300a06082b06010505070301');
    const usage = one.extensions.find(({ type }) => type === '2.5.29.15');
    // digitalSignature and keyEncipherment: the first and the third bit.
    expect(Buffer.from(usage?.value ?? new ArrayBuffer(0)).toString('hex')).toBe('030205a0');
    const names = one
      .getExtension(SubjectAlternativeNameExtension)
      ?.names.items.map(({ type, value }) => ({ type, value }));
    expect(names).toEqual([dns, ip]);
  });

  it('accept any known usage of old requests, and no unknown one', async () => {
    const usages = ['signing', 'content commitment', 'decipher only', 'any', 'ipsec user', 's/mime', 'netscape sgc'];
    expect((await signed({ signer: 'legacyUnknown', usages })).keyUsage).toEqual([
      '2.5.29.37.0',
      '1.3.6.1.5.5.7.3.7',
      '1.3.6.1.5.5.7.3.4',
      '2.16.840.1.113730.4.1',
    ]);
    expect(await problem({ signer: 'legacyUnknown', usages: ['flying'] })).toMatch(/usage is unknown: flying/);
  });
});

describe('the life of a certificate', () => {
  const lifeOf = async (asked: Asked) => {
    const { validFrom, validTo } = await signed(asked);
    return { from: (Date.parse(validFrom) - now) / 60_000, until: (Date.parse(validTo) - now) / 60_000 };
  };

  it("is the signer's maximum by default", async () =>
    expect(await lifeOf({ longestMs: 100 * hourMs })).toEqual({ from: -5, until: 100 * 60 - 5 }));

  it("is the shorter of the request and the signer's maximum", async () => {
    expect(await lifeOf({ expirationSeconds: 86_400 })).toEqual({ from: -5, until: 24 * 60 - 5 });
    expect(await lifeOf({ expirationSeconds: 86_400, longestMs: hourMs })).toEqual({ from: -5, until: 60 });
    expect(await lifeOf({ expirationSeconds: 600 })).toEqual({ from: -5, until: 10 });
  });

  it('ends with the authority at the latest', async () => {
    const by = { ...authority.signing, until: now + hourMs };
    expect(await lifeOf({ by })).toEqual({ from: -5, until: 60 });
    expect(await problem({ by: { ...by, until: now } })).toBe('the authority has expired');
  });
});

describe('rules', () => {
  it('let clients of the server have any subject, but only client usages', async () => {
    expect(await problem({ usages: agentUsages, names: [dns, email] })).toBe('');
    expect(await problem({ usages: ['digital signature'] })).toBe('the usages lack client auth');
    expect(await problem({ usages: ['client auth', 'server auth'] })).toMatch(/^usages server auth are not signed/);
  });

  it.each<[string, Asked, string]>([
    ['the usages', { ...agent, usages: agentUsages }, ''],
    [
      'fewer usages',
      { ...agent, usages: agentUsages.slice(1) },
      'the usages are not client auth, digital signature, key encipherment',
    ],
    [
      'more usages',
      { ...agent, usages: [...agentUsages, 'server auth'] },
      'the usages are not client auth, digital signature, key encipherment',
    ],
    [
      'another group',
      { ...agent, subject: 'O=devs, CN=system:node:n1', usages: agentUsages },
      'the organization is not system:nodes',
    ],
    [
      'two groups',
      { ...agent, subject: 'O=system:nodes, O=devs, CN=system:node:n1', usages: agentUsages },
      'the organization is not system:nodes',
    ],
    [
      'another name',
      { ...agent, subject: 'O=system:nodes, CN=n1', usages: agentUsages },
      'the common name does not begin with system:node:',
    ],
    ['a DNS name', { ...agent, usages: agentUsages, names: [dns] }, 'subjectAltNames are not allowed'],
    ['an address', { ...agent, usages: agentUsages, names: [ip] }, 'subjectAltNames are not allowed'],
    ['an email', { ...agent, usages: agentUsages, names: [email] }, 'subjectAltNames are not allowed'],
    ['a URI', { ...agent, usages: agentUsages, names: [url] }, 'subjectAltNames are not allowed'],
  ])('check agents as clients, with %s', async (_what, asked, expected) => expect(await problem(asked)).toBe(expected));

  it.each<[string, Asked, string]>([
    ['a DNS name', { ...serving, usages: servingUsages, names: [dns] }, ''],
    ['an address', { ...serving, usages: servingUsages, names: [ip] }, ''],
    ['no name', { ...serving, usages: servingUsages }, 'a DNS or IP subjectAltName is required'],
    [
      'an email',
      { ...serving, usages: servingUsages, names: [dns, email] },
      'email and URI subjectAltNames are not allowed',
    ],
    [
      'a URI',
      { ...serving, usages: servingUsages, names: [dns, url] },
      'email and URI subjectAltNames are not allowed',
    ],
    [
      'usages of clients',
      { ...serving, usages: agentUsages, names: [dns] },
      'the usages are not digital signature, key encipherment, server auth',
    ],
    [
      'another subject',
      { ...serving, subject: 'CN=system:node:n1', usages: servingUsages, names: [dns] },
      'the organization is not system:nodes',
    ],
  ])('check agents as servers, with %s', async (_what, asked, expected) => expect(await problem(asked)).toBe(expected));
});

describe('agentNameOf', () => {
  const signerName = kubernetesNaming.signers.apiserverClientAgent;
  const nameOf = async (subject: string, usages: readonly string[], signer = signerName) => {
    const { request } = await makeRequestAndKey(subject);
    const spec = { request: Buffer.from(request).toString('base64'), usages, signerName: signer };
    return agentNameOf(spec, kubernetesNaming);
  };

  it('is the name of requests that the signer of agents would sign', async () => {
    expect(await nameOf(agent.subject, agentUsages)).toBe('system:node:n1');
    expect(await nameOf('O=devs, CN=system:node:n1', agentUsages)).toBeUndefined();
    expect(await nameOf(agent.subject, agentUsages, kubernetesNaming.signers.apiserverClient)).toBeUndefined();
  });
});

describe('readSigningAuthority', () => {
  const read = (cert: string, key: string) => readSigningAuthority(Buffer.from(cert), Buffer.from(key));
  let given: { readonly cert: string; readonly key: string };
  beforeAll(async () => {
    given = await makeAuthority('CN=given');
  });

  it('signs with the certificate and key of the files', async () => {
    const opened = read(given.cert, given.key);
    if (!opened.ok) throw new Error(opened.problem);
    const certificate = await signed({ by: opened.authority });
    expect(certificate.verify(new X509Certificate(given.cert).publicKey)).toBe(true);
    expect(certificate.issuer).toBe('CN=given');
  });

  it('refuses other files', async () => {
    const rsaPss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey;
    const leaf = await (await makeAuthority('CN=above')).issue({ subject: 'CN=leaf' });
    const other = await makeAuthority('CN=other');
    expect(read('', given.key)).toMatchObject({ problem: 'the first file holds no certificate in PEM' });
    expect(read(leaf.cert, leaf.key)).toMatchObject({ problem: 'the certificate is not a CA certificate' });
    expect(read(given.cert, 'x')).toMatchObject({ problem: /holds no private key/ });
    expect(read(given.cert, rsaPss.export({ type: 'pkcs8', format: 'pem' }).toString())).toMatchObject({ ok: false });
    expect(read(given.cert, other.key)).toMatchObject({ problem: 'the key does not belong to the certificate' });
  });

  it.each([
    ['rsa', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['P-384', generateKeyPairSync('ec', { namedCurve: 'secp384r1' })],
    ['P-521', generateKeyPairSync('ec', { namedCurve: 'secp521r1' })],
    ['Ed25519', generateKeyPairSync('ed25519')],
  ])('signs with a key of %s', async (_kind, { privateKey, publicKey }) =>
    expect((await signed({ by: { ...authority.signing, privateKey } })).verify(publicKey)).toBe(true),
  );
});
