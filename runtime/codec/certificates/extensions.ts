/** Writes extensions of certificates (RFC 5280 section 4.2.1) in DER. */
import { createHash, type KeyObject } from 'node:crypto';
import { bitString, der, objectId, octetString, sequence, yes } from './write-der.js';

/** Identifiers of the extensions. */
export const extensionIds = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

/** Makes an extension. Readers refuse a certificate with a critical extension that they do not know. */
export const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(objectId(id), ...(critical ? [yes] : []), octetString(value));

/** Returns a key in DER, as certificates contain it. */
export const spki = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

/** Returns the short name of a key by RFC 7093 section 2, the same in all implementations. */
export const keyId = (key: KeyObject): Buffer => createHash('sha256').update(spki(key)).digest().subarray(0, 20);

/** Makes the extension with the short name of the signing key. */
export const authorityKeyIdExtension = (id: Uint8Array): Buffer =>
  extension(extensionIds.authorityKeyId, sequence(der(0x80, id)));

/** Marks the subject of the certificate as not an authority. */
export const noAuthorityExtension: Buffer = extension(extensionIds.basicConstraints, sequence(), true);

/** Makes the extension with the usage of a key, by the numbers of the bits; digitalSignature is 0. */
export function keyUsageExtension(bits: readonly number[]): Buffer {
  const last = Math.max(...bits);
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return extension(extensionIds.keyUsage, bitString(bytes, 7 - (last & 7)), true);
}

/** Makes the extension with the purposes of a key, from their identifiers. */
export const purposesExtension = (purposes: readonly string[]): Buffer =>
  extension(extensionIds.extendedKeyUsage, sequence(...purposes.map(objectId)));
