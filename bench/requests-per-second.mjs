/** Scenarios of the load generator: requests of one kind as fast as a server answers them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ceilingProgram,
  cpuSeconds,
  generateLoad,
  makeCertificate,
  memoryMiB,
  startEtcd,
  startProgram,
  startServer,
  stop,
} from './processes.mjs';
import { create } from './requests.mjs';

const kinds = ['get', 'list500', 'list', 'listConsistent', 'listLabel', 'create', 'update', 'mergePatch', 'apply'];
const reads = kinds.slice(0, 5);

export const requests = {
  name: 'requests',
  about: 'gets, lists, writes and watches of one server, beside the fastest server that Node allows',
  needs: ['build', 'wrk', 'the load generator'],
  options: { storage: 'lmdb', objects: 10_000, seconds: 4, watchers: 500, connections: 64 },
  rounds: 3,
  columns: () => [
    { name: 'ceiling', alone: true, open: openCeiling },
    { name: 'server', open: openServer },
  ],
};

async function openServer({ command, folder, options, index }, flags = undefined) {
  const etcd = options.storage === 'etcd' ? await startEtcd(folder) : undefined;
  const storage = etcd ? `${etcd.storage}?prefix=b${index}` : storageIn(folder, options, index);
  const server = await startServer(command, storage, flags);
  const close = async () => {
    await stop(server);
    if (etcd) await stop(etcd);
  };
  return { rows: await requestRows(server, folder, options), close };
}

/**
 * Returns a storage in the folder of the bench: `lmdb` means a store there, and other texts have `{folder}` in its
 * place.
 */
function storageIn(folder, { storage }, index) {
  const text = storage === 'lmdb' ? 'lmdb:{folder}' : storage;
  return text.replace('{folder}', join(folder, `data-${index}`));
}

export const releases = {
  name: 'releases',
  about: 'gets, lists and writes of a server under release 1.27, without the flag, and under the latest release',
  needs: ['build', 'wrk', 'the load generator'],
  options: requests.options,
  columns: () => [
    { name: '1.27', open: (bench) => openServer(bench, ['--allow-everyone', '--emulated-version', '1.27']) },
    { name: 'without the flag', open: (bench) => openServer(bench) },
    { name: 'latest', open: (bench) => openServer(bench, ['--allow-everyone', '--emulated-version', 'latest']) },
  ],
};

async function openCeiling({ folder, options }) {
  const ceiling = await startProgram(ceilingProgram, ['--objects', String(options.objects)]);
  return { rows: await requestRows(ceiling, folder, options), close: () => stop(ceiling) };
}

async function requestRows(server, folder, { objects, seconds, watchers, connections }) {
  const load = (kind, count) => generateLoad(server, kind, folder, { objects: count, seconds, watchers, connections });
  await load('nothing', objects);
  // The objects to read exist already.
  const rows = kinds.map((kind) => [kind, async () => figuresOf(await load(kind, reads.includes(kind) ? 8 : objects))]);
  const watch = async () => {
    const { cpuUsPerDelivery, lost } = await load('watch', objects);
    return { 'µs of CPU per delivery': cpuUsPerDelivery, lost };
  };
  return { ...Object.fromEntries(rows), watch, memory: async () => ({ MiB: memoryMiB(server) }) };
}

export const figuresOf = ({ perSecond, cpuUsPerRequest, non2xx }) => ({
  'per second': perSecond,
  'µs of CPU': cpuUsPerRequest,
  ...(non2xx > 0 ? { 'not 2xx': non2xx } : {}),
});

export const secure = {
  name: 'secure',
  about: 'gets over TLS by a user with a role, with audit of every request at Metadata, beside the fastest over TLS',
  needs: ['build', 'wrk', 'openssl', 'the load generator'],
  options: { storage: 'lmdb', objects: 10_000, seconds: 4, connections: 64 },
  rounds: 3,
  columns: () => [
    { name: 'ceiling', alone: true, open: openSecureCeiling },
    { name: 'server', open: openSecureServer },
  ],
};

async function openSecureCeiling({ folder, options }) {
  const { cert, key } = makeCertificate(folder, 'ceiling');
  const ceiling = await startProgram(ceilingProgram, [
    '--objects',
    String(options.objects),
    '--key',
    key,
    '--cert',
    cert,
  ]);
  return { rows: { get: secureGet(ceiling, folder, '', options) }, close: () => stop(ceiling) };
}

async function openSecureServer({ command, folder, options, index }) {
  const { cert, key } = makeCertificate(folder, 'server');
  const [tokens, policy] = [join(folder, 'tokens.csv'), join(folder, 'policy.yaml')];
  writeFileSync(tokens, 'token-of-root,root,1,system:masters\ntoken-of-anna,anna,2,devs\n');
  writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n');
  const server = await startProgram(command, [
    ...['serve', '--naming', 'kubernetes', '--storage', storageIn(folder, options, index)],
    ...['--http-port', '0', '--secure-port', 'auto', '--tls-private-key-file', key, '--tls-cert-file', cert],
    ...['--token-auth-file', tokens],
    ...['--audit-policy-file', policy, '--audit-log-path', join(folder, `audit-${index}.log`)],
  ]);
  await generateLoad(server, 'seed', folder, { token: 'token-of-root', objects: options.objects });
  await grantReading(server.url, 'anna');
  return { rows: { get: secureGet(server, folder, 'token-of-anna', options) }, close: () => stop(server) };
}

const secureGet =
  (server, folder, token, { seconds, connections }) =>
  async () =>
    figuresOf(await generateLoad(server, 'get', folder, { token, objects: 0, seconds, connections }));

async function grantReading(url, user) {
  const group = 'rbac.authorization.k8s.io';
  const headers = { authorization: 'Bearer token-of-root' };
  const make = (plural, object) =>
    create(
      `${url}/apis/${group}/v1/${plural}`,
      { apiVersion: `${group}/v1`, metadata: { name: 'reader' }, ...object },
      headers,
    );
  await make('clusterroles', {
    kind: 'ClusterRole',
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
  });
  await make('clusterrolebindings', {
    kind: 'ClusterRoleBinding',
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'reader' },
    subjects: [{ apiGroup: group, kind: 'User', name: user }],
  });
}

export const etcd = {
  name: 'etcd',
  about: 'writes over etcd with more and more connections; compare builds with --against',
  needs: ['build', 'wrk', 'etcd', 'the load generator', '/proc'],
  options: { connections: '1,32,128', kinds: 'create,update,mergePatch,apply', seconds: 4, objects: 2000 },
  columns: () => [{ name: 'server', open: openOverEtcd }],
};

/** The member that all builds of a run share. */
let member;

async function openOverEtcd({ command, folder, options, index }) {
  member ??= await startEtcd(folder);
  const server = await startServer(command, `${member.storage}?prefix=build-${index}`);
  const { seconds, objects } = options;
  await generateLoad(server, 'nothing', folder, { objects });
  const rows = options.connections.split(',').flatMap((connections) =>
    options.kinds.split(',').map((kind) => {
      const measure = async () => {
        const before = cpuSeconds(member);
        const figures = await generateLoad(server, kind, folder, { objects, seconds, connections });
        const ofEtcd = ((cpuSeconds(member) - before) / figures.requests) * 1e6;
        return { ...figuresOf(figures), 'µs of CPU of etcd': ofEtcd, 'p99, ms': milliseconds(figures.p99) };
      };
      return [`${kind}, ${connections}`, measure];
    }),
  );
  const close = async () => {
    await stop(server);
    if (index === 0) await stop(member);
  };
  return { rows: Object.fromEntries(rows), close };
}

/** Reads the report of wrk, as in `1.25ms`. */
export function milliseconds(text) {
  const [, number, unit] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(number) * { us: 1e-3, ms: 1, s: 1e3 }[unit];
}
