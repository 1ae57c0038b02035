/** The store in etcd. An entry point of its own, so that only those who use etcd load what speaks to it. */
export { type EtcdBackedStore, type OpenEtcdStoreOptions, openEtcdStore } from './open-etcd-store.js';
