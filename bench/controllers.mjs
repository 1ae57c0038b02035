/**
 * Measures what controllers cost: CPU time at rest with and without them, and how long ten thousand dependents of one object
 * take to go.
 *
 *   node bench/controllers.mjs [--objects 10000] [--seconds 60] [--storage memory] [--command dist/bin/kindforge.cjs]
 *
 * Needs a build (`npm run build`), and `/proc` for CPU time.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { builtCommand, cpuSeconds, startProgram, stop } from './running.mjs';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '60' },
    storage: { type: 'string', default: 'memory' },
    command: { type: 'string', default: builtCommand },
  },
});
const objects = Number(values.objects);
const seconds = Number(values.seconds);

const start = (controllers) =>
  startProgram(values.command, [
    'serve',
    '--allow-everyone',
    ...['--http-port', 'auto', '--secure-port', '0', '--storage', values.storage, '--controllers', controllers],
  ]);

const mapsOf = ({ url }) => `${url}/api/v1/namespaces/default/configmaps`;

async function create(server, metadata) {
  const body = JSON.stringify({ metadata, data: { filling: 'x'.repeat(1500) } });
  const answer = await fetch(mapsOf(server), { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (answer.status !== 201) throw new Error(await answer.text());
  return answer.json();
}

/** One object that owns all others. */
async function fill(server) {
  const { metadata } = await create(server, { name: 'owner' });
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }];
  let next = 0;
  const write = async () => {
    while (next < objects) await create(server, { name: `dependent-${next++}`, ownerReferences });
  };
  await Promise.all(Array.from({ length: 16 }, write));
}

/** CPU time at rest, as a share of one core, in percent. */
async function atRest(server) {
  await sleep(5000);
  const before = cpuSeconds(server);
  await sleep(seconds * 1000);
  return ((cpuSeconds(server) - before) / seconds) * 100;
}

/** Whether none of the dependents is there. */
async function isEmpty(server) {
  const { items } = await (await fetch(`${mapsOf(server)}?limit=1`)).json();
  return !items.some(({ metadata }) => metadata.name.startsWith('dependent-'));
}

async function collect(server) {
  const before = cpuSeconds(server);
  const begun = performance.now();
  await fetch(`${mapsOf(server)}/owner`, { method: 'DELETE' });
  while (!(await isEmpty(server))) await sleep(20);
  return { elapsed: (performance.now() - begun) / 1000, cpu: cpuSeconds(server) - before };
}

for (const controllers of ['none', '*']) {
  const server = await start(controllers);
  await fill(server);
  const share = await atRest(server);
  console.log(`--controllers ${controllers}: ${share.toFixed(2)} % of a core at rest, with ${objects} objects`);
  if (controllers === '*') {
    const { elapsed, cpu } = await collect(server);
    console.log(`${objects} dependents of one object gone in ${elapsed.toFixed(1)} s, CPU time ${cpu.toFixed(1)} s`);
  }
  await stop(server);
}
