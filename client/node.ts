/** The Node part of the SDK: connections by kubeconfigs, in pods, with certificates, plugins, proxies and HTTP/2. */
export * from './index.js';
export type { PemSource } from './kubeconfig/connection.js';
export type { ConnectionOptions } from './node/dispatcher.js';
export { type InClusterOptions, isInCluster, loadConnection, loadInCluster } from './node/in-cluster.js';
export { type KubeconfigOptions, loadKubeconfig } from './node/load-kubeconfig.js';
export type { LoadedConnection } from './node/loaded.js';
export { type ConnectionSettings, openConnection } from './node/open-connection.js';
