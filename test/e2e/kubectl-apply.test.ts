/** The real kubectl with desired states: applies on both sides, diffs, dry runs and patches. */
import { describe, expect, it } from 'vitest';
import { hasKubectl, kubectlForTests, printed, type Ran } from '../support/kubectl.js';

const map = (name: string, data: string): string => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: default}
data: {${data}}
`;

describe.skipIf(!hasKubectl)('kubectl apply, diff and patch (skipped if it is not installed)', () => {
  const kubectl = kubectlForTests();

  const apply = (text: string, ...flags: string[]): Promise<Ran> => kubectl.pipe(text, 'apply', '-f', '-', ...flags);
  const dataOf = async (name: string): Promise<unknown> =>
    JSON.parse(printed(await kubectl.run('get', 'configmap', name, '-o', 'jsonpath={.data}')) || 'null');

  it('keeps fields of others when it applies', async () => {
    printed(await apply(map('shared', 'a: "1"')));
    printed(await kubectl.run('patch', 'configmap', 'shared', '--type=merge', '-p', '{"data":{"theirs":"x"}}'));
    printed(await apply(map('shared', 'a: "2"')));
    expect(await dataOf('shared')).toEqual({ a: '2', theirs: 'x' });
  });

  it('applies lists of several kinds', async () => {
    const several = `${map('first', 'a: "1"')}---
{apiVersion: v1, kind: Secret, metadata: {name: second, namespace: default}, stringData: {a: b}}
---
{apiVersion: networking.k8s.io/v1alpha1, kind: IPAddress, metadata: {name: 10.0.0.1},
 spec: {parentRef: {group: "", resource: services, namespace: default, name: web, uid: u1}}}
---
{apiVersion: resource.k8s.io/v1alpha2, kind: PodSchedulingContext, metadata: {name: third, namespace: default},
 spec: {selectedNode: node-1}}
---
{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: fourth, namespace: default},
 spec: {holderIdentity: me, leaseDurationSeconds: 10}}
`;
    expect(printed(await apply(several)).match(/ created$/gm)).toHaveLength(5);
    expect(printed(await kubectl.pipe(several, 'delete', '-f', '-')).match(/ deleted$/gm)).toHaveLength(5);
  });

  it('applies on the server and reports conflicts', async () => {
    expect(printed(await apply(map('owned', 'a: "1"'), '--server-side'))).toContain('serverside-applied');
    const other = ['--server-side', '--field-manager=other'];
    const refused = await apply(map('owned', 'a: "2"'), ...other);
    expect(refused.err).toContain('Apply failed with 1 conflict: conflict with "kubectl": .data.a');
    printed(await apply(map('owned', 'a: "2"'), ...other, '--force-conflicts'));
    expect(await dataOf('owned')).toEqual({ a: '2' });
  });

  it('shows what would change and changes nothing', async () => {
    printed(await apply(map('compared', 'a: "1"')));
    for (const flags of [[], ['--server-side', '--force-conflicts']]) {
      const diff = await kubectl.pipe(map('compared', 'a: "2"'), 'diff', '-f', '-', ...flags);
      expect(diff.out).toMatch(/^-\s+a: "1"\n\+\s+a: "2"$/m);
      expect(diff.code).toBe(1);
    }
    expect((await kubectl.pipe(map('compared', 'a: "1"'), 'diff', '-f', '-')).code).toBe(0);
    expect(await dataOf('compared')).toEqual({ a: '1' });
  });

  it('runs dry', async () => {
    expect(printed(await apply(map('dry', 'a: "1"'), '--dry-run=server'))).toContain('created (server dry run)');
    expect((await kubectl.run('get', 'configmap', 'dry')).err).toContain('NotFound');
    const bad = await apply(map('dry', '"a b": "1"'), '--dry-run=server');
    expect(bad.err).toContain('data[a b]: Invalid value: "a b"');
    printed(await apply(map('dry', 'a: "1"')));
    printed(await kubectl.run('delete', 'configmap', 'dry', '--dry-run=server'));
    expect(await dataOf('dry')).toEqual({ a: '1' });
  });

  it('patches in three ways', async () => {
    printed(await apply(map('patched', 'a: "1", b: "1"')));
    const patch = (type: string, text: string): Promise<Ran> =>
      kubectl.run('patch', 'configmap', 'patched', `--type=${type}`, '-p', text);
    printed(await patch('strategic', '{"data":{"a":"2"}}'));
    printed(await patch('merge', '{"data":{"b":null}}'));
    printed(await patch('json', '[{"op":"add","path":"/data/c","value":"3"}]'));
    expect(await dataOf('patched')).toEqual({ a: '2', c: '3' });
    expect((await patch('json', '[{"op":"remove","path":"/data/none"}]')).code).toBe(1);
    expect((await patch('merge', '{"data":{"a":')).code).toBe(1);
  });

  it('replaces by deleting first', async () => {
    printed(await apply(map('forced', 'a: "1"')));
    printed(await kubectl.pipe(map('forced', 'b: "2"'), 'replace', '--force', '-f', '-'));
    expect(await dataOf('forced')).toEqual({ b: '2' });
  });
});
