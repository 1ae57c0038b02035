/** Makes requests for certificates of clients: a key, and a PKCS#10 request for it (RFC 2986). */
import { generateKeyPairSync, sign } from 'node:crypto';
import { spki } from '../../runtime/codec/certificates/extensions.js';
import { nameOf } from '../../runtime/codec/certificates/issue-certificate.js';
import type { Subject } from '../../runtime/codec/certificates/read-name.js';
import { bitString, inContext, integer, objectId, sequence } from '../../runtime/codec/certificates/write-der.js';

/** A private key and the request for its certificate, in PEM. */
export interface MadeRequest {
  readonly key: string;
  readonly request: string;
}

/** ECDSA with SHA-256 (RFC 5758). */
const algorithm = sequence(objectId('1.2.840.10045.4.3.2'));

/** Makes a new key on the curve P-256, and a request for a certificate of the subject that the key signs. */
export function makeCertificateRequest(subject: Subject): MadeRequest {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  // Version 1, and no attributes.
  const info = sequence(integer(Uint8Array.of(0)), nameOf(subject), spki(publicKey), inContext(0));
  const whole = sequence(info, algorithm, bitString(sign('sha256', info, privateKey)));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    request: `-----BEGIN CERTIFICATE REQUEST-----\n${whole.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE REQUEST-----\n`,
  };
}
