/** An RSA key with a self-signed certificate, as suites make them. */
import 'reflect-metadata';
import { type Extension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import type { IssuedPair } from '../certificate-authority.js';
import { algorithms, makeKeys, privateKeyPem } from '../certificates.js';

/** Makes a self-signed RSA certificate and its key. A server has `addresses`. */
export async function makeSelfSignedRsa(subject: string, ...addresses: readonly string[]): Promise<IssuedPair> {
  const keys = await makeKeys('RSA SHA-256');
  const names = addresses.map((value) => ({ type: 'ip' as const, value }));
  const extensions: Extension[] = names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)];
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: subject,
    keys,
    signingAlgorithm: algorithms['RSA SHA-256'],
    serialNumber: '01',
    notBefore: new Date('2020-01-01'),
    notAfter: new Date('2040-01-01'),
    extensions,
  });
  return { cert: `${certificate.toString('pem')}\n`, key: await privateKeyPem(keys) };
}
