/** The options of the store in etcd, without the types of `@grpc/grpc-js`, which need not be installed. */
import type { AttributeReader, Damage, OnLoading, StorageObserver, Store } from '../../contract/index.js';
import type { Encryption } from '../encryption/encryption.js';
import type { StoreStatistics } from '../memory/replica.js';

export interface ConnectionOptions {
  /** Addresses of members, as in `http://127.0.0.1:2379`; at least one. */
  readonly endpoints: readonly string[];
  readonly tls?: TlsOptions;
  readonly user?: string;
  readonly password?: string;
  /** Called with each answer. */
  readonly observer?: StorageObserver;
}

/** PEM texts for TLS. */
export interface TlsOptions {
  /** Certificates to check members' certificates against; by default the authorities that come with Node. */
  readonly ca?: Buffer;
  /** The client's own certificate and key, for clusters that want one. */
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export interface OpenEtcdStoreOptions extends ConnectionOptions {
  /** The prefix of all keys in etcd; `/kindforge/` by default. */
  readonly prefix?: string;
  /** Encrypts all objects that etcd gets. Default: nothing is encrypted. */
  readonly encryption?: Encryption | undefined;
  /** Reads what selectors may ask of an object. */
  readonly readAttributes: AttributeReader;
  /** The time for which changes can be replayed and earlier states listed, in milliseconds; 5 minutes by default. */
  readonly historyWindowMs?: number;
  /**
   * The most bytes of memory that history may use; 64 MiB by default. If that does not suffice, the window is shorter.
   */
  readonly historyMaxBytes?: number;
  /** Bytes of the largest object that is stored, 1.5 MiB by default; etcd has a limit of its own besides. */
  readonly maxObjectBytes?: number;
  /** Called with the progress of the opening. */
  readonly onLoading?: OnLoading | undefined;
  /** A clock in milliseconds that never goes back. */
  readonly now?: () => number;
  /** Called with errors that the sinks of watches throw, which they must not; prints them by default. */
  readonly onWatchError?: ((error: unknown) => void) | undefined;
  /**
   * Lets this server compact etcd, which concerns all keys of etcd; true by default. If no server may, someone else
   * must, or etcd grows until it is full.
   */
  readonly compaction?: boolean;
  /** Seconds that the server that compacts may be silent before another takes over; 15 by default. */
  readonly leaseSeconds?: number;
  /** Milliseconds to wait for etcd to be there; 30 seconds by default. */
  readonly openWithinMs?: number;
  /** The most changes in one transaction, from 1 to 100; 100 by default. One more operation is for the head. */
  readonly largestGroup?: number;
  /** Only reads the store and changes nothing in etcd: data of an earlier format keeps it. */
  readonly readOnly?: boolean;
  /** As for embedded backends. What cannot be read later on is not served, and listed in `damage`. */
  readonly onDamage?: 'refuse' | 'serve-rest' | 'replace';
  /** Called with each object that turns out damaged after the store was opened. */
  readonly onDamageFound?: ((damage: Damage) => void) | undefined;
}

/** A store with figures about itself. */
export interface EtcdBackedStore extends Store {
  readonly statistics: StoreStatistics;
  /** Objects in etcd that cannot be read, and are not served. */
  readonly damage: readonly Damage[];
}
