/** The options of the store in etcd, without the types of `@grpc/grpc-js`, which need not be installed. */
import type { AttributeReader, Damage, OnLoading, StorageObserver, Store } from '../../contract/index.js';
import type { StoreStatistics } from '../memory/replica.js';

export interface ConnectionOptions {
  /** Addresses of members, as in `http://127.0.0.1:2379`; at least one. */
  readonly endpoints: readonly string[];
  readonly tls?: TlsOptions;
  readonly user?: string;
  readonly password?: string;
  /** Told of each answer; nobody is where absent. */
  readonly observer?: StorageObserver;
}

/** PEM texts for TLS. */
export interface TlsOptions {
  /** Certificates that members' certificates are checked against; those that Node knows where absent. */
  readonly ca?: Buffer;
  /** The client's own certificate and key, for clusters that want one. */
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export interface OpenEtcdStoreOptions extends ConnectionOptions {
  /** The prefix of all keys in etcd; `/kindforge/` by default. */
  readonly prefix?: string;
  /** Reads what selectors may ask of an object. */
  readonly readAttributes: AttributeReader;
  /** How long changes can be replayed and earlier states listed, in milliseconds; 5 minutes by default. */
  readonly historyWindowMs?: number;
  /** Bytes of memory that history may cost; 64 MiB by default. The window is shorter where that does not suffice. */
  readonly historyMaxBytes?: number;
  /** Bytes of the largest object that is stored, 1.5 MiB by default; etcd has a limit of its own besides. */
  readonly maxObjectBytes?: number;
  /** Told how far the opening is. */
  readonly onLoading?: OnLoading | undefined;
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
  /** Told of what the sinks of watches throw, which must not; it is printed by default. */
  readonly onWatchError?: ((error: unknown) => void) | undefined;
  /**
   * Whether this server may compact etcd, which concerns all keys that etcd has; true by default. Where no server may,
   * somebody else has to, or etcd grows until it is full.
   */
  readonly compaction?: boolean;
  /** Seconds that the server that compacts may be silent before another takes over; 15 by default. */
  readonly leaseSeconds?: number;
  /** Milliseconds to wait for etcd to be there; 30 seconds by default. */
  readonly openWithinMs?: number;
  /** The most changes in one transaction, from 1 to 100; 100 by default. One more operation is for the head. */
  readonly largestGroup?: number;
  /** Whether the store is only read, and nothing in etcd touched: data of an earlier format stays what it is. */
  readonly readOnly?: boolean;
  /** As for embedded backends. What cannot be read later on is not served, and listed in `damage`. */
  readonly onDamage?: 'refuse' | 'serve-rest' | 'replace';
}

/** A store with figures about itself. */
export interface EtcdBackedStore extends Store {
  readonly statistics: StoreStatistics;
  /** Objects in etcd that cannot be read, and are not served. */
  readonly damage: readonly Damage[];
}
