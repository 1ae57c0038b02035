/** The store in etcd. It has an entry point of its own, so that only users of etcd load its client. */
export { openEtcdStore } from './open-etcd-store.js';
export type { OpenEtcdStoreOptions } from './options.js';
