/** Kubeconfigs for one server. */
import { filesIn } from './scratch-folder.js';

/** Returns the text of a kubeconfig, with the context `one`, which names the server and the user. */
export const kubeconfigFor = (server: string, user: object = {}, cluster: object = {}, context: object = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'one',
    clusters: [{ name: 'one', cluster: { server, ...cluster } }],
    users: [{ name: 'one', user }],
    contexts: [{ name: 'one', context: { cluster: 'one', user: 'one', ...context } }],
  });

/** Writes such a kubeconfig to a folder, and returns its path. */
export const writeKubeconfig = (folder: string, server: string, user: object, cluster: object = {}): string =>
  filesIn(folder)('kubeconfig', kubeconfigFor(server, user, cluster));
