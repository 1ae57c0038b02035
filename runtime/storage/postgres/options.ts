/** The options of the driver for PostgreSQL, without the types of its client, which need not be installed. */
import type { StorageObserver } from '../../contract/index.js';
import type { Encryption } from '../encryption/encryption.js';
import type { SharedStoreOptions } from '../shared/options.js';

export interface PostgresDriverOptions {
  /**
   * A connection URL as libpq takes it, as in `postgres://user@host/database?schema=kindforge`. What it leaves out comes
   * from the environment and from the password file, as for libpq.
   */
  readonly url: string;
  /** Takes precedence over the password in the URL, the environment and the password file. */
  readonly password?: string | undefined;
  /** The schema of the tables. Default: `schema` of the URL, or `kindforge`. */
  readonly schema?: string | undefined;
  /** Encrypts all objects that PostgreSQL gets. Default: nothing is encrypted. */
  readonly encryption?: Encryption | undefined;
  /** Called with each answer. */
  readonly observer?: StorageObserver | undefined;
  /** Called with what operators should know, as in a pooler that does not carry notifications. */
  readonly onNotice?: ((message: string) => void) | undefined;
  /** Environment variables, as libpq reads them. Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Allows servers that only read, such as a standby. */
  readonly readOnly?: boolean;
}

/** The options of a store in PostgreSQL. */
export interface OpenPostgresStoreOptions extends PostgresDriverOptions, SharedStoreOptions {}
