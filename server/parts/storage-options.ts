/** The options of storage, and the opened storage. */
import type {
  AttributeReader,
  Backend,
  Damage,
  OnLoading,
  StorageObserver,
  Store,
} from '../../runtime/contract/index.js';
import type { EmbeddedStore, Encryption } from '../../runtime/storage/index.js';

/**
 * A store: in memory, in a folder of this machine, over an unstorage driver, in etcd, in PostgreSQL, or over your own
 * backend.
 */
export type StorageOption =
  | 'memory'
  | { readonly lmdb: string }
  | { readonly unstorage: UnstorageOption }
  | { readonly etcd: EtcdOption }
  | { readonly postgres: PostgresOption }
  | { readonly backend: Backend };

/** The value of a driver option. */
export type DriverOption = string | number | boolean;

/** An unstorage driver. The server reads the files when it opens the store. */
export interface UnstorageOption {
  /** Its name, as in `redis`. */
  readonly driver: string;
  readonly options?: Readonly<Record<string, DriverOption>>;
  /** Files that contain the value of an option, by option; for passwords. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The address of etcd, and the credentials for it. The server reads the files when it opens the store. */
export interface EtcdOption {
  /** As in `127.0.0.1:2379`. */
  readonly endpoints: readonly string[];
  /** The prefix of all keys. Default: `/kindforge/`. */
  readonly prefix?: string;
  /** Requires `passwordFile`. */
  readonly user?: string | undefined;
  readonly passwordFile?: string | undefined;
  /** File with the certificate of etcd's authority, in PEM. */
  readonly ca?: string | undefined;
  /** Files with a client certificate and its key, in PEM; set both or neither. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Whether this server compacts old history in etcd. Default: true. */
  readonly compaction?: boolean;
}

/** The database and the credentials for it. */
export interface PostgresOption {
  /**
   * A URL for libpq, as in `postgres://user@host:5432/database`. Missing parts come from libpq's environment, such as
   * `PGPASSWORD`, and its password file.
   */
  readonly url: string;
  /** The schema of the tables. Default: the option `schema` of the URL, or `kindforge`. */
  readonly schema?: string | undefined;
  /** File with the password. The server reads it when it opens the store. Default: libpq's places. */
  readonly passwordFile?: string | undefined;
  /** Whether this server deletes old changes. Default: true. */
  readonly compaction?: boolean;
}

/** The limits of the history. The first one that is reached applies. */
export interface HistoryOption {
  readonly historyWindowMs?: number;
  readonly historyMaxBytes?: number;
}

/** Whether a server with damaged data refuses to start, serves the rest, or removes the damaged data for good. */
export type DamageOption = 'refuse' | 'serve-rest' | 'discard';

/** An open store and its description. */
export interface Storage {
  readonly store: Store;
  /** The location of the data, for messages. */
  readonly place: string;
  /** Discards earlier history. */
  readonly forgetHistory: () => void;
  /** Returns the bytes of the data on disk; absent if the store does not know, or reports them itself. */
  readonly bytes?: () => number;
  /** The damage found; damaged objects are not in the store. */
  readonly damage: readonly Damage[];
  /** The store, if no other process can open the data. */
  readonly embedded?: EmbeddedStore;
}

export interface Opening {
  /** `replace` opens any data, to restore over it. */
  readonly onDamage: DamageOption | 'replace';
  readonly readAttributes: AttributeReader;
  /** Encrypts stored data. Default: no encryption. */
  readonly encryption?: Encryption | undefined;
  /** Whether to only read a shared store. Data of an earlier format is then not converted. */
  readonly readOnly?: boolean;
  /** Default: the store's default. */
  readonly history?: HistoryOption;
  /** Returns milliseconds that never go back, for embedded stores. Default: the machine's clock. */
  readonly now?: (() => number) | undefined;
  /** The size limit of an object, bytes. Default: the store's default. */
  readonly maxObjectBytes?: number;
  /** Receives errors of watch sinks. Default: prints them. */
  readonly onWatchError?: ((error: unknown) => void) | undefined;
  /** Receives damage that the store finds later, if others write to the storage. Default: none. */
  readonly onDamageFound?: (damage: Damage) => void;
  /** Receives the progress of opening. Default: none. */
  readonly onLoading?: OnLoading;
  /** Receives facts for operators about working storage. Default: none. */
  readonly onNotice?: ((notice: string) => void) | undefined;
  /** Receives measurements of storage. Default: none. */
  readonly observer?: StorageObserver;
}
