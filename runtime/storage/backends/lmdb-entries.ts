/** The entries of a journal in LMDB: segments by their numbers, the owner of the file, and reserved space. */
import { rmSync, statfsSync, utimesSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { RootDatabase } from 'lmdb';
import type { EntryRules } from './lmdb-file.js';
import { FILE_MODE, ownerFileOf } from './lmdb-folder.js';
import { fail } from './lmdb-tree.js';
import { DataInUseError, HEARTBEAT_MS, isAlive, parseOwner, thisProcess } from './owner.js';

/** The first key after the keys of all segments, which begin with the byte 0. It precedes all other keys. */
export const END_OF_SEGMENTS = Buffer.from([1]);
export const FORMAT_KEY = Buffer.from('format');
export const FORMAT = 'kindforge journal 1';
export const OWNER_KEY = Buffer.from('owner');
export const SECRET_KEY = Buffer.from('secret');
/** The checksum of the secret. No other check detects damage to the secret. */
export const SECRET_CHECK_KEY = Buffer.from('secret-check');

/** Keys of values without meaning, which only take up space. */
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

/** Returns rules that find changed keys and values which the journal itself does not detect. */
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
      // The file of another program has none of these names. The check of the format refuses it.
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

/** The size of each value that reserves space, in bytes. */
const PART_BYTES = 1024 * 1024;
/** The size of a value that must fit in addition, in bytes: the size of a batch of changes. */
const PROBE_BYTES = 4 * 1024 * 1024;
/** The free bytes of the disk for the reserve, the probe and the margin together. */
const ROOM_BYTES = 9 * 1024 * 1024;
/** The free bytes that changes leave on the disk, for pages of the tree and for the release of the reserve. */
const MARGIN_BYTES = 1024 * 1024;
/** The free bytes of a disk that cannot be filled within `PLENTY_MS`. Such a disk is not checked before each batch. */
const PLENTY_BYTES = 4 * 1024 * 1024 * 1024;
const PLENTY_MS = 50;

/** Makes changes in one transaction; rejects if it cannot. */
type Transact = (changes: (database: LmdbDatabase) => void) => Promise<void>;

/**
 * Reserves space for a full disk. While the disk is full, deletions may use this space, and other writes are refused.
 * This ends once the disk has space for the reserve and for the largest batch.
 */
export class LmdbReserve {
  readonly #directory: string;
  readonly #transact: Transact;
  #held = false;
  #full = false;
  #tried = false;
  /** The time until which there is plenty of space, by `performance.now()`. */
  #plentyUntil = 0;

  constructor(directory: string, transact: Transact) {
    this.#directory = directory;
    this.#transact = transact;
  }

  /** True from `release` until `restore` succeeds. */
  get isFull(): boolean {
    return this.#full;
  }

  /**
   * Checks whether the disk has space for this many bytes of changes. The library must not run out of space itself: its
   * message for a failed write can overrun its memory, which ends the process.
   */
  hasRoomFor(bytes: number): boolean {
    const now = performance.now();
    if (now < this.#plentyUntil && bytes < PLENTY_BYTES / 2) return true;
    const free = this.#freeBytes();
    if (free >= PLENTY_BYTES) this.#plentyUntil = now + PLENTY_MS;
    return free >= bytes + MARGIN_BYTES;
  }

  /** Reserves the space, once. Does nothing if the disk has too little space. */
  async keep(database: LmdbDatabase): Promise<void> {
    if (this.#held || this.#full || this.#tried || !this.hasRoomFor(RESERVE_KEYS.length * PART_BYTES)) return;
    this.#tried = true;
    this.#held = RESERVE_KEYS.every((key) => database.doesExist(key)) || (await this.#take());
  }

  /** Releases the reserve, because the disk is full. */
  async release(): Promise<void> {
    this.#full = true;
    this.#held = false;
    await this.#succeeds((database) => {
      for (const key of [...RESERVE_KEYS, PROBE_KEY]) void database.remove(key);
    });
    // Pages that a transaction frees can be used by the one after the next.
    for (let turn = 0; turn < 2; turn++) {
      await this.#succeeds((database) => void database.put(FORMAT_KEY, Buffer.from(FORMAT), 0));
    }
  }

  /** Tries to reserve the space again. If that succeeds, the disk is no longer full. */
  async restore(): Promise<boolean> {
    if (this.#freeBytes() < ROOM_BYTES) return false;
    this.#held = this.#held || (await this.#take());
    if (!this.#held || !(await this.#finds(PROBE_BYTES))) return false;
    this.#full = false;
    return true;
  }

  #take(): Promise<boolean> {
    return this.#succeeds((database) => {
      for (const key of RESERVE_KEYS) void database.put(key, Buffer.alloc(PART_BYTES), 0);
    });
  }

  async #finds(bytes: number): Promise<boolean> {
    const found = await this.#succeeds((database) => void database.put(PROBE_KEY, Buffer.alloc(bytes), 0));
    return found && (await this.#succeeds((database) => void database.remove(PROBE_KEY)));
  }

  async #succeeds(changes: (database: LmdbDatabase) => void): Promise<boolean> {
    try {
      await this.#transact(changes);
      return true;
    } catch {
      return false;
    }
  }

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#directory);
    return bavail * bsize;
  }
}

// Gives an LMDB folder to one process, by an owner's record in the database itself. Every write checks the record.

const NOBODY = Buffer.from('{}');

/**
 * The owner's record has a version that grows with every owner. A write only succeeds if the version has not changed.
 * So even a process that seemed dead cannot write after another has taken over.
 */
export class LmdbLock {
  #database: LmdbDatabase;
  readonly #token: number;
  readonly #heartbeatFile: string;
  readonly #heartbeat: NodeJS.Timeout;

  private constructor(database: LmdbDatabase, token: number, heartbeatFile: string) {
    this.#database = database;
    this.#token = token;
    this.#heartbeatFile = heartbeatFile;
    this.#begin();
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
  }

  /**
   * Takes the folder, also from a process that is gone. Rejects with a `DataInUseError` while another process has it.
   */
  static async acquire(database: LmdbDatabase, directory: string): Promise<LmdbLock> {
    const heartbeatFile = ownerFileOf(directory);
    for (;;) {
      database.resetReadTxn();
      const seen = database.getEntry(OWNER_KEY);
      const owner = seen && parseOwner(seen.value.toString());
      if (owner && (await isAlive(owner, heartbeatFile))) throw new DataInUseError(directory, owner);
      const version = seen?.version ?? 0;
      if (replaceOwner(database, version, version + 1)) return new LmdbLock(database, version + 1, heartbeatFile);
    }
  }

  /** Makes the writes of `action` in one transaction, if this process still has the folder. */
  whileHeld(action: () => void): Promise<boolean> {
    return this.#database.ifVersion(OWNER_KEY, this.#token, action);
  }

  /** Whether this process still has the folder. */
  get isHeld(): boolean {
    this.#database.resetReadTxn();
    return versionOf(this.#database) === this.#token;
  }

  /** Uses another handle of the same data from now on. */
  moveTo(database: LmdbDatabase): void {
    this.#database = database;
  }

  release(): void {
    clearInterval(this.#heartbeat);
    try {
      this.#database.transactionSync(() => {
        if (versionOf(this.#database) === this.#token) void this.#database.put(OWNER_KEY, NOBODY, this.#token);
      });
      rmSync(this.#heartbeatFile, { force: true });
    } catch {
      // On a full disk the record stays. The next process finds out that this one is gone.
    }
  }

  #begin(): void {
    try {
      writeFileSync(this.#heartbeatFile, `${process.pid}\n`, { mode: FILE_MODE });
    } catch {
      // The disk may be full; see `#beat`.
    }
  }

  #beat(): void {
    const now = new Date();
    try {
      utimesSync(this.#heartbeatFile, now, now);
    } catch {
      // Only processes in other containers read this file. The condition of every write protects the data.
    }
  }
}

/** Makes this process the owner, unless another process was faster. */
function replaceOwner(database: LmdbDatabase, from: number, to: number): boolean {
  return database.transactionSync(() => {
    if (versionOf(database) !== from) return false;
    void database.put(OWNER_KEY, Buffer.from(JSON.stringify(thisProcess())), to);
    return true;
  });
}

function versionOf(database: LmdbDatabase): number {
  return database.getEntry(OWNER_KEY)?.version ?? 0;
}
