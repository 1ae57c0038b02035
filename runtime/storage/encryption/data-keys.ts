/** The keys that encrypt values of a key service (KMS v2), and the form of these values. */
import { createHmac, randomBytes } from 'node:crypto';
import { messageOf } from '../failures.js';
import { AES_GCM_KEY, type EncryptedObject, encryptedObject, HKDF_SHA256_XNONCE_AES_GCM_SEED } from './kms-messages.js';
import { type Cipher, failed, gcm } from './transformers.js';

/** Reads a stored value. Returns the reason if it is not an encrypted object. */
export function readObject(stored: Uint8Array): EncryptedObject | string {
  try {
    const value = encryptedObject.decode(stored);
    return problemOf(value) || value;
  } catch (error) {
    return `it is not an encrypted object: ${messageOf(error)}`;
  }
}

export function problemOf(value: EncryptedObject): string {
  const { encryptedDEKSourceType: type, encryptedData, encryptedDEKSource, keyID, annotations } = value;
  if (type !== AES_GCM_KEY && type !== HKDF_SHA256_XNONCE_AES_GCM_SEED)
    return `unknown encryptedDEKSourceType: ${type}`;
  if (encryptedData.length === 0) return 'encrypted data is empty';
  if (encryptedDEKSource.length === 0) return 'encrypted DEK source is empty';
  if (encryptedDEKSource.length > 1024) return 'encrypted DEK source has more than 1024 bytes';
  if (keyID === '') return 'the key id is empty';
  const size = Object.entries(annotations).reduce((sum, [key, bytes]) => sum + key.length + bytes.length, 0);
  return size > 32 * 1024 ? 'annotations have more than 32 kB' : '';
}

/** Returns the cipher of a decrypted key. Throws if the bytes are not a key. */
export function cipherFor(secret: Buffer, type: number): Cipher {
  if (type === HKDF_SHA256_XNONCE_AES_GCM_SEED) return derived(secret);
  if (![16, 24, 32].includes(secret.length))
    throw new Error(`the key service has decrypted a key of ${secret.length} bytes`);
  return gcm(secret, neverEncrypts);
}

const INFO_BYTES = 32;

/**
 * Reads values that each have their own key. HKDF-Expand of RFC 5869 derives the key from the seed and the first bytes
 * of the value.
 */
function derived(seed: Buffer): Cipher {
  return {
    encrypt: neverEncrypts,
    decrypt(stored, context) {
      if (stored.length < INFO_BYTES) return failed('the stored data was shorter than the required size');
      const info = stored.subarray(0, INFO_BYTES);
      const secret = createHmac('sha256', seed).update(info).update(Buffer.of(1)).digest();
      return gcm(secret, neverEncrypts).decrypt(stored.subarray(INFO_BYTES), context);
    },
  };
}

function neverEncrypts(): never {
  throw new Error('keys of earlier processes only decrypt');
}

/** Returns a function that makes nonces. They never repeat within a process, and no other process uses the key. */
export function countingNonces(): () => Uint8Array {
  let count = 0n;
  return () => {
    const nonce = randomBytes(12);
    nonce.writeBigUInt64LE(++count, 4);
    return nonce;
  };
}

/** Returns a name for the key of a value. Values with the same name have the same key. */
export function nameOf({
  encryptedDEKSource,
  keyID,
  annotations,
  encryptedDEKSourceType,
}: Omit<EncryptedObject, 'encryptedData'>): string {
  const more = Object.entries(annotations).map(([key, bytes]) => [key, Buffer.from(bytes).toString('base64')]);
  return JSON.stringify([
    encryptedDEKSourceType,
    keyID,
    Buffer.from(encryptedDEKSource).toString('base64'),
    more.sort(),
  ]);
}
