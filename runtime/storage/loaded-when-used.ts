/**
 * Stores and backends that need packages of their own. Each loads its packages when it is opened, so that other stores
 * start without them.
 */
import type { Backend } from '../contract/index.js';
import type { OpenEtcdStoreOptions } from './etcd/options.js';
import type { OpenPostgresStoreOptions } from './postgres/options.js';
import type { SharedStore } from './shared/options.js';
import type { DriverOptions, OpenDriver, UnstorageOptions, UnstorageTarget } from './unstorage/options.js';

/**
 * Opens a store in etcd, which needs the packages `@grpc/grpc-js` and `protobufjs`. Rejects with an `EtcdError` if etcd
 * refuses or is not there in time, with an `UnfinishedRestoreError` if a restore was interrupted, and with a
 * `DamagedStoreError` if objects cannot be read.
 */
export async function openEtcdStore(options: OpenEtcdStoreOptions): Promise<SharedStore> {
  return (await import('./etcd/index.js')).openEtcdStore(options);
}

/**
 * Opens a store in PostgreSQL, which needs the package `pg`. Rejects with an Error if PostgreSQL refuses or is not
 * there in time, with an `UnfinishedRestoreError` if a restore was interrupted, and with a `DamagedStoreError` if
 * objects cannot be read.
 */
export async function openPostgresStore(options: OpenPostgresStoreOptions): Promise<SharedStore> {
  return (await import('./postgres/index.js')).openPostgresStore(options);
}

/**
 * Returns a backend that keeps the data as items of a storage of unstorage, or of a driver. A commit resolves once the
 * driver has stored it. Files are flushed to the disk; for other drivers, durability depends on the driver. Rejects
 * with an Error for a driver that cannot keep data, and for a base that cannot be part of a key.
 */
export async function unstorageBackend(target: UnstorageTarget, options?: UnstorageOptions): Promise<Backend> {
  const [{ unstorageBackend: open }, { isTarget }] = await Promise.all([
    import('./unstorage/backend.js'),
    import('./unstorage/items.js'),
  ]);
  if (isTarget(target)) return open(target, options);
  throw new TypeError('the backend needs a driver or a storage of unstorage');
}

/**
 * Creates one of unstorage's drivers, as in `redis` with `{ url: 'redis://127.0.0.1' }`. For `db0`, the options are the
 * connector's, with its name as `connector`, and `tableName`; it needs the package `db0`. Rejects with an Error if the
 * driver is unknown, needs a package that is not installed, or refuses its options. The message has the cure.
 */
export async function openDriver(name: string, options?: DriverOptions): Promise<OpenDriver> {
  return (await import('./unstorage/drivers.js')).openDriver(name, options);
}
