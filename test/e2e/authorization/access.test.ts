/** The command prints who may do what on a running server, and which role a command needs. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { builtCommand } from '../../support/built-command.js';
import { hasKubectl, type Ran } from '../../support/kubectl.js';
import { runHere } from '../../support/run-here.js';
import type { Ended } from '../../support/server-process.js';
import { type ListeningServer, startServing } from '../../support/serving.js';

const folder = mkdtempSync(join(tmpdir(), 'kindforge-access-'));
const kubeconfig = join(folder, 'kubeconfig');
const env = { ...process.env, HOME: folder, KUBECONFIG: kubeconfig };
let server: ListeningServer;

const run = (program: string, args: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(program, args, { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, out, err });
    });
  });
const access = (...args: string[]): Promise<Ended> => runHere('access', ...args);
const record = (...args: string[]): Promise<Ran> =>
  run(process.execPath, [builtCommand(), 'access', 'record', ...args]);
const kubectl = async (...args: string[]): Promise<string> => {
  const ran = await run('kubectl', args);
  expect(ran.err).toBe('');
  return ran.out;
};

/** Returns the required roles in a text, without their envelopes. */
const rolesOf = (text: string): readonly object[] =>
  text
    .slice(text.indexOf('# To grant'))
    .split('---\n')
    .map((one) => {
      const { kind, metadata, rules } = load(one) as { kind: string; metadata: object; rules: object[] };
      return { kind, metadata, rules };
    });

describe.skipIf(!hasKubectl)('kindforge access (skipped if kubectl is not installed)', () => {
  beforeAll(async () => {
    vi.stubEnv('HOME', folder);
    vi.stubEnv('KUBECONFIG', kubeconfig);
    server = await startServing({ naming: 'kubernetes', securePort: 'auto', credentialsDir: folder });
    await kubectl('create', 'namespace', 'shop');
    await kubectl('create', 'role', 'clerk', '-n', 'shop', '--verb=get,list', '--resource=configmaps,secrets');
    await kubectl('create', 'rolebinding', 'clerks', '-n', 'shop', '--role=clerk', '--user=anna', '--group=clerks');
    await kubectl('create', 'clusterrolebinding', 'lookers', '--clusterrole=view', '--group=lookers');
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('prints who may do a thing, as the server decides', async () => {
    const { code, out } = await access('who-can', 'list', 'cm', '-n', 'shop', '-o', 'json');
    expect(code).toBe(0);
    const { subjects } = JSON.parse(out) as { subjects: { kind: string; name: string; namespace?: string }[] };
    expect(subjects).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'User', name: 'anna' }),
        expect.objectContaining({ kind: 'Group', name: 'clerks' }),
        expect.objectContaining({ kind: 'Group', name: 'lookers', role: { kind: 'ClusterRole', name: 'view' } }),
      ]),
    );
    for (const { kind, name, namespace } of subjects) {
      const user = kind === 'User' ? name : `system:serviceaccount:${namespace}:${name}`;
      const as = kind === 'Group' ? ['--as', 'x', '--as-group', name] : ['--as', user];
      expect((await run('kubectl', ['auth', 'can-i', 'list', 'cm', '-n', 'shop', ...as])).out.trim(), name).toBe('yes');
    }
  });

  it('prints why a user may, or may not', async () => {
    const yes = await access('why', '--as', 'anna', 'get', 'secrets', '-n', 'shop');
    expect(yes.out).toContain('RoleBinding shop/clerks gives User anna Role shop/clerk\n  rule 1: get, list on ');
    expect(yes.code).toBe(0);
    const part = await access('why', '--as', 'joe', '--as-group', 'lookers', 'list', 'pods');
    expect(part.out).toContain('it comes from ClusterRole system:aggregate-to-view');
    const no = await access('why', '--as', 'anna', 'delete', 'secrets', '-n', 'shop');
    expect(no.out).toMatch(/^denied: .*\n(.*\n)*nearest:\n {2}RoleBinding shop\/clerks/);
    expect(no.code).toBe(1);
  });

  it('prints who the caller is, if the server reports it', async () => {
    const ran = await access('why', 'get', 'nodes');
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('members of system:masters may do everything') });
  });

  it('prints a matrix', async () => {
    const { out } = await access(
      'matrix',
      '-n',
      'shop',
      '--resources',
      'secrets,deployments.apps',
      '--verbs',
      'get,delete',
    );
    expect(out.split('\n')).toEqual([
      'SUBJECT        GET  DELETE  RESOURCES',
      'Group clerks   yes  -       secrets',
      'Group lookers  yes  -       deployments.apps',
      'User anna      yes  -       secrets',
      '',
    ]);
  });

  it('fails with a sentence if the server cannot be reached', async () => {
    const ran = await access('who-can', 'get', 'pods', '--server', 'http://127.0.0.1:1');
    expect(ran).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^kindforge: no answer from .*\n$/) });
  });

  describe('record', () => {
    it('prints the role of a command, and ends with its code', async () => {
      const script = [
        'kubectl create configmap one -n shop --from-literal a=b',
        'kubectl get configmap one -n shop -o name',
        'kubectl get nodes',
        'kubectl get --raw /metrics >/dev/null',
        'exit 3',
      ].join('; ');
      const ran = await record('--name', 'maker', '--', 'sh', '-c', script);
      expect(ran.code).toBe(3);
      expect(ran.out).toContain('configmap/one created\nconfigmap/one\n');
      expect(rolesOf(ran.out)).toEqual([
        {
          kind: 'ClusterRole',
          metadata: { name: 'maker' },
          rules: [
            { apiGroups: [''], resources: ['nodes'], verbs: ['list'] },
            { nonResourceURLs: ['/metrics'], verbs: ['get'] },
          ],
        },
        {
          kind: 'Role',
          metadata: { name: 'maker', namespace: 'shop' },
          rules: [
            { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] },
            { apiGroups: [''], resources: ['configmaps'], resourceNames: ['one'], verbs: ['get'] },
          ],
        },
      ]);
    });

    it('prints a role that is enough', async () => {
      const command = ['kubectl', 'apply', '-n', 'shop', '-f', join(folder, 'two.json')];
      writeFileSync(
        join(folder, 'two.json'),
        JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'two' }, data: { a: 'b' } }),
      );
      const role = join(folder, 'role.yaml');
      const again = (...more: string[]) => run(command[0] ?? '', [...command.slice(1), ...more]);
      expect(await record('--name', 'applier', '--output-file', role, '--', ...command)).toMatchObject({
        code: 0,
        out: 'configmap/two created\n',
      });
      await kubectl('delete', 'configmap', 'two', '-n', 'shop');
      expect((await again('--as', 'nobody')).code).toBe(1);
      await kubectl('apply', '-f', role);
      await kubectl('create', 'rolebinding', 'appliers', '-n', 'shop', '--role', 'applier', '--user', 'nobody');
      expect(await again('--as', 'nobody')).toMatchObject({ code: 0, out: 'configmap/two created\n' });
    });

    it('passes events of watches on at once', async () => {
      await kubectl('create', 'configmap', 'before', '-n', 'default');
      const child = spawn(
        process.execPath,
        [builtCommand(), 'access', 'record', '--', 'kubectl', 'get', 'configmaps', '-n', 'default', '-w', '-o', 'name'],
        { env, stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const output = textOf(child);
      await output.until('configmap/before');
      await kubectl('create', 'configmap', 'seen');
      await output.until('configmap/seen');
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('close', resolve));
      expect(rolesOf(output.text())).toEqual([
        {
          kind: 'Role',
          metadata: { name: 'recorded', namespace: 'default' },
          rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }],
        },
      ]);
    });

    it('does not let others use its proxy, and leaves nothing behind', async () => {
      const script = [
        'echo $KUBECONFIG; stat -c %a $KUBECONFIG $(dirname $KUBECONFIG)',
        'url=$(kubectl config view -o jsonpath={.clusters[0].cluster.server})',
        'curl -sk -o /dev/null -w "%{http_code}\\n" $url/api/v1/secrets',
        'curl -sk -o /dev/null -w "%{http_code}\\n" -H "Authorization: Bearer x" $url/api/v1/secrets',
      ].join('; ');
      const { out, err } = await record('--', 'sh', '-c', script);
      const [path = '', ...rest] = out.trim().split('\n');
      expect(rest).toEqual(['600', '700', '401', '401']);
      expect(existsSync(path)).toBe(false);
      expect(err).toBe('kindforge: the command asked the server for nothing that needs a role\n');
    });

    it('ends with the signal of its command', async () =>
      expect((await record('--', 'sh', '-c', 'kill -TERM $$')).code).toBe(143));

    it('reports a command that cannot run', async () =>
      expect(await record('--', 'no-such-command')).toMatchObject({
        code: 127,
        err: expect.stringContaining('no-such-command cannot be run'),
      }));
  });
});

/** Collects the standard output of a process. */
function textOf(child: ChildProcess): { text(): string; until(part: string): Promise<void> } {
  let text = '';
  const waiting = new Map<string, () => void>();
  child.stdout?.on('data', (chunk) => {
    text += String(chunk);
    for (const [part, go] of waiting) if (text.includes(part)) go();
  });
  return {
    text: () => text,
    until: (part) =>
      new Promise((resolve) => {
        if (text.includes(part)) resolve();
        else waiting.set(part, resolve);
      }),
  };
}
