/** The public JavaScript client for Kubernetes reads the kubeconfig that a server writes. */
import { join } from 'node:path';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scratchFolder } from '../../test/support/scratch-folder.js';
import { type ServerProcess, startServerProcess } from '../../test/support/server-process.js';

const folder = scratchFolder();

let server: ServerProcess;
beforeAll(async () => {
  const flags = ['--secure-port', 'auto', '--http-port', '0', '--storage', 'memory', '--naming', 'kubernetes'];
  server = await startServerProcess(...flags, '--credentials-dir', folder);
});
afterAll(() => server.end('SIGTERM'));

it('lets the JavaScript client in', async () => {
  const config = new KubeConfig();
  config.loadFromFile(join(folder, 'kubeconfig'));
  const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
  expect(items.map(({ metadata }) => metadata?.name)).toContain('default');
});
