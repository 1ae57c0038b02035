/** `kindforge serve` with a certificate, for the programs that people use: kubectl and curl. */
import { execFile, execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeServerCertificate } from '../support/certificates.js';
import { hasKubectl, kubectlFor, printed } from '../support/kubectl.js';
import { filesIn, scratchFolder } from '../support/scratch-folder.js';
import { type ServerProcess, startServerProcess } from '../support/server-process.js';

const write = filesIn(scratchFolder());
let server: ServerProcess;
let certFile: string;
beforeAll(async () => {
  const { cert, key } = await makeServerCertificate();
  certFile = write('cert.pem', cert);
  server = await startServerProcess(
    ...[
      '--storage',
      'memory',
      '--naming',
      'kubernetes',
      // Its ConfigMaps would be in the list.
      '--controllers',
      '*,-root-ca-cert-publisher',
      '--token-auth-file',
      write('tokens.csv', 'secret,anna,u-1,system:masters\n'),
    ],
    ...[
      '--secure-port',
      'auto',
      '--http-port',
      '0',
      '--tls-cert-file',
      certFile,
      '--tls-private-key-file',
      write('key.pem', key),
    ],
  );
});
afterAll(() => server.end('SIGTERM'));

const hasCurl = ((): boolean => {
  try {
    return execFileSync('curl', ['--version']).toString().includes('HTTP2');
  } catch {
    return false;
  }
})();

/** Returns the output of curl. Curl's own `--max-time` may end it. */
const curl = (path: string, ...args: string[]): Promise<string> =>
  new Promise((resolve) => {
    const all = ['-sN', '--cacert', certFile, '-H', 'authorization: Bearer secret', ...args, server.url + path];
    execFile('curl', all, (_error, out) => resolve(out));
  });

describe.skipIf(!hasCurl)('curl (skipped if it is not installed, or without HTTP/2)', () => {
  it.each([
    ['--http2', '2'],
    ['--http1.1', '1.1'],
  ])('%s speaks HTTP/%s', async (flag, version) =>
    expect(await curl('/readyz', flag, '-w', ' %{http_version}')).toBe(`ok ${version}`),
  );

  it.each([
    ['application/json', /^\{"type":"ADDED".*"name":"default"/m],
    ['text/event-stream', /^data: \{"type":"ADDED".*"name":"default"/m],
  ])('has watches over HTTP/2 as %s', async (accept, event) => {
    const path = '/api/v1/namespaces?watch=true&timeoutSeconds=1';
    expect(await curl(path, '--http2', '-H', `accept: ${accept}`, '--max-time', '30')).toMatch(event);
  });
});

describe.skipIf(!hasKubectl)('kubectl (skipped if it is not installed)', () => {
  it('sends tokens, lists and watches', async () => {
    const kubectl = kubectlFor(server.url);
    const trusting = ['--certificate-authority', certFile];
    onTestFinished(() => kubectl.close());
    const created = await kubectl.run('create', ...trusting, '--token', 'secret', '-f', kubectl.file('a.json', map));
    expect(printed(created)).toBe('configmap/a created\n');
    expect(printed(await kubectl.run('get', 'configmaps', '-o', 'name', ...trusting, '--token', 'secret'))).toBe(
      'configmap/a\n',
    );
    const watch = kubectl.start('get', 'configmaps', '-w', '-o', 'name', ...trusting, '--token', 'secret');
    let seen = '';
    watch.stdout?.on('data', (chunk) => {
      seen += chunk;
    });
    await expect.poll(() => seen, { timeout: 30_000 }).toBe('configmap/a\n');
    expect(printed(await kubectl.run('delete', 'configmap', 'a', ...trusting, '--token', 'secret'))).toMatch(/deleted/);
    await expect.poll(() => seen, { timeout: 30_000 }).toBe('configmap/a\nconfigmap/a\n');
    const guessed = await kubectl.run('get', 'configmaps', ...trusting, '--token', 'guess');
    expect(guessed.err).toMatch(/Unauthorized|must be logged in/);
    expect((await kubectl.run('get', 'configmaps', '--token', 'secret')).err).toContain('certificate');
  }, 300_000);
});

const map = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
