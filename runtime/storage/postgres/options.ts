/** The options of the driver for PostgreSQL, without the types of its client, which need not be installed. */
import type { StorageObserver } from '../../contract/index.js';
import type { Encryption } from '../encryption/encryption.js';
import type { SharedStoreOptions } from '../shared/options.js';

export interface PostgresDriverOptions {
  /**
   * A connection URL as for libpq, such as `postgres://user@host/database?schema=kindforge`. Parts that it leaves out
   * come from the environment and the password file, as in libpq.
   */
  readonly url: string;
  /** Takes precedence over the password in the URL, the environment and the password file. */
  readonly password?: string | undefined;
  /** The schema of the tables. Default: `schema` of the URL, or `kindforge`. */
  readonly schema?: string | undefined;
  /** Encrypts all objects before PostgreSQL gets them. Default: no encryption. */
  readonly encryption?: Encryption | undefined;
  /** Called with each answer. */
  readonly observer?: StorageObserver | undefined;
  /** Called with messages for operators, for example about a pooler that does not carry notifications. */
  readonly onNotice?: ((message: string) => void) | undefined;
  /** The environment variables of libpq. Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Allows servers that only read, such as a standby. */
  readonly readOnly?: boolean;
}

/** The options of a store in PostgreSQL. */
export interface OpenPostgresStoreOptions extends PostgresDriverOptions, SharedStoreOptions {}
