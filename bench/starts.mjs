/** Scenarios of starts: of the server, of the control plane of test suites, and of the server for tests. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { percentile, timed } from './figures.mjs';
import { cpuSeconds, makeCertificate, startServer, stop } from './processes.mjs';
import { untilOk } from './requests.mjs';

export const ready = {
  name: 'ready',
  about: 'starts of the built server, from the start of its process until /readyz answers 200, beside an empty Node',
  needs: ['build'],
  options: { storage: 'memory', flags: '--secure-port auto' },
  rounds: 20,
  columns: () => [
    { name: 'an empty Node', alone: true, open: openNode },
    { name: 'server', open: openStarts },
  ],
};

async function openNode() {
  const start = async () => {
    const { ms } = await timed(() => once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit'));
    return { ms };
  };
  return { rows: { start } };
}

async function openStarts({ command, options }) {
  const flags = options.flags.split(' ').filter((flag) => flag !== '');
  const start = async () => {
    const began = performance.now();
    const server = await startServer(command, options.storage, flags);
    await untilOk(`${server.url}/readyz`);
    const figures = { ms: performance.now() - began, 'ms of CPU': cpuSeconds(server) * 1000 };
    await stop(server);
    return figures;
  };
  const size = async () => {
    const folder = dirname(command);
    const files = readdirSync(folder).filter((name) => /\.(c?js|cache)$/.test(name));
    return {
      files: files.length,
      MiB: files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 2 ** 20,
    };
  };
  // Loads the files of the server into the cache of the system.
  await start();
  return { rows: { start, 'the command': size } };
}

export const envtest = {
  name: 'envtest',
  about:
    'starts of a control plane as envtest makes them, from the first --help until kube-apiserver is ready over TLS',
  needs: ['build', 'openssl'],
  rounds: 20,
  columns: () => [{ name: 'control plane', open: openControlPlane }],
};

async function openControlPlane({ command, folder, index }) {
  const assets = join(folder, `bin-${index}`);
  execFileSync(process.execPath, [command, 'envtest-assets', assets], { stdio: 'ignore' });
  makeCertificate(folder, 'apiserver', '/CN=localhost');
  const accounts = makeCertificate(folder, 'sa-signer', '/CN=envtest-environment');
  const clients = makeCertificate(folder, 'client-cert-auth-ca', '/CN=envtest-environment');
  const start = async () => {
    const began = performance.now();
    execFileSync(join(assets, 'etcd'), ['--help']);
    const etcdUrl = `http://127.0.0.1:${await freePort()}`;
    const etcd = await startUntil(join(assets, 'etcd'), [`--listen-client-urls=${etcdUrl}`], `${etcdUrl}/health`);
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
    const server = await startUntil(join(assets, 'kube-apiserver'), args, `https://127.0.0.1:${port}/readyz`);
    const ms = performance.now() - began;
    const cpuMs = cpuSeconds(server) * 1000;
    const { ms: stopMs } = await timed(async () => {
      await stop(server);
      await stop(etcd);
    });
    return {
      'both with help, ms': ms,
      'kube-apiserver, ms': server.ms,
      'kube-apiserver, ms of CPU': cpuMs,
      'etcd, ms': etcd.ms,
      'until stopped, ms': stopMs,
    };
  };
  await start();
  return { rows: { start } };
}

async function startUntil(program, args, url) {
  const began = performance.now();
  const child = spawn(program, args, { stdio: 'ignore' });
  await untilOk(url);
  return { child, ms: performance.now() - began };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

export const testServer = {
  name: 'test-server',
  about:
    'the server for tests of a build: starts, resets and ends in a process that has loaded it, and starts from nothing',
  needs: ['build'],
  options: { starts: 100, objects: 20 },
  rounds: 10,
  columns: () => [{ name: 'server', open: openTestServer }],
};

async function openTestServer({ checkout, load, options }) {
  const module = 'dist/testing/index.js';
  const { startTestServer } = await load(module);
  const objects = Array.from({ length: options.objects }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `one-${index}`, namespace: 'default' },
    data: { text: 'x'.repeat(1000) },
  }));
  const start = async () => {
    const server = await startTestServer();
    await server.until({ resource: 'namespaces', name: 'default' }, () => true);
    return server;
  };
  await (await start()).dispose();
  const warm = async () => {
    const [starts, resets, ends] = [[], [], []];
    for (let i = 0; i < options.starts; i++) {
      const started = await timed(start);
      const server = started.result;
      await server.create(...objects);
      starts.push(started);
      resets.push(await timed(() => server.reset()));
      ends.push(await timed(() => server.dispose()));
    }
    return { ...percentilesOf('start', starts), ...percentilesOf('reset', resets), ...percentilesOf('end', ends) };
  };
  const program = `
const { startTestServer } = await import(${JSON.stringify(pathToFileURL(join(checkout, module)).href)});
const server = await startTestServer();
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ms: performance.now(), 'ms of CPU': (user + system) / 1000 }));
await server.dispose();`;
  const cold = async () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    if (stderr) console.error(stderr);
    return JSON.parse(stdout);
  };
  await cold();
  return { rows: { warm, 'from nothing': cold } };
}

const percentilesOf = (name, times) => {
  const at = (key, share) =>
    percentile(
      times.map((one) => one[key]),
      share,
    );
  return {
    [`${name} p50, ms`]: at('ms', 0.5),
    [`${name} p95, ms`]: at('ms', 0.95),
    [`${name} p50, ms of CPU`]: at('cpuMs', 0.5),
  };
};
