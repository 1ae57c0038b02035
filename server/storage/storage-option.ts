/** Where objects are kept, as the options of a server say it. */
import type { Backend } from '../../runtime/contract/index.js';

/** A store: in memory, in a folder of this machine, over a driver of unstorage, in etcd, or over a backend of one's own. */
export type StorageOption =
  | 'memory'
  | { readonly lmdb: string }
  | { readonly unstorage: UnstorageOption }
  | { readonly etcd: EtcdOption }
  | { readonly backend: Backend };

/** The value of an option of a driver. */
export type DriverOption = string | number | boolean;

/** A driver of unstorage. Files are read when the store is opened. */
export interface UnstorageOption {
  /** Its name, as in `redis`. */
  readonly driver: string;
  readonly options?: Readonly<Record<string, DriverOption>>;
  /** Files whose text is the value of an option, by option; for passwords. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Where etcd is, and how to speak to it. Files are read when the store is opened. */
export interface EtcdOption {
  /** As in `127.0.0.1:2379`. */
  readonly endpoints: readonly string[];
  /** Keys begin with it. Default: `/kindforge/`. */
  readonly prefix?: string;
  /** Goes with `passwordFile`. */
  readonly user?: string | undefined;
  readonly passwordFile?: string | undefined;
  /** File with the certificate of etcd's authority, in PEM. */
  readonly ca?: string | undefined;
  /** Files with a certificate of the client and its key, in PEM; they go together. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Whether this server removes what is too old for etcd's history. Default: true. */
  readonly compaction?: boolean;
}

/** The bounds of the history; the one that is reached first counts. */
export interface HistoryOption {
  readonly historyWindowMs?: number;
  readonly historyMaxBytes?: number;
}

/** Whether a server with damaged data does not start, serves the rest, or removes the damaged for good. */
export type DamageOption = 'refuse' | 'serve-rest' | 'discard';
