/** Converts the bytes of a value to stored bytes and back, in the formats of a kube-apiserver. */
import { isUtf8 } from 'node:buffer';
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { MaybePromise } from '../../objects/turns.js';

/** The decrypted bytes of a value. `problem` says why it cannot be decrypted. */
export type Decrypted =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly stale?: boolean }
  | { readonly ok: false; readonly problem: string };

/** One key, or one key service. */
export interface Transformer {
  /** The beginning of its stored values, as in `k8s:enc:aescbc:v1:key1:`; empty for values that are not encrypted. */
  readonly prefix: Buffer;
  /** Its name in messages, as in `key "key1" of aescbc`. */
  readonly name: string;
  /** Changes whenever another key encrypts new values. */
  readonly version: string;
  /** Returns why nothing can be encrypted now; absent if it always can. */
  readonly problem?: () => string;
  /** Returns the bytes after the prefix. `context` is not stored, but must be the same when the value is read. */
  encrypt(bytes: Uint8Array, context: Uint8Array): Uint8Array;
  /** Reads the bytes after the prefix. Returns a promise if it must ask a key service. */
  decrypt(stored: Uint8Array, context: Uint8Array): MaybePromise<Decrypted>;
}

/** A key as the configuration has it. */
export interface NamedKey {
  readonly name: string;
  readonly secret: Buffer;
}

/** The beginning of all encrypted values. JSON never begins like this. */
export const ENCRYPTED = Buffer.from('k8s:enc:');

export const isEncrypted = (bytes: Uint8Array): boolean =>
  bytes.length > ENCRYPTED.length && ENCRYPTED.equals(bytes.subarray(0, ENCRYPTED.length));

/** Stores values as they are. */
export const identity: Transformer = {
  prefix: Buffer.alloc(0),
  name: 'identity',
  version: 'identity',
  encrypt: (bytes) => bytes,
  decrypt: (bytes) => (isEncrypted(bytes) ? failed('identity reads no encrypted values') : { ok: true, bytes }),
};

const GCM_NONCE_BYTES = 12;
const GCM_TAG_BYTES = 16;

/** Encrypts by AES-GCM with a random nonce: `nonce ciphertext tag`. A key is safe for about 2³² values. */
export function aesgcm(key: NamedKey): Transformer {
  return named(
    'aesgcm',
    key,
    gcm(key.secret, () => randomBytes(GCM_NONCE_BYTES)),
  );
}

/** The two directions of a transformer, without its names. */
export type Cipher = Pick<Transformer, 'encrypt'> & {
  decrypt(stored: Uint8Array, context: Uint8Array): Decrypted;
};

/** Encrypts by AES-GCM; `nextNonce` must never repeat a nonce of 12 bytes. */
export function gcm(secret: Buffer, nextNonce: () => Uint8Array): Cipher {
  const algorithm = `aes-${secret.length * 8}-gcm` as 'aes-256-gcm';
  return {
    encrypt(bytes, context) {
      const nonce = nextNonce();
      const cipher = createCipheriv(algorithm, secret, nonce);
      cipher.setAAD(context);
      return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(stored, context) {
      const end = stored.length - GCM_TAG_BYTES;
      if (end < GCM_NONCE_BYTES) return failed(TOO_SHORT);
      const cipher = createDecipheriv(algorithm, secret, stored.subarray(0, GCM_NONCE_BYTES), {
        authTagLength: GCM_TAG_BYTES,
      });
      cipher.setAAD(context);
      cipher.setAuthTag(stored.subarray(end));
      return attempt(() => Buffer.concat([cipher.update(stored.subarray(GCM_NONCE_BYTES, end)), cipher.final()]));
    },
  };
}

const BLOCK_BYTES = 16;

/**
 * Encrypts by AES-CBC with PKCS #7 padding: `iv ciphertext`. It does not detect changed values, and once in 256 times
 * another secret gives a valid padding. So a decrypted value must begin like a JSON object, and be UTF-8.
 */
export function aescbc(key: NamedKey): Transformer {
  const { secret } = key;
  const algorithm = `aes-${secret.length * 8}-cbc`;
  return named('aescbc', key, {
    encrypt(bytes) {
      const iv = randomBytes(BLOCK_BYTES);
      const cipher = createCipheriv(algorithm, secret, iv);
      return Buffer.concat([iv, cipher.update(bytes), cipher.final()]);
    },
    decrypt(stored) {
      if (stored.length < 2 * BLOCK_BYTES) return failed(TOO_SHORT);
      const cipher = createDecipheriv(algorithm, secret, stored.subarray(0, BLOCK_BYTES));
      const read = attempt(() => Buffer.concat([cipher.update(stored.subarray(BLOCK_BYTES)), cipher.final()]));
      if (!read.ok) return read;
      return read.bytes[0] === OPENING_BRACE && isUtf8(read.bytes) ? read : failed(ANOTHER_SECRET);
    },
  });
}

const OPENING_BRACE = 0x7b;

const BOX_NONCE_BYTES = 24;

/** Encrypts by XSalsa20 and Poly1305, as NaCl does: `nonce tag ciphertext`. Loads its package with the first call. */
export async function secretbox(key: NamedKey): Promise<Transformer> {
  const { xsalsa20poly1305 } = await import('@noble/ciphers/salsa');
  return named('secretbox', key, {
    encrypt(bytes) {
      const nonce = randomBytes(BOX_NONCE_BYTES);
      return Buffer.concat([nonce, xsalsa20poly1305(key.secret, nonce).encrypt(bytes)]);
    },
    decrypt(stored) {
      if (stored.length < BOX_NONCE_BYTES) return failed(TOO_SHORT);
      const nonce = stored.subarray(0, BOX_NONCE_BYTES);
      return attempt(() => xsalsa20poly1305(key.secret, nonce).decrypt(stored.subarray(BOX_NONCE_BYTES)));
    },
  });
}

export const failed = (problem: string): Decrypted => ({ ok: false, problem });

const ANOTHER_SECRET = 'it was encrypted with another secret, or is damaged';

const TOO_SHORT = 'the stored data was shorter than the required size';

const named = (provider: string, { name, secret }: NamedKey, cipher: Cipher): Transformer => ({
  prefix: Buffer.from(`${ENCRYPTED}${provider}:v1:${name}:`),
  name: `key ${JSON.stringify(name)} of ${provider}`,
  version: `${provider}:${name}:${createHash('sha256').update(secret).digest('hex')}`,
  ...cipher,
});

/** Decrypts. If this fails, the value was encrypted with another secret, or is damaged. */
function attempt(decrypt: () => Uint8Array): Decrypted {
  try {
    return { ok: true, bytes: decrypt() };
  } catch {
    return failed(ANOTHER_SECRET);
  }
}
