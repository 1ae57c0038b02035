/** Raw items under one base of an unstorage storage: bytes in, the same bytes out. */
import { createStorage, type Driver, type Storage } from 'unstorage';

/** Values by key. Keys are made of lower-case letters, digits, `-` and `:`, which every driver keeps apart. */
export interface Items {
  /** Returns the value; undefined if there is none. */
  get(key: string): Promise<Uint8Array | undefined>;
  /**
   * Stores a value; the bytes may be reused once the promise settles. A `fleeting` value need not survive a crash of
   * the machine.
   */
  put(key: string, bytes: Uint8Array, kind?: 'lasting' | 'fleeting'): Promise<void>;
  /** Removes a value; does nothing if there is none. */
  remove(key: string): Promise<void>;
  /** Returns the key as the storage has it, for messages. */
  fullKey(key: string): string;
  /** Lists all keys, in any order. */
  keys(): Promise<readonly string[]>;
}

/** Checks whether a value can be used as a driver or a storage of unstorage, judging by its methods. */
export const isTarget = (value: unknown): value is Storage | Driver =>
  typeof value === 'object' && value !== null && 'getItem' in value && 'getKeys' in value;

export const isStorage = (target: Storage | Driver): target is Storage => 'getMount' in target;

export const toStorage = (target: Storage | Driver): Storage =>
  isStorage(target) ? target : createStorage({ driver: target });

/** Returns the items of a storage under keys that begin with `<base>:`. */
export function itemsOf(storage: Storage, base: string): Items {
  const start = `${base}:`;
  return {
    async get(key) {
      return toBytes(await storage.getItemRaw(start + key));
    },
    async put(key, bytes) {
      // A copy: the driver for memory keeps what it is given.
      await storage.setItemRaw(start + key, Buffer.from(bytes));
    },
    remove: (key) => storage.removeItem(start + key),
    fullKey: (key) => start + key,
    async keys() {
      const keys = await storage.getKeys(start);
      return keys.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
    },
  };
}

/** Converts raw items to bytes. Drivers return any kind of bytes, or text if they know nothing else. */
function toBytes(value: unknown): Uint8Array | undefined {
  if (value === null || value === undefined) return undefined;
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  // The drivers for files return the error of a file that cannot be read.
  if (value instanceof Error) throw value;
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Parses a text; returns undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
