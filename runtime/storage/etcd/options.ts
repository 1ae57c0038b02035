/** The options of the store in etcd, without the types of `@grpc/grpc-js`, which need not be installed. */
import type { StorageObserver } from '../../contract/index.js';
import type { Encryption } from '../encryption/encryption.js';
import type { SharedStoreOptions } from '../shared/options.js';

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
  /** The certificates that verify the members' certificates. Default: the authorities that come with Node. */
  readonly ca?: Buffer;
  /** The client's own certificate and key, for clusters that require one. */
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export interface EtcdDriverOptions extends ConnectionOptions {
  /** The prefix of all keys in etcd; `/kindforge/` by default. */
  readonly prefix?: string;
  /** Encrypts all objects before etcd gets them. Default: no encryption. */
  readonly encryption?: Encryption | undefined;
}

/**
 * The options of a store in etcd. `compaction` affects all keys of etcd. etcd has its own limit for the size of an
 * object.
 */
export interface OpenEtcdStoreOptions extends EtcdDriverOptions, SharedStoreOptions {}
