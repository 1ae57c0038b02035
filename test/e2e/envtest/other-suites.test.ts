/** Control planes that others start: suites in Java, older suites without TLS, and people with only a folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Assets, writeAssets } from '../../support/envtest/assets.js';
import { makeSelfSignedRsa } from '../../support/envtest/rsa-pair.js';
import { ask } from '../../support/envtest/suite-client.js';
import { runProcess, startHealthy, startProcess, suggestPort } from '../../support/envtest/suite-process.js';
import { hasKubectl } from '../../support/kubectl.js';
import { filesIn, scratchFolder } from '../../support/scratch-folder.js';

let assets: Assets;
const folder = scratchFolder();
beforeAll(() => {
  assets = writeAssets('--controllers', 'namespace');
});
afterAll(() => assets.remove());

const write = filesIn(folder);

it('as kube-api-test in Java does: values behind spaces, keys for certificates, certificates for authorities', async () => {
  const [etcdPort, peerPort, port] = [await suggestPort(), await suggestPort(), await suggestPort()];
  const etcd = await startHealthy(`http://127.0.0.1:${etcdPort}/health`, assets.folder, 'etcd', [
    '-data-dir',
    join(folder, 'data'),
    '-wal-dir',
    join(folder, 'wal'),
    '--listen-client-urls',
    `http://0.0.0.0:${etcdPort}`,
    '--advertise-client-urls',
    `http://0.0.0.0:${etcdPort}`,
    '--initial-cluster',
    `default=http://localhost:${peerPort}`,
    '--initial-advertise-peer-urls',
    `http://localhost:${peerPort}`,
    '--listen-peer-urls',
    `http://localhost:${peerPort}`,
  ]);
  const serving = await makeSelfSignedRsa('CN=example.org', '127.0.0.1');
  const client = await makeSelfSignedRsa('O=system:masters, CN=kubeapitest');
  const [certFile, keyFile] = [write('apiserver.crt', serving.cert), write('apiserver.key', serving.key)];
  const clientFile = write('client.crt', client.cert);
  const url = `https://127.0.0.1:${port}`;
  const server = await startHealthy(`${url}/readyz`, assets.folder, 'kube-apiserver', [
    '--cert-dir',
    folder,
    '--secure-port',
    String(port),
    '--etcd-servers',
    `http://0.0.0.0:${etcdPort}`,
    '--authorization-mode',
    'RBAC',
    '--service-account-issuer',
    'https://localhost',
    '--service-account-signing-key-file',
    keyFile,
    '--service-account-signing-key-file',
    keyFile,
    '--service-account-key-file',
    keyFile,
    '--service-account-issuer',
    certFile,
    '--disable-admission-plugins',
    'ServiceAccount',
    '--client-ca-file',
    clientFile,
    '--service-cluster-ip-range',
    '10.0.0.0/24',
    '--allow-privileged',
  ]);
  expect((await ask(`${url}/api/v1/namespaces/default`, { ca: serving.cert, ...client })).status).toBe(200);
  if (hasKubectl) {
    const { code, text } = await runProcess(
      assets.folder,
      'kubectl',
      [
        `--client-certificate=${clientFile}`,
        `--client-key=${write('client.key', client.key)}`,
        `--certificate-authority=${certFile}`,
        `--server=${url}`,
        '--request-timeout=60s',
        'get',
        'ns',
        'default',
      ],
      { KUBECONFIG: join(folder, 'none') },
    );
    expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining('Active') });
  }
  await server.stop();
  await etcd.stop();
});

it('as before TLS: everyone is an administrator at a plain port, and etcd logs that it serves', async () => {
  const [etcdPort, port] = [await suggestPort(), await suggestPort()];
  const etcd = startProcess(assets.folder, 'etcd', [
    '--listen-peer-urls=http://localhost:0',
    `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
    `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
    `--data-dir=${join(folder, 'old')}`,
  ]);
  while (!etcd.printed().includes('serving insecure client requests on 127.0.0.1')) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const url = `http://127.0.0.1:${port}`;
  const server = await startHealthy(`${url}/healthz`, assets.folder, 'kube-apiserver', [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--cert-dir=${join(folder, 'old')}`,
    `--insecure-port=${port}`,
    '--insecure-bind-address=127.0.0.1',
    '--secure-port=0',
    '--admission-control=AlwaysAdmit',
  ]);
  const namespaces = `${url}/api/v1/namespaces`;
  expect((await ask(namespaces, {}, 'POST', { metadata: { name: 'shop' } })).status).toBe(201);
  const limits = { limits: [{ type: 'Container', default: { cpu: '1' } }] };
  await ask(`${namespaces}/shop/limitranges`, {}, 'POST', { metadata: { name: 'a' }, spec: limits });
  const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'a' }] } };
  const made = await ask(`${namespaces}/shop/pods`, {}, 'POST', pod);
  // No other plugin runs, so none requires a service account or fills in limits.
  expect(made.status).toBe(201);
  expect(made.body.spec).not.toHaveProperty('tolerations');
  // The folder was written with a controller for namespaces.
  await ask(`${namespaces}/shop`, {}, 'DELETE');
  while ((await ask(`${namespaces}/shop`)).status !== 404) await new Promise((resolve) => setTimeout(resolve, 50));
  await server.stop();
  await etcd.stop();
});

it('with only a folder: the server writes a certificate to trust it by, and a kubeconfig', async () => {
  const port = await suggestPort();
  const own = join(folder, 'own');
  const url = `https://127.0.0.1:${port}`;
  const args = [
    '--etcd-servers=http://127.0.0.1:1',
    `--cert-dir=${own}`,
    `--secure-port=${port}`,
    '-v=4',
    '--authorization-mode=RBAC',
  ];
  // A project of Kindforge in the suite's folder does not change anything.
  write('kindforge.config.yaml', 'serve: { allow-everyone: true }\n');
  const server = await startHealthy(`${url}/readyz`, assets.folder, 'kube-apiserver', args, {}, folder);
  expect((await ask(`${url}/api/v1/namespaces`)).status).toBe(403);
  const ca = readFileSync(join(own, 'apiserver.crt'), 'utf8');
  expect((await ask(`${url}/healthz`, { ca })).status).toBe(200);
  expect(readFileSync(join(own, 'kubeconfig'), 'utf8')).toContain(url);
  await server.stop();
  expect(server.printed()).toContain('GET /healthz 200');
});

it('etcd with TLS, at several addresses', async () => {
  const [first, second] = [await suggestPort(), await suggestPort()];
  const pair = await makeSelfSignedRsa('CN=etcd', '127.0.0.1');
  const files = [`--cert-file=${write('etcd.crt', pair.cert)}`, `--key-file=${write('etcd.key', pair.key)}`];
  const urls = `https://127.0.0.1:${first},http://127.0.0.1:${second}`;
  const etcd = await startHealthy(`https://127.0.0.1:${first}/health`, assets.folder, 'etcd', [
    ...files,
    `--listen-client-urls=${urls}`,
  ]);
  const { body } = await ask(`https://127.0.0.1:${first}/health`, { ca: pair.cert });
  expect(body).toEqual({ health: 'true', reason: '' });
  expect((await ask(`http://127.0.0.1:${second}/version`)).status).toBe(200);
  expect((await ask(`http://127.0.0.1:${second}/v3/kv/range`, {}, 'POST', {})).status).toBe(404);
  expect(await etcd.stop()).toEqual({ code: 0, signal: null });
});
