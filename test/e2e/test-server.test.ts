/** A test server that other processes use: kubectl, and the SDK over the network, with each user's own kubeconfig. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { loadKubeconfig } from '../../client/node.js';
import { createClient } from '../../generated/index.js';
import { startTestServer } from '../../testing/index.js';
import { hasKubectl } from '../support/kubectl.js';

const run = promisify(execFile);

const server = await startTestServer({ naming: 'kubernetes' });
afterAll(() => server.dispose());

describe.skipIf(!hasKubectl)('kubectl', () => {
  const kubectl = async (config: string, ...args: string[]): Promise<string> =>
    run('kubectl', ['--kubeconfig', config, ...args]).then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    );

  it('works as the administrator, and as a user with the rights of that user', async () => {
    const own = server.kubeconfigFile();
    expect(await kubectl(own, 'create', 'configmap', 'one', '--from-literal', 'a=1')).toBe('configmap/one created\n');
    const janes = server.asUser('jane', ['dev']).kubeconfigFile();
    expect(await kubectl(janes, 'get', 'configmap', 'one')).toContain('User "jane" cannot get resource "configmaps"');
    const binding = ['create', 'rolebinding', 'dev', '--clusterrole', 'view', '--group', 'dev'];
    expect(await kubectl(own, ...binding)).toBe('rolebinding.rbac.authorization.k8s.io/dev created\n');
    expect(await kubectl(janes, 'get', 'configmap', 'one', '--output', 'jsonpath={.data.a}')).toBe('1');
    expect(await kubectl(janes, 'delete', 'configmap', 'one')).toContain('forbidden');
  });

  it('gets the faults of the server', async () => {
    server.faults.add({ verb: 'create', resource: 'configmaps', fault: { status: 500, message: 'not today' } });
    expect(await kubectl(server.kubeconfigFile(), 'create', 'configmap', 'two')).toContain('not today');
    await server.reset();
    expect(await kubectl(server.kubeconfigFile(), 'get', 'configmaps', '--output', 'name')).toBe('');
  });
});

it('the SDK reads the kubeconfig of a user', async () => {
  const { kubeconfigFile } = server.asUser('root', ['system:masters']);
  const api = createClient({ kubeconfig: loadKubeconfig({ path: kubeconfigFile() }), naming: 'kubernetes' });
  await api.core.v1.configMaps.in('default').create({ metadata: { name: 'three' } });
  await server.until({ resource: 'configmaps', namespace: 'default', name: 'three' }, () => true);
});
