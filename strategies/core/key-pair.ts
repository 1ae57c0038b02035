/** Checks that a certificate and a private key belong together, as servers that use them do. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { parseCertificate } from '../../runtime/codec/certificates/certificates.js';
import { type PemBlock, pemBlocks } from '../../runtime/codec/certificates/pem.js';

/** The problem of a certificate (PEM, the server's own first) and its key (PEM); `undefined` where they match. */
export function keyPairProblem(certificatePem: Uint8Array, keyPem: Uint8Array): string | undefined {
  const certificates = pemBlocks(certificatePem);
  const certificate = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (!certificate) return missingCertificate(certificates);
  const keys = pemBlocks(keyPem);
  const key = keys.find(({ type }) => isKeyType(type));
  if (!key) return missingKey(keys);
  const parsed = parseCertificate(certificate.bytes);
  if (!parsed) return 'x509: malformed certificate';
  const privateKey = parseKey(key.bytes);
  if (!privateKey) return 'tls: failed to parse private key';
  if (parsed.publicKey.asymmetricKeyType !== privateKey.asymmetricKeyType) {
    return 'tls: private key type does not match public key type';
  }
  return parsed.checkPrivateKey(privateKey) ? undefined : 'tls: private key does not match public key';
}

const isKeyType = (type: string): boolean => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');

function missingCertificate(blocks: readonly PemBlock[]): string {
  const types = blocks.map(({ type }) => type);
  const [only] = types;
  if (only === undefined) return 'tls: failed to find any PEM data in certificate input';
  if (types.length === 1 && only.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function missingKey(blocks: readonly PemBlock[]): string {
  const types = blocks.map(({ type }) => type);
  const [only] = types;
  if (only === undefined) return 'tls: failed to find any PEM data in key input';
  if (types.length === 1 && only === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

/** A key in any of the forms that PEM blocks hold, whatever their type says. */
function parseKey(der: Uint8Array): KeyObject | undefined {
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    try {
      return createPrivateKey({ key: Buffer.from(der), format: 'der', type });
    } catch {
      // Not this form; the next one may fit.
    }
  }
  return undefined;
}
