#!/usr/bin/env node
/**
 * Measures the writes of one build after the other over the same etcd, and prints how many times faster this one is.
 * Usage: node bench/etcd.mjs --against <checkout> [--connections 1,32,128] [--seconds 4] [--rounds 5] [--objects 2000] [--only create,…]
 * `--against` is another checkout with a build in it (`npm run build`), as of an earlier commit. Each figure is the median
 * of the rounds, in which the builds take turns. Needs a build here too, `wrk`, `etcd`, and the load generator beside
 * the checkout.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startEtcd } from './etcd-member.mjs';
import { builtCommand, cpuSeconds, root, startServer, stop } from './running.mjs';

const { values: options } = parseArgs({
  options: {
    against: { type: 'string' },
    connections: { type: 'string', default: '1,32,128' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    objects: { type: 'string', default: '2000' },
    only: { type: 'string', default: 'create,update,mergePatch,apply' },
  },
});
const generator = new URL('../../shared/bench/bench.mjs', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'kindforge-bench-'));
const etcd = await startEtcd(folder);
const checkouts = options.against === undefined ? [root] : [resolve(options.against), root];
const builds = [];
for (const [index, checkout] of checkouts.entries()) {
  const server = await startServer(`${etcd.storage}?prefix=build-${index}`, join(checkout, builtCommand));
  builds.push(server);
  await generateLoad(server, 'nothing', '8');
}

/** Runs the load generator once; it creates objects that are not there yet, whatever it measures. */
async function generateLoad({ url, child }, only, connections) {
  const file = join(folder, 'figures.json');
  const { seconds, objects } = options;
  const flags = { base: url, pids: String(child.pid), objects, seconds, connections, only, json: file };
  const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
  const bench = spawn(process.execPath, [generator, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((resolve) => bench.once('exit', resolve));
  if (code !== 0) throw new Error(`the load generator ended with ${code}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

async function measure(build, name, connections) {
  const before = cpuSeconds(etcd);
  const { [name]: figures } = await generateLoad(build, name, connections);
  const etcdUs = ((cpuSeconds(etcd) - before) / figures.requests) * 1e6;
  return { ...figures, etcdUs, p99Ms: milliseconds(figures.p99) };
}

/** Reads what wrk says, as in `1.25ms`. */
function milliseconds(text) {
  const [, number, unit] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(number) * { us: 1e-3, ms: 1, s: 1e3 }[unit];
}

function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}

function told(rounds) {
  const median = (figure) => medianOf(rounds.map((round) => round[figure]));
  const wrong = rounds.reduce((sum, { non2xx }) => sum + non2xx, 0);
  const cpu = `${Math.round(median('cpuUsPerRequest'))} + ${Math.round(median('etcdUs'))} µs`;
  const text = `${Math.round(median('perSecond'))}/s, p99 ${median('p99Ms').toFixed(1)} ms, ${cpu}`;
  return wrong > 0 ? `${text}, ${wrong} not 2xx` : text;
}

const date = new Date().toISOString().slice(0, 10);
const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`;
console.log(`${date}, ${machine}, etcd with one member, rounds: ${options.rounds}; CPU time of the server + of etcd\n`);
const print = (row) => console.log(`| ${row.join(' | ')} |`);
print(['request, connections', ...(builds.length > 1 ? ['the other build', 'this build'] : ['this build']), 'ratio']);
print(Array(builds.length + 2).fill('---'));
for (const connections of options.connections.split(',')) {
  for (const name of options.only.split(',')) {
    const rounds = builds.map(() => []);
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const [index, build] of builds.entries()) rounds[index].push(await measure(build, name, connections));
    }
    const [first, last] = [rounds[0], rounds[rounds.length - 1]];
    const ratios = last.map(({ perSecond }, round) => perSecond / first[round].perSecond);
    const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
    print([`${name}, ${connections}`, ...rounds.map(told), `${medianOf(ratios).toFixed(2)} (${least} – ${most})`]);
  }
}

for (const build of builds) await stop(build);
etcd.child.kill('SIGKILL');
rmSync(folder, { recursive: true, force: true });
