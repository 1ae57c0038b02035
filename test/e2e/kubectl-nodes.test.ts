/** The real kubectl and nodes: taints, cordons, and drains that evict pods within their budgets. */
import { describe, expect, it } from 'vitest';
import { kubectlForTests, newestKubectl, printed, type Ran } from '../support/kubectl.js';

const { program, minor } = newestKubectl();

const node = (name: string): string => `apiVersion: v1
kind: Node
metadata: {name: ${name}}
`;

const pod = (name: string, on: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, labels: {app: ${name}}}
spec: {nodeName: ${on}, containers: [{name: main, image: example.com/main}]}
`;

describe.skipIf(program === '')('kubectl and nodes (skipped if it is not installed)', () => {
  const kubectl = kubectlForTests({}, program);

  const run = (command: string): Promise<Ran> => kubectl.run(...command.split(' '));
  const create = async (...texts: string[]): Promise<void> => {
    printed(await kubectl.pipe(texts.join('\n---\n'), 'create', '-f', '-'));
  };
  const read = async (what: string, path: string): Promise<string> =>
    printed(await run(`get ${what} -o jsonpath={${path}}`));

  it('labels them, and overwrites only with --overwrite', async () => {
    await create(node('labelled'));
    expect(printed(await run('label node labelled zone=a'))).toContain('node/labelled labeled');
    expect((await run('label node labelled zone=b')).err).toContain('--overwrite is false');
    printed(await run('label node labelled zone=b --overwrite'));
    expect(printed(await run('get nodes -l zone=b -o name')).trim()).toBe('node/labelled');
    expect((await run('label node labelled zone=b --overwrite --resource-version=1')).err).toContain('been modified');
    expect((await run('label node labelled a/b/c=d')).code).toBe(1);
  });

  it('taints them by key and effect', async () => {
    await create(node('tainted'));
    expect(printed(await run('taint node tainted use=disk:NoSchedule use=disk:NoExecute'))).toContain('tainted');
    // A new node also has the taint of nodes that are not ready yet.
    const effects = await read('node/tainted', '.spec.taints[?(@.key=="use")].effect');
    expect(effects.split(' ').sort()).toEqual(['NoExecute', 'NoSchedule']);
    expect(await read('node/tainted', '.spec.taints[*].key')).toContain('node.kubernetes.io/not-ready');
    expect((await run('taint node tainted use=disk:NoSchedule')).err).toContain('--overwrite is false');
    expect(printed(await run('taint node tainted use:NoExecute-'))).toContain('untainted');
    expect(await read('node/tainted', '.spec.taints[?(@.key=="use")].effect')).toBe('NoSchedule');
  });

  it('cordons and uncordons them', async () => {
    await create(node('closed'));
    expect(printed(await run('cordon closed'))).toContain('node/closed cordoned');
    expect(printed(await run('get node closed'))).toMatch(/^closed\s+Unknown,SchedulingDisabled\s/m);
    expect(printed(await run('uncordon closed'))).toContain('node/closed uncordoned');
    expect(await read('node/closed', '.spec.unschedulable')).toBe('');
  });

  it('drains them of their pods', async () => {
    await create(node('drained'), pod('leaves', 'drained'));
    expect((await run('drain drained')).err).toContain('use --force to override');
    expect(await read('pod/leaves', '.metadata.deletionTimestamp')).toBe('');
    expect((await run('drain drained --force --grace-period=0 --timeout=60s')).out).toContain('pod/leaves evicted');
    expect((await run('get pod leaves')).err).toContain('pods "leaves" not found');
    expect(await read('node/drained', '.spec.unschedulable')).toBe('true');
  });

  it.skipIf(minor < 24)('waits for budgets that allow no disruption (from 1.24 on)', async () => {
    await create(node('guarded'), pod('stays', 'guarded'));
    printed(await run('create pdb stays --selector=app=stays --min-available=1'));
    const patch = async (what: string, status: object): Promise<void> => {
      const change = JSON.stringify({ status });
      printed(await kubectl.run('patch', what, 'stays', '--subresource=status', '--type=merge', '-p', change));
    };
    await patch('pod', { phase: 'ListeningServer', conditions: [{ type: 'Ready', status: 'True' }] });
    const healthy = { desiredHealthy: 1, currentHealthy: 1, expectedPods: 1 };
    await patch('pdb', { observedGeneration: 1, disruptionsAllowed: 0, ...healthy });
    const refused = await run('drain guarded --force --grace-period=0 --timeout=2s');
    expect(refused.err).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
    expect(await read('pod/stays', '.metadata.deletionTimestamp')).toBe('');
    await patch('pdb', { disruptionsAllowed: 1 });
    expect((await run('drain guarded --force --grace-period=0 --timeout=60s')).out).toContain('node/guarded drained');
  });

  it('deletes pods after their grace period', async () => {
    await create(pod('slow', 'labelled'), pod('quick', 'labelled'));
    printed(await run('delete pod slow --wait=false'));
    expect(await read('pod/slow', '.metadata.deletionGracePeriodSeconds')).toBe('30');
    expect(printed(await run('get pod slow'))).toMatch(/^slow\s+0\/1\s+Terminating\s/m);
    expect((await run('delete pod slow quick --force --grace-period=0')).out).toContain('pod "quick" force deleted');
    expect(printed(await run('get pods -o name --field-selector=spec.nodeName=labelled'))).toBe('');
  });

  it.each([
    ['exec slow -- ls', 'pods "slow" not found'],
    ['exec waiting -- ls', 'pod waiting does not have a host assigned'],
    ['attach waiting', 'pod waiting does not have a host assigned'],
    ['cp /dev/null waiting:/tmp/x', 'pod waiting does not have a host assigned'],
    ['port-forward pod/waiting :80', 'unable to forward port because pod is not running. Current status=Pending'],
    ['logs none', 'pods "none" not found'],
    ['logs waiting -c other', 'container other is not valid for pod waiting'],
    ['top pod', 'Metrics API not available'],
  ])('reports why it refuses `%s`', async (command, reason) => {
    if (!(await run('get pod waiting')).out) printed(await run('run waiting --image=example.com/waiting'));
    const refused = await run(command);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain(reason);
  });
});
