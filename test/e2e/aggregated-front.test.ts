/** Another server in front of one that runs with `--aggregated`, and kubectl, which sees both as one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListeningServer } from '../../server/index.js';
import { startBehind, startCluster, type TestCluster } from '../support/behind-cluster.js';
import { makeAuthority } from '../support/certificate-authority.js';
import { hasKubectl, type Kubectl, kubectlFor, printed } from '../support/kubectl.js';
import { freePort } from '../support/local-server.js';
import { scratchFolder } from '../support/scratch-folder.js';

const folder = scratchFolder();
const widget = (namespace: string) =>
  JSON.stringify({
    ...{ apiVersion: 'shop.example.com/v1', kind: 'Widget', metadata: { name: 'door', namespace } },
    spec: { size: 'large' },
  });

describe.skipIf(!hasKubectl)('kubectl through a cluster (skipped if it is not installed)', () => {
  let cluster: TestCluster;
  let behind: ListeningServer;
  let kubectl: Kubectl;

  beforeAll(async () => {
    const [proxies, clients] = await Promise.all([makeAuthority('CN=proxies'), makeAuthority('CN=clients')]);
    const port = await freePort();
    const serviceAddresses = { 'shop/shop': `https://127.0.0.1:${port}` };
    cluster = await startCluster(folder, { proxies, clients }, { admission: { serviceAddresses } });
    behind = await startBehind(cluster, await cluster.kubeconfigOf('shop', 'shop'), port);
    kubectl = kubectlFor(cluster.server.url);
    kubectl.file('config', cluster.server.kubeconfig);
  }, 120_000);

  afterAll(async () => {
    kubectl?.close();
    await behind?.stop();
    await cluster?.server.stop();
  });

  it('waits until the server is available, then works with its kinds', async () => {
    printed(await kubectl.run('wait', '--for=condition=Available', 'apiservice/v1.shop.example.com', '--timeout=60s'));
    expect(printed(await kubectl.pipe(widget('default'), 'apply', '-f', '-'))).toContain('door created');
    expect(printed(await kubectl.run('get', 'wd', '--no-headers', '--all-namespaces'))).toMatch(/default +door +large/);
    expect(printed(await kubectl.run('explain', 'widgets.spec.size'))).toContain('How large the widget is.');
  });

  it('accepts the printed objects in strict validation', async () => {
    const file = kubectl.file('shop.yaml', cluster.manifests);
    const applied = await kubectl.run('apply', '--server-side', '--dry-run=server', '--validate=strict', '-f', file);
    expect(printed(applied).trim().split('\n')).toHaveLength(13);
  });

  it('gives users the rights of their roles in the cluster, for the kinds behind it too', async () => {
    printed(await kubectl.run('create', 'rolebinding', 'jane', '--clusterrole=edit', '--user=jane'));
    const asJane = ['--as=jane', '--namespace=default'];
    // Controllers bring the rules of the printed roles into `edit`.
    await expect.poll(async () => (await kubectl.run('get', 'widgets', ...asJane)).code, { timeout: 20_000 }).toBe(0);
    expect((await kubectl.run('delete', 'widget', 'door', ...asJane)).code).toBe(0);
    const elsewhere = await kubectl.run('get', 'widgets', '--as=jane', '--namespace=kube-system');
    expect(elsewhere.err).toContain('User "jane" cannot list resource "widgets"');
  });

  it('deletes a namespace with all objects in it, on both servers', async () => {
    printed(await kubectl.run('create', 'namespace', 'team'));
    printed(await kubectl.pipe(widget('team'), 'apply', '-f', '-'));
    printed(await kubectl.run('delete', 'namespace', 'team', '--timeout=60s'));
    expect(printed(await kubectl.run('get', 'widgets', '--all-namespaces', '-o', 'name'))).not.toContain('door');
    expect(behind.registry.resources.map(({ groupResource }) => groupResource)).toEqual(['widgets.shop.example.com']);
  });
});
