/** The generated client with Kubernetes' names, in the example that releases to the cluster of a kubeconfig. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startServer } from '../../../server/index.js';

it('releases an application to the cluster of the kubeconfig', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-cluster-'));
  const server = await startServer({ naming: 'kubernetes', storage: 'memory', tls: {}, http: false });
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  writeFileSync(join(folder, 'kubeconfig'), server.kubeconfig);
  vi.stubEnv('KUBECONFIG', join(folder, 'kubeconfig'));
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
    rmSync(folder, { recursive: true });
  }
});
