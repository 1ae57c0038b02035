#!/usr/bin/env node
/**
 * Measures a server and the fastest server that Node allows, one right after the other, and prints the ratios.
 * Usage: node bench/server.mjs [--storage lmdb|memory|etcd|unstorage:…] [--objects 10000] [--seconds 4] [--watchers 500] [--only get,list,…]
 * In `unstorage:…`, `{folder}` stands for a folder that is gone afterwards, as in `unstorage:fs?base={folder}/data`.
 * Needs a build (`npm run build`), `wrk`, and the load generator beside the checkout; for etcd that program, too: one
 * member is started, on the same disk as the rest.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    storage: { type: 'string', default: 'lmdb' },
    objects: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '4' },
    watchers: { type: 'string', default: '500' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string' },
  },
});
const root = new URL('..', import.meta.url).pathname;
const generator = new URL('../../shared/bench/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'kindforge-bench-'));

/** Starts a process and resolves to the address that it prints. */
function start(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const url = /https?:\/\/127\.0\.0\.1:\d+/.exec(printed);
      if (url) resolve({ child, url: url[0] });
    });
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}`)));
  });
}

const requests = ['get', 'list500', 'list', 'listConsistent', 'listLabel', 'create', 'update', 'mergePatch', 'apply'];

async function measure(name, command, args) {
  const { child, url } = await start(command, args);
  const wanted = options.only?.split(',') ?? [...requests, 'watch'];
  const results = {};
  // The load generator keeps its connections while `wrk` runs, and may find them closed when it goes on to watches: those
  // are measured by a generator of their own.
  for (const only of [wanted.filter((one) => one !== 'watch'), wanted.filter((one) => one === 'watch')]) {
    if (only.length > 0) Object.assign(results, await generateLoad(name, url, child.pid, only));
  }
  child.removeAllListeners('exit');
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  return results;
}

async function generateLoad(name, url, pid, only) {
  const file = join(folder, `${name}.json`);
  const { objects, seconds, watchers, connections } = options;
  const flags = {
    base: url,
    pids: String(pid),
    objects,
    seconds,
    watchers,
    connections,
    only: only.join(),
    json: file,
  };
  const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
  const bench = spawn(process.execPath, [join(generator, 'bench.mjs'), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => bench.once('exit', resolve));
  if (code !== 0) throw new Error(`the load generator ended with ${code}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Starts etcd; its client port is 23790, its data goes with the folder. */
async function startEtcd() {
  const [client, peer] = ['http://127.0.0.1:23790', 'http://127.0.0.1:23800'];
  const addresses = ['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer];
  const cluster = ['--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`];
  const data = [
    '--data-dir',
    join(folder, 'etcd'),
    '--logger',
    'zap',
    '--log-level',
    'error',
    '--quota-backend-bytes',
    '8589934592',
  ];
  const child = spawn('etcd', [...addresses, ...cluster, ...data], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  for (let attempt = 0; ; attempt++) {
    const healthy = await fetch(`${client}/health`).catch(() => undefined);
    if (healthy?.ok) return { child, storage: `etcd:${client}` };
    if (attempt === 100) throw new Error('etcd does not answer');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const etcd = options.storage === 'etcd' ? await startEtcd() : undefined;
const inFolder = options.storage === 'lmdb' ? 'lmdb:{folder}/data' : options.storage;
const storage = etcd?.storage ?? inFolder.replace('{folder}', folder);
const server = await measure('server', process.execPath, [
  'dist/bin/kindforge.js',
  'serve',
  '--allow-everyone',
  '--http-port',
  '0',
  '--storage',
  storage,
]);
etcd?.child.kill('SIGKILL');
const ceiling = await measure('ceiling', process.execPath, [
  join(generator, 'ceiling.mjs'),
  '--objects',
  options.objects,
]);
rmSync(folder, { recursive: true, force: true });

console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${options.storage}, ${options.objects} objects`,
);
console.log('');
console.log('| | server | ceiling | ratio | ratio of CPU time |');
console.log('|---|---|---|---|---|');
for (const [name, ours] of Object.entries(server)) {
  const theirs = ceiling[name];
  if (ours.perSecond !== undefined) {
    const ratio = (ours.perSecond / theirs.perSecond).toFixed(2);
    const ofCpu = (theirs.cpuUsPerRequest / ours.cpuUsPerRequest).toFixed(2);
    const wrong = ours.non2xx ? `, ${ours.non2xx} not 2xx` : '';
    console.log(
      `| ${name} | ${Math.round(ours.perSecond)}/s, ${ours.cpuUsPerRequest} µs${wrong} | ${Math.round(theirs.perSecond)}/s, ${theirs.cpuUsPerRequest} µs | ${ratio} | ${ofCpu} |`,
    );
  }
  if (ours.cpuUsPerDelivery !== undefined) {
    const ratio = (theirs.cpuUsPerDelivery / ours.cpuUsPerDelivery).toFixed(2);
    console.log(
      `| ${name}, ${ours.watchers} watchers | ${ours.cpuUsPerDelivery} µs per delivery, ${ours.lost} lost | ${theirs.cpuUsPerDelivery} µs, ${theirs.lost} lost | | ${ratio} |`,
    );
  }
  if (name === 'memory') console.log(`| memory | ${ours.rssMiB} MiB | ${theirs.rssMiB} MiB | | |`);
}
