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
  /** Certificates to check members' certificates against; by default the authorities that come with Node. */
  readonly ca?: Buffer;
  /** The client's own certificate and key, for clusters that want one. */
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

export interface EtcdDriverOptions extends ConnectionOptions {
  /** The prefix of all keys in etcd; `/kindforge/` by default. */
  readonly prefix?: string;
  /** Encrypts all objects that etcd gets. Default: nothing is encrypted. */
  readonly encryption?: Encryption | undefined;
}

/**
 * The options of a store in etcd. `compaction` concerns all keys of etcd. etcd has a limit of its own for the size of an
 * object.
 */
export interface OpenEtcdStoreOptions extends EtcdDriverOptions, SharedStoreOptions {}
