/** The real kubectl and namespaces: created, filled, read across, and deleted with their objects. */
import { describe, expect, it } from 'vitest';
import { expectGone, hasKubectl, kubectlForTests, printed, type Ran } from '../support/kubectl.js';

describe.skipIf(!hasKubectl)('kubectl and namespaces (skipped if it is not installed)', () => {
  const kubectl = kubectlForTests();

  const createNamespace = (name: string): Promise<Ran> => kubectl.create({ kind: 'Namespace', metadata: { name } });
  const names = async (...args: string[]): Promise<string[]> =>
    printed(await kubectl.run('get', ...args, '-o', 'name'))
      .split('\n')
      .filter((line) => line !== '');

  it('has the namespaces of every cluster, and keeps them', async () => {
    expect(await names('namespaces')).toEqual([
      'namespace/default',
      'namespace/kube-node-lease',
      'namespace/kube-public',
      'namespace/kube-system',
    ]);
    expect((await kubectl.run('delete', 'namespace', 'kube-system')).err).toContain('may not be deleted');
  });

  it('deletes a namespace with all its objects', async () => {
    printed(await createNamespace('short-lived'));
    for (const kind of ['ConfigMap', 'Secret', 'ServiceAccount'])
      printed(await kubectl.create({ kind, metadata: { name: 'inside', namespace: 'short-lived' } }));
    const inside = await names('configmaps,secrets,serviceaccounts', '-n', 'short-lived');
    expect(inside.filter((name) => name.endsWith('/inside'))).toHaveLength(3);
    expect(printed(await kubectl.run('delete', 'ns', 'short-lived', '--timeout=30s'))).toContain('deleted');
    expect((await kubectl.run('get', 'ns', 'short-lived')).err).toContain('NotFound');
    const left = await names('configmaps,secrets,serviceaccounts', '-A');
    expect(left.filter((name) => name.endsWith('/inside'))).toEqual([]);
  });

  it('waits for finalizers of its objects, and refuses new objects meanwhile', async () => {
    printed(await createNamespace('held'));
    const metadata = { name: 'held', namespace: 'held', finalizers: ['example.com/hold'] };
    printed(await kubectl.create({ metadata }));
    printed(await kubectl.run('delete', 'ns', 'held', '--wait=false'));
    expect(printed(await kubectl.run('get', 'ns', 'held'))).toMatch(/^held\s+Terminating/m);
    const late = await kubectl.create({ metadata: { name: 'late', namespace: 'held' } });
    expect(late.err).toContain('because it is being terminated');
    const gone = kubectl.run('wait', '--for=delete', 'ns/held', '--timeout=30s');
    const release = '{"metadata":{"finalizers":null}}';
    printed(await kubectl.run('patch', 'configmap', 'held', '-n', 'held', '--type=merge', '-p', release));
    expectGone(await gone);
    expect((await kubectl.run('get', 'ns', 'held')).err).toContain('NotFound');
  });

  it('refuses objects in namespaces that do not exist', async () => {
    const nowhere = await kubectl.create({ metadata: { name: 'x', namespace: 'nowhere' } });
    expect(nowhere.err).toContain('namespaces "nowhere" not found');
  });

  it('reads across namespaces, and in chunks', async () => {
    for (const namespace of ['one', 'two']) {
      printed(await createNamespace(namespace));
      for (const name of ['a', 'b', 'c'])
        printed(await kubectl.create({ metadata: { name: `${namespace}-${name}`, namespace } }));
    }
    // The server has one of its own.
    const others = ['-A', '--field-selector', 'metadata.namespace!=kube-system'];
    const all = printed(await kubectl.run('get', 'configmaps', ...others, '--chunk-size=2', '--no-headers'));
    expect(all.split('\n').map((line) => line.split(/\s+/).slice(0, 2).join('/'))).toEqual([
      'one/one-a',
      'one/one-b',
      'one/one-c',
      'two/two-a',
      'two/two-b',
      'two/two-c',
      '',
    ]);
    expect(await names('configmaps', '-n', 'two', '--chunk-size=1')).toHaveLength(3);
    expect(await names('configmaps', '-A', '--field-selector', 'metadata.namespace=one')).toHaveLength(3);
    printed(await kubectl.run('delete', 'configmaps', '--all', '-n', 'one'));
    expect(await names('configmaps', ...others)).toHaveLength(3);
  });

  it('describes objects', async () => {
    printed(await kubectl.create({ kind: 'Secret', metadata: { name: 'told' }, stringData: { password: 'hidden' } }));
    const secret = printed(await kubectl.run('describe', 'secret', 'told'));
    expect(secret).toMatch(/^password:\s+6 bytes$/m);
    expect(secret).not.toContain('hidden');
    expect(printed(await kubectl.run('describe', 'namespace', 'default'))).toMatch(/^Status:\s+Active$/m);
  });
});
