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

/** One extension; a reader that does not know a critical one refuses the certificate. */
export const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(objectId(id), ...(critical ? [yes] : []), octetString(value));

/** A key in DER, as certificates hold it. */
export const spki = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

/** A short name of a key, the same wherever it is worked out (RFC 7093 section 2). */
export const keyId = (key: KeyObject): Buffer => createHash('sha256').update(spki(key)).digest().subarray(0, 20);

/** The key that a certificate is signed with, by its short name. */
export const authorityKeyIdExtension = (id: Uint8Array): Buffer =>
  extension(extensionIds.authorityKeyId, sequence(der(0x80, id)));

/** Says that what the certificate is about is no authority. */
export const noAuthorityExtension: Buffer = extension(extensionIds.basicConstraints, sequence(), true);

/** Bits of the key usage by their numbers, digitalSignature being 0. */
export function keyUsageExtension(bits: readonly number[]): Buffer {
  const last = Math.max(...bits);
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return extension(extensionIds.keyUsage, bitString(bytes, 7 - (last & 7)), true);
}

/** The purposes of a key by their identifiers. */
export const purposesExtension = (purposes: readonly string[]): Buffer =>
  extension(extensionIds.extendedKeyUsage, sequence(...purposes.map(objectId)));
