/** Makes keys, certificate requests and certificates for tests. */
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  type Extension,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

type Keys = CryptoKeyPair;

/** The algorithms of keys, by the names that tests use. */
export const algorithms = {
  'ECDSA P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'ECDSA P-384': { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  'RSA SHA-1': { ...rsa('RSASSA-PKCS1-v1_5', 'SHA-1') },
  'RSA SHA-256': { ...rsa('RSASSA-PKCS1-v1_5', 'SHA-256') },
  'RSA SHA-512': { ...rsa('RSASSA-PKCS1-v1_5', 'SHA-512') },
  'RSA-PSS SHA-256': { ...rsa('RSA-PSS', 'SHA-256') },
  Ed25519: { name: 'Ed25519' },
} as const;

export type AlgorithmName = keyof typeof algorithms;

/** Returns the parameters for signing with a key. PSS also needs the length of its salt. */
function signing(algorithm: AlgorithmName): Algorithm & { hash?: string } {
  const pss = algorithm === 'RSA-PSS SHA-256';
  return { ...algorithms[algorithm], ...(pss ? { saltLength: 32 } : {}) };
}

function rsa(name: string, hash: string) {
  return { name, hash, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
}

export async function makeKeys(algorithm: AlgorithmName = 'ECDSA P-256'): Promise<Keys> {
  const keys = await crypto.subtle.generateKey(algorithms[algorithm], true, ['sign', 'verify']);
  if (!('privateKey' in keys)) throw new Error('no key pair');
  return keys;
}

/** Makes a request in PEM. `subject` is like `O=devs, CN=alice`. */
export const makeRequest = async (subject: string, algorithm?: AlgorithmName): Promise<string> =>
  (await makeRequestAndKey(subject, algorithm)).request;

/** A further name that a request may ask for. */
export type FurtherName = { readonly type: 'dns' | 'ip' | 'email' | 'url'; readonly value: string };

/** Makes a request, with further names if given, and its private key; both in PEM. */
export async function makeRequestAndKey(
  subject: string,
  algorithm: AlgorithmName = 'ECDSA P-256',
  names: readonly FurtherName[] = [],
): Promise<{ readonly request: string; readonly key: string }> {
  const keys = await makeKeys(algorithm);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys,
    signingAlgorithm: signing(algorithm),
    // Requests more names than the certificate gets.
    extensions: [
      new BasicConstraintsExtension(true),
      ...(names.length === 0 ? [] : [new SubjectAlternativeNameExtension([...names])]),
    ],
  });
  return { request: `${request.toString('pem')}\n`, key: await privateKeyPem(keys) };
}

/** Makes the self-signed certificate of an authority, in PEM. */
export const makeAuthority = async (): Promise<string> =>
  `${(await makeCertificate(await makeKeys(), [new BasicConstraintsExtension(true)])).toString('pem')}\n`;

/** Makes a self-signed certificate. */
export const makeCertificate = async (keys: Keys, extensions: Extension[] = []): Promise<X509Certificate> =>
  X509CertificateGenerator.createSelfSigned({
    name: 'CN=test',
    keys,
    signingAlgorithm: algorithms['ECDSA P-256'],
    serialNumber: '01',
    notBefore: new Date('2020-01-01'),
    notAfter: new Date('2040-01-01'),
    extensions,
  });

/** Makes a self-signed certificate and key in PEM for a server on this machine, with further names if given. */
export async function makeServerCertificate(
  ...names: readonly string[]
): Promise<{ readonly cert: string; readonly key: string }> {
  const keys = await makeKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    keys,
    signingAlgorithm: algorithms['ECDSA P-256'],
    serialNumber: '02',
    notBefore: new Date('2020-01-01'),
    notAfter: new Date('2040-01-01'),
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        ...names.map((value) => ({ type: 'dns' as const, value })),
      ]),
    ],
  });
  return { cert: certificate.toString('pem'), key: await privateKeyPem(keys) };
}

/** Prints a private key in PEM (PKCS#8). */
export async function privateKeyPem(keys: Keys): Promise<string> {
  return pem('PRIVATE KEY', Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)));
}

/** Prints a PEM block. */
export function pem(type: string, bytes: Uint8Array, headers = ''): string {
  const lines = Buffer.from(bytes)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n');
  return `-----BEGIN ${type}-----\n${headers}${lines}-----END ${type}-----\n`;
}
