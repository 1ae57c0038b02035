#!/usr/bin/env node
/**
 * Measures lists through selectors with more and more objects, and prints a table of the server's CPU time per request.
 * Usage: node bench/labels.mjs [--objects 1000,10000,100000] [--storage memory|lmdb] [--seconds 3]
 * Needs a build (`npm run build`) and `wrk`. Ten objects each share a rack, and all the rest of their labels.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cpuSeconds, memoryMiB, startServer, stop } from './running.mjs';

const { values: options } = parseArgs({
  options: {
    objects: { type: 'string', default: '1000,10000,100000' },
    storage: { type: 'string', default: 'memory' },
    seconds: { type: 'string', default: '3' },
  },
});
const collection = '/api/v1/namespaces/bench/configmaps';
const payload = 'x'.repeat(1700);

const selectors = {
  'nothing: a get of one object': '/o-0000003',
  name: '?fieldSelector=metadata.name%3Do-0000003',
  'a label that no object has': '?labelSelector=rack%3Dnone',
  'a label that 10 objects have': '?labelSelector=rack%3Dr7',
  'that label and another that all have': '?labelSelector=app%3Dbench,rack%3Dr7',
  'either of two values, 20 objects': '?labelSelector=rack%20in%20(r7,r8)',
  'a label key that no object has': '?labelSelector=none',
  'the absence of a value, the first 10': '?labelSelector=rack!%3Dr7&limit=10',
  'the absence of a value that all have': '?labelSelector=app!%3Dbench',
};

/** Those that are measured as well where nothing has changed since the list before. */
const keptToo = ['a label that 10 objects have', 'the absence of a value that all have'];

async function create(url, path, object) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function fill(url, count) {
  await create(url, '/api/v1/namespaces', { metadata: { name: 'bench' } });
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const number = next++;
      const name = `o-${String(number).padStart(7, '0')}`;
      const labels = { app: 'bench', rack: `r${Math.floor(number / 10)}` };
      await create(url, collection, { metadata: { name, labels }, data: { payload } });
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}

/**
 * Requests that ask the same in 64 ways, one after the other: lists in which nothing has changed are kept, but not that
 * many of them, so that each is looked up.
 */
const differently = `local n = 0
request = function()
  n = n % 64 + 1
  return wrk.format("GET", wrk.path .. (wrk.path:find("?", 1, true) and "&" or "?") .. "timeoutSeconds=" .. n)
end
`;

function load(url, seconds, script) {
  return execFileSync('wrk', ['-t1', '-c32', `-d${seconds}s`, ...(script ? ['-s', script] : []), url]).toString();
}

/** The server's CPU time for one request, microseconds, once the first ones have built and compiled what they need. */
function measure(server, search, script) {
  const url = server.url + collection + search;
  load(url, 1, script);
  const before = cpuSeconds(server);
  const out = load(url, options.seconds, script);
  const requests = Number(/(\d+) requests in/.exec(out)[1]);
  if (/Non-2xx/.test(out)) throw new Error(`${search}: ${out}`);
  return Math.round(((cpuSeconds(server) - before) / requests) * 1e6);
}

const counts = options.objects.split(',').map(Number);
const columns = [];
for (const count of counts) {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-bench-'));
  const server = await startServer(options.storage === 'memory' ? 'memory' : `lmdb:${join(folder, 'data')}`);
  await fill(server.url, count);
  const script = join(folder, 'differently.lua');
  writeFileSync(script, differently);
  const column = {};
  for (const [name, search] of Object.entries(selectors)) column[name] = `${measure(server, search, script)} µs`;
  for (const name of keptToo) column[`${name}, again`] = `${measure(server, selectors[name])} µs`;
  column['memory at the end'] = `${Math.round(memoryMiB(server))} MiB`;
  columns.push(column);
  await stop(server);
  rmSync(folder, { recursive: true, force: true });
}

const date = new Date().toISOString().slice(0, 10);
console.log(`${date}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, ${options.storage}\n`);
console.log(`| CPU time of a list by | ${counts.map((count) => `${count} objects`).join(' | ')} |`);
console.log(`|---|${counts.map(() => '---').join('|')}|`);
for (const name of Object.keys(columns[0] ?? {})) {
  console.log(`| ${name} | ${columns.map((column) => column[name]).join(' | ')} |`);
}
