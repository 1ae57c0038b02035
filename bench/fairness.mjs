#!/usr/bin/env node
/**
 * Measures what a user who floods the server costs another one: the time of the other's gets alone, and while the flood is
 * on, with fairness and without, in turns. Prints one line for each kind of flood.
 * Usage: node bench/fairness.mjs [--seconds 4] [--rounds 3] [--connections 64] [--every 5] [--only get,list,create] [--storage memory]
 * Needs a build (`npm run build`) and `wrk`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtCommand, startProgram, stop } from './running.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
    every: { type: 'string', default: '5' },
    only: { type: 'string', default: 'get,list,create' },
    storage: { type: 'string', default: 'memory' },
    command: { type: 'string', default: builtCommand },
    flags: { type: 'string', default: '' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'kindforge-bench-'));
const tokens = join(folder, 'tokens.csv');
writeFileSync(tokens, 'flood,flooder,1\nquiet,other,2\n');

const collection = '/api/v1/namespaces/default/configmaps';
const data = 'x'.repeat(2000);

/** The requests of wrk, in Lua. */
const floods = {
  get: `wrk.path = "${collection}/one"`,
  list: `wrk.path = "${collection}?limit=500"`,
  create: `wrk.method = "POST"; wrk.path = "${collection}"; wrk.headers["content-type"] = "application/json"
wrk.body = '{"metadata":{"generateName":"flood-"},"data":{"a":"${data}"}}'`,
};

const start = (...flags) =>
  startProgram(options.command, [
    'serve',
    ...['--token-auth-file', tokens, '--authorization-mode', 'AlwaysAllow', '--storage', options.storage],
    ...['--http-port', 'auto', '--secure-port', '0', ...flags],
  ]);

/** Starts a flood, and resolves to what wrk says of it once it is over. */
function flood(url, kind) {
  const script = join(folder, `${kind}.lua`);
  writeFileSync(script, `${floods[kind]}\nwrk.headers["authorization"] = "Bearer flood"\n`);
  const { connections, seconds } = options;
  const args = ['-t1', `-c${connections}`, `-d${Number(seconds) + 1}s`, '-s', script, url];
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  return new Promise((resolve) => child.once('exit', () => resolve(said)));
}

const agent = new Agent({ keepAlive: true });

function ask(url, path, { method = 'GET', body } = {}) {
  const began = performance.now();
  const headers = { authorization: 'Bearer quiet', ...(body ? { 'content-type': 'application/json' } : {}) };
  return new Promise((resolve, reject) => {
    const asked = request(url + path, { agent, method, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve({ ms: performance.now() - began, code: answer.statusCode }));
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

/** The times of the other user's gets, one begun every few milliseconds, in milliseconds from the shortest. */
async function timesOf(url, seconds) {
  const times = [];
  const until = performance.now() + seconds * 1000;
  for (let due = performance.now(); due < until; due += Number(options.every)) {
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const { ms, code } = await ask(url, `${collection}/one`);
    if (code !== 200) throw new Error(`the other user got ${code}`);
    times.push(ms);
  }
  return times.sort((a, b) => a - b);
}

const at = (times, part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;

async function fill(url) {
  for (const name of ['one', ...Array.from({ length: 500 }, (_, i) => `filler-${i}`)]) {
    const body = JSON.stringify({ metadata: { name }, data: { a: data } });
    await ask(url, collection, { method: 'POST', body });
  }
  await timesOf(url, 1);
}

const fair = await start(...options.flags.split(' ').filter((flag) => flag !== ''));
const unfair = await start('--enable-priority-and-fairness', 'false', '--max-requests-inflight', '0').catch(
  () => undefined,
);
const servers = [fair, unfair].filter((server) => server !== undefined);
for (const { url } of servers) await fill(url);

const seconds = Number(options.seconds);
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
console.log('| flood | fairness | alone p50 / p99 | with the flood p50 / p99 | p99 ratio | flood |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const kind of options.only.split(',')) {
  for (const server of servers) {
    const rounds = [];
    for (let round = 0; round < Number(options.rounds); round++) {
      const alone = await timesOf(server.url, seconds);
      const flooding = flood(server.url, kind);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const flooded = await timesOf(server.url, seconds);
      const said = await flooding;
      const rate = /Requests\/sec:\s+([\d.]+)/.exec(said)?.[1];
      const refused = /Non-2xx or 3xx responses: (\d+)/.exec(said)?.[1] ?? '0';
      rounds.push({ alone, flooded, rate: Number(rate), refused: Number(refused) });
    }
    const told = (times, part) => median(rounds.map((round) => at(round[times], part)));
    const ratio = median(rounds.map(({ alone, flooded }) => at(flooded, 0.99) / at(alone, 0.99)));
    const shown = (times) => `${told(times, 0.5).toFixed(2)} / ${told(times, 0.99).toFixed(2)} ms`;
    const rate = `${Math.round(median(rounds.map((round) => round.rate)))}/s, ${median(rounds.map(({ refused }) => refused))} refused`;
    console.log(
      `| ${kind} | ${server === fair ? 'on' : 'off'} | ${shown('alone')} | ${shown('flooded')} | ${ratio.toFixed(1)} | ${rate} |`,
    );
  }
}
for (const server of servers) await stop(server);
rmSync(folder, { recursive: true, force: true });
process.exit(0);
