/** The LMDB database that a backend and its lock share: keys and values are bytes. */
import type { RootDatabase } from 'lmdb';

export type LmdbDatabase = RootDatabase<Buffer, Buffer>;
