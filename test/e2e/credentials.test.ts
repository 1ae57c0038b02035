/** The files that a server with TLS writes, and the programs that use them. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadKubeconfig } from '../../client/node.js';
import { createClient } from '../../generated/client.js';
import { makeAuthority } from '../support/certificate-authority.js';
import { makeServerCertificate } from '../support/certificates.js';
import { hasKubectl, kubectlFor, printed } from '../support/kubectl.js';
import { filesIn, scratchFolder, testFolder } from '../support/scratch-folder.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';
import { type ServingFlags, startServing } from '../support/serving.js';
import { kubeconfigFor } from '../support/write-kubeconfig.js';

const folder = scratchFolder();
const file = (name: string): string => join(folder, name);

let server: ServerProcess;
beforeAll(async () => {
  const flags = ['--secure-port', 'auto', '--http-port', '0', '--storage', 'memory', '--naming', 'kubernetes'];
  server = await startServerProcess(...flags, '--credentials-dir', folder);
});
afterAll(() => server.end('SIGTERM'));

/** Runs a program to its end. Resolves to its output. */
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
/** The system's own Python, because it has the system's packages. */
const python = '/usr/bin/python3';

it('is a certificate for the administrator, and not a token', () => {
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
    'is for the Python client (skipped if python3-kubernetes is not installed)',
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

  it('does not trust a server without it', async () =>
    expect(await run('curl', ...codes, '-H', `@${file('header')}`, secrets())).toBe('000'));
});

describe('for each flag about access', async () => {
  const write = filesIn(scratchFolder());
  const authority = await makeAuthority('CN=authority');
  const serving = await makeServerCertificate();
  const tokens = write('tokens.csv', 'sesame,ali,1\n');
  const ca = write('ca.pem', authority.cert);
  const hook = write('hook.json', kubeconfigFor('http://127.0.0.1:1/review'));

  it.each<[string, ServingFlags]>([
    ['none', {}],
    ['--token-auth-file', { tokenAuthFile: tokens }],
    ['--token-auth-file without TLS', { tokenAuthFile: tokens, securePort: '0', httpPort: 'auto' }],
    ['--client-ca-file', { clientCaFile: ca }],
    ['--client-ca-file and --token-auth-file', { clientCaFile: ca, tokenAuthFile: tokens }],
    ['--oidc-issuer-url', { oidcIssuerUrl: 'https://127.0.0.1:1', oidcClientId: 'shop' }],
    ['--authentication-token-webhook-config-file', { authenticationTokenWebhookConfigFile: hook }],
    ['--enable-bootstrap-token-auth', { enableBootstrapTokenAuth: true }],
    [
      '--requestheader-client-ca-file',
      { requestheaderClientCaFile: ca, requestheaderUsernameHeaders: ['X-Remote-User'] },
    ],
    ['--anonymous-auth=false', { anonymousAuth: 'false' }],
    ['--authorization-mode AlwaysDeny', { authorizationMode: 'AlwaysDeny' }],
    [
      '--authorization-mode Webhook',
      { authorizationMode: 'Webhook', authorizationWebhookConfigFile: hook, tokenAuthFile: tokens },
    ],
    [
      '--authorization-mode ABAC',
      { authorizationMode: 'ABAC', authorizationPolicyFile: write('policies.jsonl', ''), tokenAuthFile: tokens },
    ],
    [
      '--tls-cert-file',
      {
        tlsCertFile: write('tls.crt', serving.cert),
        tlsPrivateKeyFile: write('tls.key', serving.key),
        tokenAuthFile: tokens,
      },
    ],
    ['--allow-everyone', { allowEveryone: true }],
    ['--allow-everyone without TLS', { allowEveryone: true, securePort: '0', httpPort: 'auto' }],
  ])('the kubeconfig works: %s', async (_name, flags) => {
    const credentialsDir = testFolder();
    const running = await startServing({
      securePort: 'auto',
      httpPort: '0',
      naming: 'kubernetes',
      ...flags,
      credentialsDir,
    });
    onTestFinished(() => running.stop());
    const path = join(credentialsDir, 'kubeconfig');
    const api = createClient({ kubeconfig: loadKubeconfig({ path }), naming: 'kubernetes' });
    const name = 'made-by-the-administrator';
    expect((await api.core.v1.secrets.in('kube-system').create({ metadata: { name } })).metadata.name).toBe(name);
  });
});
