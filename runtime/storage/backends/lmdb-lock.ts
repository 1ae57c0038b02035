/** Keeps an LMDB folder to one process: an owner's record in the database itself, checked with every write. */
import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type LmdbDatabase, OWNER_KEY as OWNER } from './lmdb-entries.js';
import { FILE_MODE, ownerFileOf } from './lmdb-folder.js';
import { DataInUseError, HEARTBEAT_MS, isAlive, parseOwner, thisProcess } from './owner.js';

const NOBODY = Buffer.from('{}');

/**
 * The owner's record has a version that grows with every owner, and writes are made on the condition that it has not
 * changed. So even a process that was taken for dead cannot write once another has taken over.
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

  /** Takes the folder, also from a process that is gone. Rejects with a `DataInUseError` while another has it. */
  static async acquire(database: LmdbDatabase, directory: string): Promise<LmdbLock> {
    const heartbeatFile = ownerFileOf(directory);
    for (;;) {
      database.resetReadTxn();
      const seen = database.getEntry(OWNER);
      const owner = seen && parseOwner(seen.value.toString());
      if (owner && (await isAlive(owner, heartbeatFile))) throw new DataInUseError(directory, owner);
      const version = seen?.version ?? 0;
      if (replaceOwner(database, version, version + 1)) return new LmdbLock(database, version + 1, heartbeatFile);
    }
  }

  /** Makes the writes that `action` asks for, in one transaction, if this process still has the folder. */
  whileHeld(action: () => void): Promise<boolean> {
    return this.#database.ifVersion(OWNER, this.#token, action);
  }

  /** Whether this process still has the folder. */
  get isHeld(): boolean {
    this.#database.resetReadTxn();
    return versionOf(this.#database) === this.#token;
  }

  /** Goes on with another handle of the same data. */
  moveTo(database: LmdbDatabase): void {
    this.#database = database;
  }

  release(): void {
    clearInterval(this.#heartbeat);
    try {
      this.#database.transactionSync(() => {
        if (versionOf(this.#database) === this.#token) void this.#database.put(OWNER, NOBODY, this.#token);
      });
      rmSync(this.#heartbeatFile, { force: true });
    } catch {
      // On a full disk the record stays; the next process will see that this one is gone.
    }
  }

  #begin(): void {
    try {
      writeFileSync(this.#heartbeatFile, `${process.pid}\n`, { mode: FILE_MODE });
    } catch {
      // On a full disk; see below.
    }
  }

  #beat(): void {
    const now = new Date();
    try {
      utimesSync(this.#heartbeatFile, now, now);
    } catch {
      // Only processes in other containers look at it; the condition on every write is what protects the data.
    }
  }
}

/** Makes this process the owner unless somebody else was quicker. */
function replaceOwner(database: LmdbDatabase, from: number, to: number): boolean {
  return database.transactionSync(() => {
    if (versionOf(database) !== from) return false;
    void database.put(OWNER, Buffer.from(JSON.stringify(thisProcess())), to);
    return true;
  });
}

function versionOf(database: LmdbDatabase): number {
  return database.getEntry(OWNER)?.version ?? 0;
}
