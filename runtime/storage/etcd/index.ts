/** The store in etcd. A door of its own, so that only those who use etcd load what speaks to it. */
export { openEtcdStore } from './open-etcd-store.js';
export type { OpenEtcdStoreOptions } from './options.js';
