/** The files that a server writes with TLS, used by the programs that they are for. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadKubeconfig } from '../../client/node.js';
import { createClient } from '../../generated/client.js';
import { hasKubectl, kubectlFor, printed } from '../support/kubectl.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

const folder = scratchFolder();
const file = (name: string): string => join(folder, name);

let server: ServerProcess;
beforeAll(async () => {
  const flags = ['--secure-port', 'auto', '--http-port', '0', '--storage', 'memory', '--naming', 'kubernetes'];
  server = await startServerProcess(...flags, '--credentials-dir', folder);
});
afterAll(() => server.end('SIGTERM'));

/** Runs a program to its end; resolves to what it printed. */
const run = (program: string, ...args: readonly string[]): Promise<string> =>
  new Promise((resolve) => execFile(program, args, (_error, out, err) => resolve(out + err)));

const works = (program: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
/** The Python that packages of the system are for, whatever else is on the path. */
const python = '/usr/bin/python3';

it('has a certificate for the administrator, and no token', () => {
  const { clusters, users } = JSON.parse(readFileSync(file('kubeconfig'), 'utf8'));
  expect(clusters[0].cluster).toEqual({ server: server.url, 'certificate-authority-data': expect.any(String) });
  expect(Object.keys(users[0].user)).toEqual(['client-certificate-data', 'client-key-data']);
});

describe('the kubeconfig', () => {
  it.skipIf(!hasKubectl)(
    'is for kubectl (skipped if it is not installed)',
    async () => {
      const kubectl = kubectlFor(server.url);
      const environment = { KUBECONFIG: file('kubeconfig') };
      try {
        const map = kubectl.file('map.json', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"map"}}');
        const named = ['--kubeconfig', file('kubeconfig')];
        expect(printed(await kubectl.runWith(environment, 'create', ...named, '-f', map))).toBe(
          'configmap/map created\n',
        );
        expect(printed(await kubectl.runWith(environment, 'auth', 'can-i', '*', '*', ...named))).toBe('yes\n');
      } finally {
        kubectl.close();
      }
    },
    60_000,
  );

  it('is for the SDK', async () => {
    const api = createClient({ kubeconfig: loadKubeconfig({ path: file('kubeconfig') }), naming: 'kubernetes' });
    expect((await api.core.v1.namespaces.get('default')).metadata.name).toBe('default');
  });

  it.skipIf(!works(python, '-c', 'import kubernetes'))(
    'is for the Python client (skipped where python3-kubernetes is not installed)',
    async () => {
      const script = [
        'import sys',
        'from kubernetes import client, config',
        'config.load_kube_config(sys.argv[1])',
        'print([one.metadata.name for one in client.CoreV1Api().list_namespace().items])',
      ].join('\n');
      expect(await run(python, '-W', 'ignore', '-c', script, file('kubeconfig'))).toContain("'default'");
    },
  );
});

describe.skipIf(!works('curl', '--version'))('curl (skipped if it is not installed)', () => {
  const codes = ['-s', '-o', '/dev/null', '-w', '%{http_code}'];
  const secrets = () => `${server.url}/api/v1/secrets`;

  it('trusts the authority, and sends the header', async () => {
    const trusting = ['--cacert', file('ca.crt')];
    expect(await run('curl', ...codes, ...trusting, '-H', `@${file('header')}`, secrets())).toBe('200');
    expect(await run('curl', ...codes, ...trusting, secrets())).toBe('403');
    expect(await run('curl', ...codes, ...trusting, secrets().replace('127.0.0.1', 'localhost'))).toBe('403');
  });

  it('trusts no server without it', async () =>
    expect(await run('curl', ...codes, '-H', `@${file('header')}`, secrets())).toBe('000'));
});
