/** Writes a kubeconfig for one server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a kubeconfig to a folder, with the context `one`, which names the server and the user. Returns its path. */
export function writeKubeconfig(folder: string, server: string, user: object, cluster: object = {}): string {
  const path = join(folder, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'one',
    clusters: [{ name: 'one', cluster: { server, ...cluster } }],
    users: [{ name: 'one', user }],
    contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}
