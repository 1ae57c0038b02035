/**
 * Measures starts of a control plane as envtest makes them: from the first `--help` until `/readyz` of kube-apiserver
 * answers 200 over TLS. The programs are those that `kindforge envtest-assets` of the build has written.
 *
 *   node bench/envtest.mjs [--starts 20] [--command dist/bin/kindforge.cjs]
 *
 * Needs a build (`npm run build`) and openssl, which makes the certificates before anything is measured.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get as plainGet } from 'node:http';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { builtCommand, cpuSeconds, root } from './running.mjs';

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '20' },
    command: { type: 'string', default: join(root, builtCommand) },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'kindforge-envtest-'));
const assets = join(folder, 'bin');
execFileSync(process.execPath, [resolve(values.command), 'envtest-assets', assets], { stdio: 'ignore' });

const pair = (name, subject) => {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '7'];
  execFileSync('openssl', [...args, '-subj', subject, '-addext', 'subjectAltName=IP:127.0.0.1'], { stdio: 'ignore' });
  return { cert, key };
};
pair('apiserver', '/CN=localhost');
const accounts = pair('sa-signer', '/CN=envtest-environment');
const clients = pair('client-cert-auth-ca', '/CN=envtest-environment');

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
};

const isOk = (url) =>
  new Promise((done) => {
    const ask = url.startsWith('https') ? get : plainGet;
    ask(url, { rejectUnauthorized: false, agent: false }, (answer) => done(answer.resume().statusCode === 200)).on(
      'error',
      () => done(false),
    );
  });

/** Starts a program, and asks whether it is ready every 5 ms. */
const start = async (name, args, url) => {
  const begun = performance.now();
  const child = spawn(join(assets, name), args, { stdio: 'ignore' });
  while (!(await isOk(url))) {
    if (child.exitCode !== null) throw new Error(`${name} ended`);
    await new Promise((done) => setTimeout(done, 5));
  }
  return { child, ms: performance.now() - begun };
};

const stop = async ({ child }) => {
  const begun = performance.now();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return performance.now() - begun;
};

const startBoth = async () => {
  const begun = performance.now();
  execFileSync(join(assets, 'etcd'), ['--help']);
  const etcdUrl = `http://127.0.0.1:${await freePort()}`;
  const etcd = await start('etcd', [`--listen-client-urls=${etcdUrl}`], `${etcdUrl}/health`);
  execFileSync(join(assets, 'kube-apiserver'), ['--help']);
  const port = await freePort();
  const flags = {
    'allow-privileged': 'true',
    'authorization-mode': 'RBAC',
    'bind-address': '127.0.0.1',
    'cert-dir': folder,
    'client-ca-file': clients.cert,
    'disable-admission-plugins': 'ServiceAccount',
    'etcd-servers': etcdUrl,
    'secure-port': String(port),
    'service-account-issuer': `https://127.0.0.1:${port}/`,
    'service-account-key-file': accounts.cert,
    'service-account-signing-key-file': accounts.key,
    'service-cluster-ip-range': '10.0.0.0/24',
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const server = await start('kube-apiserver', args, `https://127.0.0.1:${port}/readyz`);
  const all = performance.now() - begun;
  const cpuMs = cpuSeconds(server) * 1000;
  const stopMs = (await stop(server)) + (await stop(etcd));
  return { all, cpuMs, stopMs, serverMs: server.ms, etcdMs: etcd.ms };
};

const figures = (list) => {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(0);
  return `median ${at(0.5)} ms, fastest ${at(0)} ms, 90 % ${at(0.9)} ms`;
};

await startBoth();
const starts = [];
for (let i = 0; i < Number(values.starts); i++) starts.push(await startBoth());
rmSync(folder, { recursive: true });
console.log(`kube-apiserver  ${figures(starts.map(({ serverMs }) => serverMs))}`);
console.log(`  its CPU time  ${figures(starts.map(({ cpuMs }) => cpuMs))}`);
console.log(`etcd            ${figures(starts.map(({ etcdMs }) => etcdMs))}`);
console.log(`both, with help ${figures(starts.map(({ all }) => all))}`);
console.log(`until stopped   ${figures(starts.map(({ stopMs }) => stopMs))}`);
