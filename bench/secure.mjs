#!/usr/bin/env node
/**
 * Measures gets over TLS with all that a server has in earnest: a user with a role, audit of every request at Metadata, and
 * metrics, in turn with the fastest server that Node allows over TLS.
 * Usage: node bench/secure.mjs [--storage lmdb|memory] [--objects 10000] [--seconds 4] [--rounds 3] [--connections 64]
 * Needs a build (`npm run build`), `openssl`, `wrk`, and the load generator beside the checkout.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtCommand, startProgram, stop } from './running.mjs';

const { values: options } = parseArgs({
  options: {
    storage: { type: 'string', default: 'lmdb' },
    objects: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
  },
});
const generator = new URL('../../shared/bench/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'kindforge-bench-'));
const inFolder = (name) => join(folder, name);

writeFileSync(inFolder('tokens.csv'), 'token-of-root,root,1,system:masters\ntoken-of-anna,anna,2,devs\n');
writeFileSync(inFolder('policy.yaml'), 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n');

// Of the same kind as those that a server makes for itself.
execFileSync(
  'openssl',
  [
    ...['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-days', '2'],
    ...['-subj', '/CN=bench', '-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-keyout', inFolder('server.key'), '-out', inFolder('server.crt')],
  ],
  { stdio: 'ignore' },
);

/** Runs the load generator, which creates the objects that are not there yet. */
async function generateLoad({ url, child }, token, only, objects) {
  const file = inFolder('figures.json');
  const { seconds, connections } = options;
  const flags = { base: url, token, pids: String(child.pid), objects, seconds, connections, only, json: file };
  const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
  const bench = spawn(process.execPath, [join(generator, 'bench.mjs'), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => bench.once('exit', resolve));
  if (code !== 0) throw new Error(`the load generator ended with ${code}`);
  return JSON.parse(readFileSync(file, 'utf8'))[only];
}

const storage = options.storage === 'lmdb' ? `lmdb:${inFolder('data')}` : options.storage;
const server = await startProgram(builtCommand, [
  'serve',
  ...['--naming', 'kubernetes', '--storage', storage, '--http-port', '0', '--secure-port', 'auto'],
  ...['--tls-private-key-file', inFolder('server.key'), '--tls-cert-file', inFolder('server.crt')],
  ...['--token-auth-file', inFolder('tokens.csv')],
  ...['--audit-policy-file', inFolder('policy.yaml'), '--audit-log-path', inFolder('audit.log')],
]);
const pair = ['--key', inFolder('server.key'), '--cert', inFolder('server.crt')];
const ceiling = await startProgram(join(generator, 'ceiling.mjs'), ['--objects', options.objects, ...pair]);
await generateLoad(server, 'token-of-root', 'seed', options.objects);
await grant('anna');

const rounds = [];
for (let round = 0; round < Number(options.rounds); round++) {
  const ours = await generateLoad(server, 'token-of-anna', 'get', '0');
  const theirs = await generateLoad(ceiling, '', 'get', '0');
  if (ours.non2xx > 0) throw new Error(`${ours.non2xx} gets were refused`);
  rounds.push({ ours, theirs });
}
for (const one of [server, ceiling]) await stop(one);
rmSync(folder, { recursive: true, force: true });

/** Lets a user read everything. */
async function grant(user) {
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
  await create('clusterroles', {
    ...rbac,
    kind: 'ClusterRole',
    metadata: { name: 'reader' },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
  });
  await create('clusterrolebindings', {
    ...rbac,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  });
}

async function create(plural, object) {
  const { request } = await import('node:https');
  const ca = readFileSync(inFolder('server.crt'));
  const url = `${server.url}/apis/rbac.authorization.k8s.io/v1/${plural}`;
  const headers = { authorization: 'Bearer token-of-root', 'content-type': 'application/json' };
  const code = await new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', headers, ca }, (res) => {
      res.resume();
      resolve(res.statusCode);
    });
    call.once('error', reject);
    call.end(JSON.stringify(object));
  });
  if (code !== 201) throw new Error(`creating ${object.metadata.name} answered ${code}`);
}

const medianOf = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const told = (side) =>
  ['perSecond', 'cpuUsPerRequest'].map((figure) => Math.round(medianOf(rounds.map((round) => round[side][figure]))));
const [[ours, ourCpu], [theirs, theirCpu]] = [told('ours'), told('theirs')];
const ratio = medianOf(rounds.map((round) => round.ours.perSecond / round.theirs.perSecond));
const ofCpu = medianOf(rounds.map((round) => round.theirs.cpuUsPerRequest / round.ours.cpuUsPerRequest));
console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, rounds: ${options.rounds}`);
console.log('| | server | ceiling | ratio | ratio of CPU time |');
console.log('| --- | --- | --- | --- | --- |');
console.log(
  `| get over TLS, audited | ${ours}/s, ${ourCpu} µs | ${theirs}/s, ${theirCpu} µs | ${ratio.toFixed(2)} | ${ofCpu.toFixed(2)} |`,
);
