/** Starts, measures and stops the programs of scenarios. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The command of a build, in the folder of its checkout. */
export const builtCommand = 'dist/bin/kindforge.cjs';

/** The load generator, and the fastest server that Node allows. They are beside the checkout. */
export const loadGenerator = join(root, '../shared/bench/bench.mjs');
export const ceilingProgram = join(root, '../shared/bench/ceiling.mjs');

/** Definitions of other projects, beside the checkout. */
export const definitions = join(root, '../shared/crds/definitions');

/** The browser of this machine; `undefined` if it has none. */
export const chromiumProgram = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function spawnKept(command, args, options) {
  const child = spawn(command, args, options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Runs with a folder, and removes it afterwards. `KINDFORGE_BENCH_DIR` chooses its place. */
export async function withFolder(run) {
  const folder = mkdtempSync(join(process.env.KINDFORGE_BENCH_DIR ?? tmpdir(), 'kindforge-bench-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a file of JavaScript. Resolves to the process and the address that it prints; plain HTTP comes before TLS. */
export async function startProgram(file, args) {
  const child = spawnKept(process.execPath, [file, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? /https:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return { child, url };
}

/** Starts a server of a build on a free port for plain HTTP. Without flags it lets everyone in. */
export function startServer(command, storage, flags = ['--allow-everyone']) {
  const ports = ['--http-port', 'auto', '--secure-port', '0'];
  return startProgram(command, ['serve', ...ports, '--storage', storage, ...flags]);
}

/** Asks a process to stop, and resolves once it has. */
export async function stop({ child }) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Returns the processes that a server has started. */
export function childrenOf({ child }) {
  const file = `/proc/${child.pid}/task/${child.pid}/children`;
  return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Returns the CPU time of a process, in seconds, from fields 14 and 15 of its `stat`. */
export function cpuSeconds({ child }) {
  const file = `/proc/${child.pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Returns the resident memory of a process, in MiB. */
export function memoryMiB({ child }) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Returns the memory of a process that no other process shares, in MiB: what the machine has more if the process ends. */
export function ownMemoryMiB({ child }) {
  const rollup = readFileSync(`/proc/${child.pid}/smaps_rollup`, 'utf8');
  const parts = [...rollup.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm)];
  return parts.reduce((sum, [, kib]) => sum + Number(kib), 0) / 1024;
}

const groups = '/sys/fs/cgroup';
/** The folder of control groups for CPU time, of version 2 or 1. */
const cpuGroups = existsSync(join(groups, 'cgroup.controllers')) ? groups : join(groups, 'cpu');

/**
 * Lets a process use a share of one core, in periods of 10 ms. The returned function removes the limit once the process
 * has ended. Throws an Error except on Linux as root.
 */
export function limitCpu(pid, share) {
  const group = join(cpuGroups, `kindforge-bench-${pid}`);
  const [period, quota] = [10_000, Math.round(10_000 * share)];
  const limits =
    cpuGroups === groups
      ? { 'cpu.max': `${quota} ${period}` }
      : { 'cpu.cfs_period_us': period, 'cpu.cfs_quota_us': quota };
  if (cpuGroups === groups) writeFileSync(join(groups, 'cgroup.subtree_control'), '+cpu');
  mkdirSync(group);
  for (const [file, limit] of Object.entries(limits)) writeFileSync(join(group, file), String(limit));
  writeFileSync(join(group, 'cgroup.procs'), String(pid));
  return () => rmdirSync(group);
}

/** Starts one member of etcd with its data in a folder. Its client port is 23790. */
export async function startEtcd(folder) {
  const [client, peer] = ['http://127.0.0.1:23790', 'http://127.0.0.1:23800'];
  const addresses = ['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer];
  const cluster = ['--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`];
  const data = ['--data-dir', join(folder, 'etcd'), '--quota-backend-bytes', '8589934592'];
  const logs = ['--logger', 'zap', '--log-level', 'error'];
  const child = spawnKept('etcd', [...addresses, ...cluster, ...data, ...logs], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let attempt = 0; attempt < 100; attempt++) {
    const healthy = await fetch(`${client}/health`).catch(() => undefined);
    const storage = `etcd:${client}`;
    if (healthy?.ok) return { child, storage, storageOf: (name) => `${storage}?prefix=${name}` };
    await pause(0.1);
  }
  throw new Error('etcd does not answer');
}

/** The programs of the newest PostgreSQL; `undefined` if there is none. */
export const postgresPrograms = (() => {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const [newest] = versions.sort((one, other) => Number(other) - Number(one));
  return newest && `/usr/lib/postgresql/${newest}/bin`;
})();

/**
 * Starts PostgreSQL with its data in a folder, as the user `postgres` if this user is root. Its port is 23890. Gives it
 * log files to reuse, as a server has them after a while.
 */
export async function startPostgres(folder) {
  const [data, port] = [join(folder, 'postgres'), '23890'];
  const asUser = process.getuid() === 0 ? { uid: idOfPostgres('-u'), gid: idOfPostgres('-g'), cwd: '/' } : {};
  mkdirSync(data);
  chmodSync(folder, 0o711);
  if (asUser.uid !== undefined) chownSync(data, asUser.uid, asUser.gid);
  const run = (program, ...args) => {
    const { status, stderr } = spawnSync(join(postgresPrograms, program), args, { encoding: 'utf8', ...asUser });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
  };
  run('initdb', '--pgdata', data, '--username', 'postgres', '--encoding', 'UTF8', '--auth', 'trust');
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${data}`,
    'min_wal_size=1GB',
  ];
  const flags = ['max_wal_size=4GB', 'log_min_messages=fatal', ...settings].flatMap((setting) => ['-c', setting]);
  const child = spawnKept(join(postgresPrograms, 'postgres'), ['-D', data, ...flags], { stdio: 'ignore', ...asUser });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  for (let attempt = 0; spawnSync(join(postgresPrograms, 'pg_isready'), ['-q', '-d', url]).status !== 0; attempt++) {
    if (attempt === 100) throw new Error('PostgreSQL does not answer');
    await pause(0.1);
  }
  const fill = ["SELECT pg_logical_emit_message(true, '', 'x')", 'SELECT pg_switch_wal()'];
  const statements = Array.from({ length: 40 }, () => fill).flat();
  run('psql', '-q', '-o', '/dev/null', ...[...statements, 'CHECKPOINT'].flatMap((text) => ['-c', text]), url);
  // On ext4, each commit waits until the journal has the new files.
  spawnSync('sync');
  return { child, storageOf: (name) => `${url}?schema=${name}` };
}

const idOfPostgres = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);

/** Runs the load generator. It first creates missing objects. Resolves to its figures of one kind of request. */
export async function generateLoad({ url, child }, kind, folder, options) {
  const file = join(folder, 'figures.json');
  const flags = {
    base: url,
    pids: [child.pid, ...childrenOf({ child })].join(','),
    only: kind,
    json: file,
    ...options,
  };
  const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)]);
  const stdio = ['ignore', 'ignore', 'inherit'];
  const [code] = await once(spawnKept(process.execPath, [loadGenerator, ...args], { stdio }), 'exit');
  if (code !== 0) throw new Error(`the load generator ended with ${code}`);
  return JSON.parse(readFileSync(file, 'utf8'))[kind];
}

/** Floods a server with wrk. Resolves to its report of requests and answers. */
export async function wrk(url, { seconds, connections, script, folder }) {
  const scripts = script === undefined ? [] : ['-s', join(folder, 'script.lua')];
  if (script !== undefined) writeFileSync(scripts[1], script);
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, ...scripts, url];
  const child = spawnKept('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await once(child, 'close');
  const figure = (pattern) => Number(pattern.exec(said)?.[1] ?? 0);
  return {
    requests: figure(/(\d+) requests in/),
    perSecond: figure(/Requests\/sec:\s+([\d.]+)/),
    refused: figure(/Non-2xx or 3xx responses: (\d+)/),
  };
}

/** Makes a self-signed certificate for this machine: the files `<name>.crt` and `<name>.key`. */
export function makeCertificate(folder, name, subject = '/CN=bench') {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  // The same kind of key as in a server's own certificates.
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', subject, '-addext', 'subjectAltName=IP:127.0.0.1'];
  spawnSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert, key };
}

export const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
