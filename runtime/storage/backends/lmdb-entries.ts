/** The entries of a journal in LMDB: segments by their numbers, and some that have names. */
import { crc32 } from 'node:zlib';
import type { RootDatabase } from 'lmdb';
import type { EntryRules } from './lmdb-file.js';
import { fail } from './lmdb-tree.js';

/** Follows the keys of all segments, which begin with the byte 0, and precedes all other keys. */
export const END_OF_SEGMENTS = Buffer.from([1]);
export const FORMAT_KEY = Buffer.from('format');
export const FORMAT = 'kindforge journal 1';
export const OWNER_KEY = Buffer.from('owner');
export const SECRET_KEY = Buffer.from('secret');
/** The checksum of the secret, which nothing else would show to be damaged. */
export const SECRET_CHECK_KEY = Buffer.from('secret-check');

/** Values that mean nothing and take up space. */
export const RESERVE_KEYS: readonly Buffer[] = ['reserve-0', 'reserve-1', 'reserve-2', 'reserve-3'].map((name) =>
  Buffer.from(name),
);
export const PROBE_KEY = Buffer.from('reserve-probe');

const SEGMENT_KEY_BYTES = 8;
/** The library begins each value with its version, a double. */
const VERSION_BYTES = 8;
const names: ReadonlySet<string> = new Set([FORMAT_KEY, OWNER_KEY, SECRET_KEY, SECRET_CHECK_KEY].map(String));

const fillers: ReadonlySet<string> = new Set([...RESERVE_KEYS, PROBE_KEY].map(String));

export function segmentKey(id: number): Buffer {
  const key = Buffer.allocUnsafe(SEGMENT_KEY_BYTES);
  key.writeBigUInt64BE(BigInt(id));
  return key;
}

export const segmentId = (key: Buffer): number => Number(key.readBigUInt64BE());

export function checksumOf(secret: Uint8Array): Buffer {
  const check = Buffer.allocUnsafe(4);
  check.writeUInt32LE(crc32(secret));
  return check;
}

/** Finds entries with a changed key or value that the journal itself does not find. */
export function journalRules(): EntryRules {
  const named = new Map<string, Buffer>();
  let strange = false;
  return {
    entry({ key, value }) {
      if (key.length === SEGMENT_KEY_BYTES && key[0] === 0) return;
      const name = key.toString('latin1');
      if (names.has(name)) named.set(name, Buffer.from(value()));
      else if (!fillers.has(name)) strange = true;
    },
    end() {
      // The file of another program has none of these names; the check of the format refuses it.
      if (named.size === 0) return;
      if (strange || !named.has(String(FORMAT_KEY))) fail('has an entry with a changed key');
      if ([...named.values()].some((value) => value.length < VERSION_BYTES)) fail('has an entry with a changed value');
      const version = named.get(String(OWNER_KEY))?.readDoubleLE() ?? 0;
      if (!Number.isSafeInteger(version) || version < 0) fail('has an entry with a changed value');
      const secret = named.get(String(SECRET_KEY))?.subarray(VERSION_BYTES);
      const check = named.get(String(SECRET_CHECK_KEY))?.subarray(VERSION_BYTES);
      if (check && !(secret && checksumOf(secret).equals(check))) fail('has an entry with a changed value');
    },
  };
}

export type LmdbDatabase = RootDatabase<Buffer, Buffer>;
