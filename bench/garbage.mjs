/**
 * Measures what the garbage collector costs each write: creates of the same config map, in process and in memory, on a
 * server with the garbage collector and on one without controllers.
 *
 *   node --import tsx bench/garbage.mjs [--seconds 8] [--bytes 2048]
 *
 * Rounds of both take turns; the middle one of each counts. Times are CPU times.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startServer } from '../server/index.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, bytes: { type: 'string', default: '2048' } },
});
const [time, bytes] = [Number(values.seconds) * 1000, Number(values.bytes)];
const createsPerRound = 500;
const path = '/api/v1/namespaces/default/configmaps';

const serverWith = (controllers) =>
  startServer({
    storage: 'memory',
    http: { port: 'auto' },
    authentication: { anonymous: 'administrator' },
    controllers,
    onProblem: () => {},
  });

let made = 0;

async function create(server) {
  const object = {
    metadata: { name: `object-${made++}`, labels: { app: 'bench' } },
    data: { text: 'x'.repeat(bytes) },
  };
  const sent = Buffer.from(JSON.stringify(object));
  const headers = { 'content-type': 'application/json' };
  const readBody = async () => ({ ok: true, value: sent });
  const answer = await server.handle({ method: 'POST', path, search: '', headers, readBody });
  if (answer.code !== 201) throw new Error(`a create is refused with ${answer.code} ${String(answer.body)}`);
}

/** Microseconds of CPU time that a create takes, over one round: what others do on the machine counts less than in time. */
async function round(server) {
  const start = process.cpuUsage();
  for (let i = 0; i < createsPerRound; i++) await create(server);
  // Who watches has had the last one, too.
  await sleep(5);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / createsPerRound;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const servers = [await serverWith([]), await serverWith(['garbagecollector'])];
// The first looks at all kinds are over by then.
await sleep(2000);
const rounds = [[], []];
for (const server of servers) for (let i = 0; i < 4; i++) await round(server);
for (const end = performance.now() + time; performance.now() < end; ) {
  for (const [i, server] of servers.entries()) rounds[i].push(await round(server));
}
const [without, beside] = rounds.map(median);
console.log(
  `create: ${without.toFixed(1)} µs of CPU time without the garbage collector, ${beside.toFixed(1)} µs with it, ` +
    `${(beside - without).toFixed(1)} µs more (${rounds[0].length} rounds of ${createsPerRound})`,
);
await Promise.all(servers.map((server) => server.stop()));
