/** The embedded default backend: a journal in an LMDB file. */
import { randomBytes } from 'node:crypto';
import { promises, readFileSync } from 'node:fs';
import type { Backend, BackendFull } from '../../contract/index.js';
import { messageOf } from '../failures.js';
import { type JournalOptions, journalBackend } from './journal.js';
import {
  checksumOf,
  END_OF_SEGMENTS,
  FORMAT,
  FORMAT_KEY,
  journalRules,
  type LmdbDatabase,
  LmdbLock,
  LmdbReserve,
  SECRET_CHECK_KEY,
  SECRET_KEY,
  segmentId,
  segmentKey,
} from './lmdb-entries.js';
import { checkLmdbFile, DamagedFileError } from './lmdb-file.js';
import { closeToOthers, dataFileOf, FILE_MODE, prepareFolder } from './lmdb-folder.js';
import { DataInUseError } from './owner.js';
import type { Segment, SegmentStore } from './segment.js';

/** The virtual memory for the map of the file, in bytes: many times as much as fits into memory. */
const MAP_BYTES = 64 * 1024 ** 3;
/**
 * The size of a page of a new file, in bytes. An existing file keeps its own. LMDB puts each page that a commit frees
 * into one sorted list. With pages of 4 KiB, and a log that is cleaned as fast as it is written, this takes a tenth of
 * an update's CPU time.
 */
const PAGE_BYTES = 16 * 1024;
/** With fewer free bytes than this, the full disk counts as the cause of a failed write. */
const SPARE_BYTES = 16 * 1024 * 1024;
const SECRET_BYTES = 32;

/**
 * Keeps the data in files in this folder, and creates the folder if necessary. A commit is one transaction, and
 * resolves after its fsync. It survives power loss, if the disk keeps its promises.
 */
export function lmdbBackend(directory: string, options?: JournalOptions): Backend {
  return journalBackend(new LmdbSegments(directory), options);
}

class LmdbSegments implements SegmentStore {
  readonly name = 'lmdb';
  readonly durability = 'power-loss';
  readonly #directory: string;
  readonly #pages = new MappedPages();
  readonly #reserve: LmdbReserve;
  /** Settles once all earlier calls have finished. */
  #last: Promise<void> = Promise.resolve();
  #database: LmdbDatabase | undefined;
  #lock: LmdbLock | undefined;

  constructor(directory: string) {
    this.#directory = directory;
    this.#reserve = new LmdbReserve(directory, (changes) => this.#transact(changes));
  }

  async open(): Promise<readonly number[]> {
    try {
      await prepareFolder(this.#directory, makeDatabase);
      const isOurs = checkLmdbFile(dataFileOf(this.#directory), MAP_BYTES, journalRules);
      if (!isOurs) throw new FormatError(this.#directory);
      return await this.#open();
    } catch (error) {
      throw await this.#explain(error);
    }
  }

  async #open(): Promise<readonly number[]> {
    const database = await openDatabase(this.#directory);
    try {
      checkFormat(database, this.#directory);
      this.#lock = await LmdbLock.acquire(database, this.#directory);
      closeToOthers(this.#directory);
    } catch (error) {
      await database.close();
      throw error;
    }
    this.#database = database;
    this.#pages.reset();
    return [...database.getKeys({ end: END_OF_SEGMENTS })].map(segmentId);
  }

  secret(): Promise<Uint8Array> {
    return this.#inTurn(async () => {
      const database = await this.#lean(READING_LIMIT_BYTES);
      const kept = database.get(SECRET_KEY);
      const secret = kept ? Buffer.from(kept) : randomBytes(SECRET_BYTES);
      if (kept && database.get(SECRET_CHECK_KEY)) return secret;
      // Without space for the secret, the data can still be read. The next open makes another secret.
      await this.#putSecret(secret).catch(() => {});
      return secret;
    });
  }

  replaceSecret(secret: Uint8Array): Promise<void> {
    return this.#inTurn(() =>
      this.#putSecret(asBuffer(secret)).catch(async (error) => Promise.reject(await this.#explain(error))),
    );
  }

  #putSecret(secret: Buffer): Promise<void> {
    return this.#transact((database) => {
      void database.put(SECRET_KEY, secret, 0);
      void database.put(SECRET_CHECK_KEY, checksumOf(secret), 0);
    });
  }

  read(id: number): Promise<Uint8Array | undefined> {
    return this.#inTurn(async () => {
      const database = await this.#lean(READING_LIMIT_BYTES);
      const found = database.getBinaryFast(segmentKey(id));
      // The library reuses this buffer and changes its `length`.
      return found && asBuffer(found);
    });
  }

  write(put: readonly Segment[], remove: readonly number[], spare = false): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#reserve.isFull && !spare && !(await this.#reserve.restore())) throw this.#diskFull();
      if (!spare && !this.#reserve.hasRoomFor(put.reduce((sum, { bytes }) => sum + bytes.length, 0))) {
        await this.#reserve.release();
        throw this.#diskFull();
      }
      const changes = (database: LmdbDatabase): void => {
        for (const { id, bytes } of put) void database.put(segmentKey(id), asBuffer(bytes), 0);
        for (const id of remove) void database.remove(segmentKey(id));
      };
      try {
        await this.#transact(changes);
      } catch (error) {
        const explained = await this.#explain(error);
        if (!(explained instanceof DiskFullError)) throw explained;
        await this.#reserve.release();
        if (!spare) throw explained;
        await this.#transact(changes).catch(async (again) => Promise.reject(await this.#explain(again)));
      }
      // The commit does not wait for this.
      this.#afterwards(async () => this.#database && this.#reserve.keep(this.#database));
    });
  }

  health(): string {
    // `#database` is absent while it is being opened again.
    if (this.#database && this.#lock?.isHeld === false) return this.#takenOver();
    // After a start no write may have failed yet, so this checks the space.
    if (!this.#reserve.isFull && this.#reserve.hasRoomFor(0)) return '';
    this.#afterwards(async () => this.#lock && this.#reserve.restore());
    return this.#diskFull().message;
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#lock?.release();
      this.#lock = undefined;
      const database = this.#database;
      this.#database = undefined;
      await database?.close();
    });
  }

  /** Runs an action in the background. If it fails, the next occasion tries again. */
  #afterwards(act: () => Promise<unknown>): void {
    this.#inTurn(act).catch(() => undefined);
  }

  /** Runs actions one after another: no transaction may be in flight when the database is opened again. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act);
    this.#last = turn.then(
      () => {},
      () => {},
    );
    return turn;
  }

  /** Makes changes in one transaction, if this process still has the folder. */
  async #transact(changes: (database: LmdbDatabase) => void): Promise<void> {
    const database = await this.#lean(WRITING_LIMIT_BYTES);
    // An idle reader would keep pages in use that were freed since its last read.
    database.resetReadTxn();
    const writing = this.#lock?.whileHeld(() => changes(database));
    const held = await writing?.catch(async (error) => Promise.reject(await causeOf(error)));
    if (!held) throw new Error(this.#takenOver());
  }

  /** Returns the database. Opens it again first if too many of its pages count as memory of this process. */
  async #lean(limitBytes: number): Promise<LmdbDatabase> {
    if (!this.#lock) throw new Error('the database is not open');
    if (this.#database && !this.#pages.areMany(limitBytes)) return this.#database;
    const outgrown = this.#database;
    // If opening fails, the next call tries again.
    this.#database = undefined;
    await outgrown?.close();
    this.#database = await openDatabase(this.#directory);
    this.#lock.moveTo(this.#database);
    this.#pages.reset();
    return this.#database;
  }

  #takenOver(): string {
    return `${this.#directory} has been taken over by another process`;
  }

  #diskFull(cause?: unknown): DiskFullError {
    return new DiskFullError(`${dataFileOf(this.#directory)}: no space left on the device`, { cause });
  }

  /** Returns a better error for a full disk or a damaged file. LMDB reports most failed writes as an I/O error. */
  async #explain(error: unknown): Promise<unknown> {
    if (error instanceof DamagedFileError || error instanceof DataInUseError || error instanceof FormatError)
      return error;
    const cause = await causeOf(error);
    const { bavail, bsize } = await promises.statfs(this.#directory).catch(() => UNKNOWN);
    if (bavail * bsize < SPARE_BYTES) return this.#diskFull(cause);
    // An error of Node's own names its file.
    if (cause instanceof Error && 'syscall' in cause) return cause;
    const path = dataFileOf(this.#directory);
    if (isAboutStructure(cause)) return new DamagedFileError(path, 'is damaged', undefined, { cause });
    return new Error(`${path}: ${messageOf(cause)}`, { cause });
  }
}

/** The error of a full disk. Only deletions are still possible. */
class DiskFullError extends Error implements BackendFull {
  readonly full = true;
}

const UNKNOWN = { bavail: Number.POSITIVE_INFINITY, bsize: 1 };

/** The error for a folder with data that this version cannot read. */
class FormatError extends Error {
  constructor(directory: string, format = 'not from Kindforge') {
    super(`${directory} holds data that this version cannot read (${format})`);
  }
}

/**
 * Checks whether an error means that the file is damaged. The library's other errors are about the system or its use.
 */
function isAboutStructure(error: unknown): boolean {
  return /\bMDB_(CORRUPTED|PAGE_NOTFOUND|INVALID|VERSION_MISMATCH|PANIC|BAD_\w+|CURSOR_FULL|PAGE_FULL)\b/.test(
    messageOf(error),
  );
}

/** Makes an empty database, and closes it. */
async function makeDatabase(place: string): Promise<void> {
  const database = await openDatabase(place);
  try {
    database.putSync(FORMAT_KEY, Buffer.from(FORMAT), 0);
  } finally {
    await database.close();
  }
}

async function openDatabase(path: string): Promise<LmdbDatabase> {
  // Imported here, so that servers with other storage do not wait for the native library.
  const { open } = await import('lmdb');
  return open<Buffer, Buffer>({
    path,
    noSubdir: false,
    pageSize: PAGE_BYTES,
    keyEncoding: 'binary',
    encoding: 'binary',
    useVersions: true,
    maxDbs: 1,
    mapSize: MAP_BYTES,
    ...PRIVATE,
    // A commit resolves after its fsync, and only then.
    overlappingSync: false,
    // Otherwise a failed commit also rejects a promise that no code can reach.
    eventTurnBatching: false,
  });
}

/** The mode of the files. The library accepts this option, though its types do not have it. */
const PRIVATE = { permissionsMode: FILE_MODE };

/** Refuses a folder with data of another program, before it changes anything. */
function checkFormat(database: LmdbDatabase, directory: string): void {
  const found = database.get(FORMAT_KEY)?.toString();
  if (found === FORMAT) return;
  throw new FormatError(directory, found);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Returns the cause that the library attaches to the error of a failed commit. */
async function causeOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error;
  try {
    await error.commitError;
    return error;
  } catch (cause) {
    return cause;
  }
}

/** The bytes that may be mapped while the whole file is read. With more, the file is opened again to unmap them. */
const READING_LIMIT_BYTES = 8 * 1024 * 1024;
/** The same limit for writes, which use few new pages. */
const WRITING_LIMIT_BYTES = 2 * 1024 * 1024;
/** Mapped pages are counted in one of this many calls. A count takes about 15 µs. */
const LOOK_EVERY = 8;
const MEMORY_PAGE_BYTES = 4096;

/**
 * Counts mapped pages. The kernel maps 64 KiB around every page that LMDB reads, and keeps them mapped. After a while
 * the whole file counts as memory of the process, besides the store's own copy. Opening the file again takes about a
 * millisecond and unmaps them.
 */
class MappedPages {
  #base = filePages();
  #questions = 0;

  /** Checks whether more bytes than a limit were mapped since `reset`. */
  areMany(limitBytes: number): boolean {
    if (++this.#questions % LOOK_EVERY !== 0) return false;
    return (filePages() - this.#base) * MEMORY_PAGE_BYTES > limitBytes;
  }

  /** Starts counting from 0. */
  reset(): void {
    this.#base = filePages();
  }
}

/** Returns the bytes of mapped files in this process's memory; 0 on systems without /proc. */
function filePages(): number {
  try {
    return Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[2]);
  } catch {
    return 0;
  }
}
