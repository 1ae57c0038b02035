/** The real kubectl and rights: checks of rights, impersonation, and reconciled roles. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, kubectlForTests, printed, type Ran } from '../support/kubectl.js';

describe.skipIf(!hasKubectl)('kubectl and rights (skipped if it is not installed)', () => {
  const kubectl = kubectlForTests();
  beforeAll(async () => {
    printed(await kubectl.run('create', 'role', 'reader', '--verb=get,list', '--resource=configmaps'));
    printed(await kubectl.run('create', 'rolebinding', 'readers', '--role=reader', '--user=anna', '--group=readers'));
  });

  const may = async (...args: string[]): Promise<string> => (await kubectl.run('auth', 'can-i', ...args)).out.trim();
  const role = (verbs: readonly string[], resources: readonly string[]) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'reconciled', namespace: 'default' },
    rules: [{ apiGroups: [''], resources, verbs }],
  });

  it('reports the rights of the user and of others', async () => {
    expect(await may('delete', 'nodes')).toBe('yes');
    expect(await may('get', 'configmaps', '--as', 'anna')).toBe('yes');
    expect(await may('get', 'configmaps', '--as', 'ben')).toBe('no');
    expect(
      await may('list', 'configmaps', '--as', 'ben', '--as-group', 'readers', '--as-group', 'system:authenticated'),
    ).toBe('yes');
    expect(await may('get', 'configmaps', '--as', 'anna', '-n', 'kube-system')).toBe('no');
    expect(await may('get', '/version', '--as', 'system:anonymous', '--as-group', 'system:authenticated')).toBe('yes');
    expect(printed(await kubectl.run('auth', 'can-i', '--list', '--as', 'anna'))).toMatch(
      /^configmaps\s.*\[get list\]/m,
    );
  });

  it('impersonates others', async () => {
    printed(await kubectl.run('get', 'configmaps', '--as', 'anna', '-o', 'name'));
    const refused = async (ran: Promise<Ran>): Promise<string> => (await ran).err;
    expect(await refused(kubectl.run('get', 'secrets', '--as', 'anna'))).toContain(
      'Error from server (Forbidden): secrets is forbidden: User "anna" cannot list resource "secrets" in API group "" in the namespace "default"',
    );
    expect(await refused(kubectl.run('create', 'configmap', 'x', '--as', 'anna'))).toContain(
      'cannot create resource "configmaps"',
    );
    expect(await refused(kubectl.run('create', 'role', 'x', '--verb=*', '--resource=*', '--as=anna'))).toContain(
      'Forbidden',
    );
  });

  it('reconciles roles', async () => {
    const reconcile = (object: object): Promise<Ran> =>
      kubectl.run('auth', 'reconcile', '-f', kubectl.file('role.json', JSON.stringify(object)));
    for (const verb of ['get', 'list']) {
      // kubectl reports its requests on standard error.
      expect(await reconcile(role([verb], ['pods']))).toMatchObject({
        code: 0,
        out: expect.stringContaining('reconciled'),
      });
    }
    const rules = printed(await kubectl.run('get', 'role', 'reconciled', '-o', 'jsonpath={.rules[*].verbs}'));
    expect(rules).toBe('["get"] ["list"]');
  });
});
