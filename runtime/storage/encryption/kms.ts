/** Encrypts with keys that this process makes. A key service (KMS v2) encrypts these keys. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { LRUCache } from 'lru-cache';
import type { EncryptionObserver } from '../../contract/index.js';
import type { MaybePromise } from '../../objects/turns.js';
import { messageOf } from '../failures.js';
import { cipherFor, countingNonces, nameOf, problemOf, readObject } from './data-keys.js';
import {
  AES_GCM_KEY,
  decryptCall,
  type EncryptedObject,
  encoderOf,
  encryptCall,
  type KmsMethod,
  type StatusResponse,
  statusCall,
} from './kms-messages.js';
import { type Cipher, type Decrypted, ENCRYPTED, failed, gcm, type Transformer } from './transformers.js';

export interface KmsOptions {
  readonly name: string;
  /** As in `unix:///run/kms.sock`. */
  readonly endpoint: string;
  /** The time limit of one call, in milliseconds. */
  readonly timeoutMs: number;
  readonly observer?: EncryptionObserver | undefined;
  /** Called when the service answers again after a failure. */
  readonly onRecovered?: () => void;
  readonly timing?: Partial<KmsTiming>;
}

/** Times in milliseconds. */
export interface KmsTiming {
  /** The time between two checks of the service while it is healthy. `retryMs` is the time while it is not. */
  readonly pollMs: number;
  readonly retryMs: number;
  /** The time for which values are still encrypted after the service was last healthy. */
  readonly writeMs: number;
}

/** The same as in a kube-apiserver. */
const usualTiming: KmsTiming = { pollMs: 60_000, retryMs: 10_000, writeMs: 180_000 };

/** The key that encrypts new values. */
interface DataKey {
  readonly cipher: Cipher;
  readonly keyId: string;
  /** Adds the data that is stored with each value of the key. */
  readonly encode: (encryptedData: Uint8Array) => Buffer;
  /** The time until which the key may be used, in milliseconds since 1970. */
  expiresAt: number;
}

const NEVER = 'it has not been asked yet';

/** The most keys that are kept decrypted. There is usually one for each start of a server. */
const MOST_KEYS = 10_000;

export class KeyService implements Transformer {
  readonly prefix: Buffer;
  readonly name: string;
  readonly #options: KmsOptions;
  readonly #timing: KmsTiming;
  readonly #client: KmsClient;
  readonly #ciphers = new LRUCache<string, { readonly cipher: MaybePromise<Cipher> }>({ max: MOST_KEYS });
  #key: DataKey | undefined;
  #health = NEVER;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: KmsOptions) {
    const { name, endpoint, timeoutMs, observer, timing } = options;
    this.prefix = Buffer.from(`${ENCRYPTED}kms:v2:${name}:`);
    this.name = `KMS provider ${JSON.stringify(name)}`;
    this.#options = options;
    this.#timing = { ...usualTiming, ...timing };
    this.#client = new KmsClient(endpoint, timeoutMs, (...asked) => observer?.asked(name, ...asked));
  }

  get version(): string {
    return `kms:${this.#options.name}:${this.#key?.keyId ?? ''}`;
  }

  /** The problem of the service at its last check; empty if it was healthy. */
  get health(): string {
    return this.#health;
  }

  /** Checks the service now, and then at intervals. Never rejects: see `health`. */
  async open(): Promise<void> {
    try {
      await this.#renew();
      if (this.#health !== '' && this.#health !== NEVER) this.#options.onRecovered?.();
      this.#health = '';
    } catch (error) {
      this.#health = messageOf(error);
    }
    if (this.#closed) return;
    const { pollMs, retryMs } = this.#timing;
    this.#timer = setTimeout(() => void this.open(), this.#health === '' ? pollMs : retryMs).unref();
  }

  problem(): string {
    const key = this.#key;
    if (!key) return `${this.name} has no key: ${this.#health}`;
    const now = Date.now();
    if (now <= key.expiresAt) return '';
    return (
      `encryptedDEKSource with keyID hash ${JSON.stringify(hashOf(key.keyId))} expired at ${timeOf(key.expiresAt)} ` +
      `(current time is ${timeOf(now)}): ${this.#health}`
    );
  }

  encrypt(bytes: Uint8Array, context: Uint8Array): Uint8Array {
    const key = this.#key;
    if (!key) throw new Error(this.problem());
    this.#options.observer?.keyUsed('to_storage', this.#options.name, key.keyId);
    return key.encode(key.cipher.encrypt(bytes, context));
  }

  decrypt(stored: Uint8Array, context: Uint8Array): MaybePromise<Decrypted> {
    const value = readObject(stored);
    if (typeof value === 'string') return failed(value);
    const read = (cipher: Cipher): Decrypted => {
      this.#options.observer?.keyUsed('from_storage', this.#options.name, value.keyID);
      const decrypted = cipher.decrypt(value.encryptedData, context);
      const isOld = value.keyID !== this.#key?.keyId || value.encryptedDEKSourceType !== AES_GCM_KEY;
      return decrypted.ok && isOld ? { ...decrypted, stale: true } : decrypted;
    };
    const cipher = this.#cipherOf(value);
    if (!(cipher instanceof Promise)) return read(cipher);
    return cipher.then(read, (error: unknown) => failed(`failed to decrypt DEK, error: ${messageOf(error)}`));
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#client.close();
  }

  /** Checks the service. Makes a key if there is none, or if the service uses another key now. */
  async #renew(): Promise<void> {
    const { name, observer } = this.#options;
    const expiresAt = Date.now() + this.#timing.writeMs;
    const status = await this.#client.ask(statusCall, {}).catch((error: unknown) => {
      throw new Error(
        `failed to perform status section of the healthz check for KMS Provider ${name}, error: ${messageOf(error)}`,
      );
    });
    const mistakes = mistakesOf(status);
    if (status.keyId === '') observer?.invalidKey(name, 'empty');
    if (mistakes.length > 0) throw new Error(`kmsv2 Provider ${name} is not healthy, error: ${mistakes.join(', ')}`);
    observer?.statusKey(name, status.keyId);
    if (this.#key?.keyId === status.keyId) this.#key.expiresAt = expiresAt;
    else this.#key = await this.#makeKey(status.keyId, expiresAt);
  }

  async #makeKey(wanted: string, expiresAt: number): Promise<DataKey> {
    const began = performance.now();
    const secret = randomBytes(32);
    this.#options.observer?.made((performance.now() - began) / 1000);
    const made = await this.#client.ask(encryptCall, { plaintext: secret, uid: randomUUID() });
    const { keyId, ciphertext: encryptedDEKSource, annotations } = made;
    if (keyId !== wanted) {
      throw new Error(
        `${this.name} has encrypted with the key ${hashOf(keyId)}, while its status names the key ${hashOf(wanted)}`,
      );
    }
    const envelope = { keyID: keyId, encryptedDEKSource, annotations, encryptedDEKSourceType: AES_GCM_KEY };
    const problem = problemOf({ ...envelope, encryptedData: NOT_EMPTY });
    if (problem) throw new Error(`${this.name} has given a key that cannot be stored: ${problem}`);
    const cipher = gcm(secret, countingNonces());
    this.#ciphers.set(nameOf(envelope), { cipher });
    return { cipher, keyId, encode: encoderOf(envelope), expiresAt };
  }

  /** Finds the key of a value, or asks the service for it. Asks only once for all values with the same key. */
  #cipherOf(value: EncryptedObject): MaybePromise<Cipher> {
    const name = nameOf(value);
    const known = this.#ciphers.get(name);
    if (known) return known.cipher;
    this.#options.observer?.missed();
    const { encryptedDEKSource: ciphertext, keyID: keyId, annotations } = value;
    const asked = this.#client.ask(decryptCall, { ciphertext, uid: randomUUID(), keyId, annotations });
    const cipher = asked.then(({ plaintext }) => {
      const made = cipherFor(plaintext, value.encryptedDEKSourceType);
      this.#ciphers.set(name, { cipher: made });
      return made;
    });
    this.#ciphers.set(name, { cipher });
    cipher.catch(() => this.#ciphers.delete(name));
    return cipher;
  }
}

const NOT_EMPTY = Buffer.of(0);

/** Returns the faults of a service's answer. */
function mistakesOf({ healthz, version, keyId }: StatusResponse): readonly string[] {
  return [
    ...(healthz === 'ok' ? [] : [`got unexpected healthz status: ${healthz}`]),
    ...(version === 'v2' || version === 'v2beta1' ? [] : [`expected KMSv2 API version v2, got ${version}`]),
    ...(keyId === '' ? ['expected KMSv2 KeyID to be set, got '] : []),
    ...(Buffer.byteLength(keyId) > 1024 ? [`the KeyID has more than 1024 bytes`] : []),
  ];
}

const hashOf = (keyId: string): string =>
  keyId === '' ? '' : `sha256:${createHash('sha256').update(keyId).digest('hex')}`;

/** Prints a time as in RFC 3339, without fractions of a second. */
const timeOf = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** Receives each call. `code` is the name of gRPC's code, as in `OK`. */
type OnAsked = (method: string, seconds: number, code: string) => void;

class KmsClient {
  readonly #client: Client;
  readonly #timeoutMs: number;
  readonly #onAsked: OnAsked;

  /** `endpoint` is as in `unix:///run/kms.sock`. `timeoutMs` is the limit of a call, including the connection. */
  constructor(endpoint: string, timeoutMs: number, onAsked: OnAsked) {
    this.#client = new Client(endpoint, credentials.createInsecure(), {
      'grpc.enable_channelz': 0,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.min_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1000,
    });
    this.#timeoutMs = timeoutMs;
    this.#onAsked = onAsked;
  }

  /**
   * Calls the service. Waits for a service that is not there yet, up to the time limit of the call. Rejects with gRPC's
   * error.
   */
  ask<Question, Answer>({ name, question, answer }: KmsMethod<Question, Answer>, asked: Question): Promise<Answer> {
    const began = performance.now();
    const options = { deadline: Date.now() + this.#timeoutMs };
    const path = `/v2.KeyManagementService/${name}`;
    const metadata = new Metadata({ waitForReady: true });
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(path, question.encode, answer.decode, asked, metadata, options, (error, found) => {
        this.#onAsked(path, (performance.now() - began) / 1000, status[error?.code ?? status.OK]);
        if (found) resolve(found);
        else reject(error);
      });
    });
  }

  close(): void {
    this.#client.close();
  }
}
