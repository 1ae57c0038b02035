/** The generated client with Kubernetes' names, in the example that releases to the cluster of a kubeconfig. */
import { expect, it, vi } from 'vitest';
import { startServer } from '../../../server/index.js';
import { filesIn, testFolder } from '../../support/scratch-folder.js';

it('releases an application to the cluster of the kubeconfig', async () => {
  const server = await startServer({ naming: 'kubernetes', storage: 'memory', tls: {}, http: false });
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.stubEnv('KUBECONFIG', filesIn(testFolder())('kubeconfig', server.kubeconfig));
  try {
    const example: string = '../../../examples/cluster/release.js';
    await import(example);
    expect(printed.mock.calls.map(([line]) => line)).toEqual([
      'released apps/v1 Deployment web',
      'somebody else decides on .spec.replicas',
      'kindforge-release/web wants 3',
      'may release again: true',
      'and is gone',
    ]);
  } finally {
    vi.unstubAllEnvs();
    printed.mockRestore();
    await server.stop();
  }
});
