/** Authorities for tests. They sign good and bad certificates of every kind, with another library than the server's. */
import 'reflect-metadata';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  type Extension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { algorithms, makeKeys, privateKeyPem } from './certificates.js';

/** A certificate and its key, in PEM. */
export interface IssuedPair {
  readonly cert: string;
  readonly key: string;
}

/** The contents of a certificate. Absent fields get the values that clients need. */
export interface Wanted {
  /** As in `CN=anna, O=devs`. */
  readonly subject: string;
  readonly from?: Date;
  readonly until?: Date;
  /** Absent for all purposes; `none` names none. */
  readonly purposes?: readonly ('client' | 'server')[] | 'none';
  /** The hash that is signed; SHA-256 by default. */
  readonly hash?: 'SHA-1';
  /** Names and addresses of a server. */
  readonly names?: readonly string[];
}

export interface TestAuthority extends IssuedPair {
  issue(wanted: Wanted): Promise<IssuedPair>;
  below(subject: string): Promise<TestAuthority>;
}

const purposeIds = { client: '1.3.6.1.5.5.7.3.2', server: '1.3.6.1.5.5.7.3.1' } as const;
const usualFrom = new Date('2020-01-01');
const usualUntil = new Date('2040-01-01');
const signingAlgorithm = algorithms['ECDSA P-256'];
let serials = 16;
const serialNumber = (): string => (++serials).toString(16).padStart(4, '0');

export async function makeAuthority(subject: string, until = usualUntil): Promise<TestAuthority> {
  const keys = await makeKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: subject,
    keys,
    signingAlgorithm,
    serialNumber: serialNumber(),
    notBefore: usualFrom,
    notAfter: until,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  return authority(subject, keys, `${certificate.toString('pem')}\n`);
}

/** Makes a self-signed certificate. */
export async function selfSigned({ subject, ...wanted }: Wanted): Promise<IssuedPair> {
  const keys = await makeKeys();
  return signed({ subject, ...wanted }, subject, keys, keys);
}

async function authority(subject: string, keys: CryptoKeyPair, cert: string): Promise<TestAuthority> {
  return {
    cert,
    key: await privateKeyPem(keys),
    issue: async (wanted) => signed(wanted, subject, keys, await makeKeys()),
    async below(name) {
      const own = await makeKeys();
      const extensions = [new BasicConstraintsExtension(true, undefined, true)];
      const certificate = await X509CertificateGenerator.create({
        ...(await common(subject, keys)),
        subject: name,
        publicKey: own.publicKey,
        notBefore: usualFrom,
        notAfter: usualUntil,
        extensions,
      });
      return authority(name, own, `${certificate.toString('pem')}\n`);
    },
  };
}

const common = async (issuer: string, keys: CryptoKeyPair) => ({
  issuer,
  signingKey: keys.privateKey,
  signingAlgorithm,
  serialNumber: serialNumber(),
});

async function signed(
  { subject, from = usualFrom, until = usualUntil, purposes = 'none', names = [], hash }: Wanted,
  issuer: string,
  by: CryptoKeyPair,
  own: CryptoKeyPair,
): Promise<IssuedPair> {
  const extensions: Extension[] = [await AuthorityKeyIdentifierExtension.create(by.publicKey)];
  if (purposes !== 'none') extensions.push(new ExtendedKeyUsageExtension(purposes.map((one) => purposeIds[one])));
  if (names.length > 0) {
    extensions.push(
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) > 0 ? ('ip' as const) : ('dns' as const), value })),
      ),
    );
  }
  const certificate = await X509CertificateGenerator.create({
    ...(await common(issuer, by)),
    ...(hash === undefined ? {} : { signingAlgorithm: { ...signingAlgorithm, hash } }),
    subject,
    publicKey: own.publicKey,
    notBefore: from,
    notAfter: until,
    extensions,
  });
  return { cert: `${certificate.toString('pem')}\n`, key: await privateKeyPem(own) };
}

/** Makes a certificate, and signs it with the key of another one, even if that one must not sign. */
export async function issueBelow(issuer: string, { key }: IssuedPair, wanted: Wanted): Promise<IssuedPair> {
  const der = Buffer.from(key.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const privateKey = await crypto.subtle.importKey('pkcs8', der, signingAlgorithm, true, ['sign']);
  const { d: _secret, key_ops: _uses, ...open } = await crypto.subtle.exportKey('jwk', privateKey);
  const publicKey = await crypto.subtle.importKey('jwk', open, signingAlgorithm, true, ['verify']);
  return signed(wanted, issuer, { privateKey, publicKey }, await makeKeys());
}
