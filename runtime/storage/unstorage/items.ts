/** Raw items under one base of an unstorage storage. They keep bytes unchanged. */
import { createStorage, type Driver, type Storage } from 'unstorage';

/** Values by key. Keys have only lower-case letters, digits, `-` and `:`, so every driver keeps them apart. */
export interface Items {
  /** Returns the value; undefined if it does not exist. */
  get(key: string): Promise<Uint8Array | undefined>;
  /**
   * Stores a value. The caller may reuse the bytes once the promise settles. A `fleeting` value need not survive a
   * crash of the machine.
   */
  put(key: string, bytes: Uint8Array, kind?: 'lasting' | 'fleeting'): Promise<void>;
  /** Removes a value, if it exists. */
  remove(key: string): Promise<void>;
  /** Returns the key in the form of the storage, for messages. */
  fullKey(key: string): string;
  /** Lists all keys, in any order. */
  keys(): Promise<readonly string[]>;
}

/** Checks, by its methods, whether a value can be a driver or a storage of unstorage. */
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
      // A copy, because the driver for memory keeps the array.
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

/** Converts raw items to bytes. Drivers return any type of bytes, or text. */
function toBytes(value: unknown): Uint8Array | undefined {
  if (value === null || value === undefined) return undefined;
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  // If a file cannot be read, the drivers for files return the error.
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
