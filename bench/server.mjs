#!/usr/bin/env node
/**
 * Measures a server and the fastest server that Node allows in turn, one kind of request after the other, and prints the ratios.
 * Usage: node bench/server.mjs [--storage lmdb|memory|etcd|unstorage:…] [--objects 10000] [--seconds 4] [--rounds 1] [--watchers 500] [--only get,list,…]
 * With several rounds each figure is their median, and the range of each ratio is told as well.
 * In `unstorage:…`, `{folder}` stands for a folder that is gone afterwards, as in `unstorage:fs?base={folder}/data`.
 * Needs a build (`npm run build`), `wrk`, and the load generator beside the checkout; for etcd that program, too: one
 * member is started, on the same disk as the rest.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEtcd } from './etcd-member.mjs';
import { memoryMiB, startProgram, startServer, stop } from './running.mjs';

const { values: options } = parseArgs({
  options: {
    storage: { type: 'string', default: 'lmdb' },
    objects: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '1' },
    watchers: { type: 'string', default: '500' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string' },
  },
});
const generator = new URL('../../shared/bench/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'kindforge-bench-'));

const reads = ['get', 'list500', 'list', 'listConsistent', 'listLabel'];
const writes = ['create', 'update', 'mergePatch', 'apply'];
const wanted = options.only?.split(',') ?? [...reads, ...writes, 'watch'];

/** Runs the load generator, which creates objects that are not there yet, whatever it measures. */
async function generateLoad({ url, child }, only, objects = options.objects) {
  const file = join(folder, 'figures.json');
  const { seconds, watchers, connections } = options;
  const flags = { base: url, pids: String(child.pid), objects, seconds, watchers, connections, only, json: file };
  const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
  const bench = spawn(process.execPath, [join(generator, 'bench.mjs'), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => bench.once('exit', resolve));
  if (code !== 0) throw new Error(`the load generator ended with ${code}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The rounds of a kind of request, the server and the ceiling in turn. */
async function measure(name) {
  const rounds = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    // The objects that are read exist already.
    const objects = reads.includes(name) ? '8' : options.objects;
    const ours = await generateLoad(server, name, objects);
    const theirs = await generateLoad(ceiling, name, objects);
    rounds.push({ ours: ours[name], theirs: theirs[name] });
  }
  return rounds;
}

const etcd = options.storage === 'etcd' ? await startEtcd(folder) : undefined;
const inFolder = options.storage === 'lmdb' ? 'lmdb:{folder}/data' : options.storage;
const storage = etcd?.storage ?? inFolder.replace('{folder}', folder);
const server = await startServer(storage);
const ceiling = await startProgram(join(generator, 'ceiling.mjs'), ['--objects', options.objects]);
for (const one of [server, ceiling]) await generateLoad(one, 'nothing');

const figures = [];
for (const name of wanted) figures.push([name, await measure(name)]);
const memory = [server, ceiling].map((one) => Math.round(memoryMiB(one)));

for (const one of [server, ceiling]) await stop(one);
etcd?.child.kill('SIGKILL');
rmSync(folder, { recursive: true, force: true });

function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}

/** The median of the rounds' ratios, and the least and the most where there are several. */
function ratioOf(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(2));
  return medianOf(values).toFixed(2) + (values.length > 1 ? ` (${least} – ${most})` : '');
}

function requestRow(name, rounds) {
  const median = (side, figure) => Math.round(medianOf(rounds.map((round) => round[side][figure])));
  const told = (side) => `${median(side, 'perSecond')}/s, ${median(side, 'cpuUsPerRequest')} µs`;
  const wrong = rounds.reduce((sum, { ours }) => sum + ours.non2xx, 0);
  const ratio = ratioOf(rounds.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond));
  const ofCpu = ratioOf(rounds.map(({ ours, theirs }) => theirs.cpuUsPerRequest / ours.cpuUsPerRequest));
  return [name, told('ours') + (wrong > 0 ? `, ${wrong} not 2xx` : ''), told('theirs'), ratio, ofCpu];
}

function watchRow(rounds) {
  const told = (side) => {
    const lost = rounds.reduce((sum, round) => sum + round[side].lost, 0);
    return `${medianOf(rounds.map((round) => round[side].cpuUsPerDelivery)).toFixed(1)} µs per delivery, ${lost} lost`;
  };
  const ofCpu = ratioOf(rounds.map(({ ours, theirs }) => theirs.cpuUsPerDelivery / ours.cpuUsPerDelivery));
  return [`watch, ${options.watchers} watchers`, told('ours'), told('theirs'), '', ofCpu];
}

const date = new Date().toISOString().slice(0, 10);
console.log(
  `${date}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${options.storage}, ${options.objects} objects, rounds: ${options.rounds}`,
);
const rows = [
  ['', 'server', 'ceiling', 'ratio', 'ratio of CPU time'],
  ['---', '---', '---', '---', '---'],
  ...figures.map(([name, rounds]) => (name === 'watch' ? watchRow(rounds) : requestRow(name, rounds))),
  ['memory', ...memory.map((mib) => `${mib} MiB`), '', ''],
];
console.log('');
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
