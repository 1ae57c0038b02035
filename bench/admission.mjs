/**
 * Measures what the admission plugins that are on by default cost the create of a pod: the same pod, in process and in memory, on a server
 * without them, on one with them, and on one with them in a namespace that has a quota and a limit range.
 *
 *   node --import tsx bench/admission.mjs [--seconds 8]
 *
 * Rounds of all take turns; the middle one of each counts, and of the ratios of neighbours. Times are CPU times.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { admissionTable } from '../plugins/index.ts';
import { startServer } from '../server/index.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '8' } } });
const time = Number(values.seconds) * 1000;
const createsPerRound = 100;
const namespace = '/api/v1/namespaces/default';

const container = (name) => ({
  name,
  image: `registry.example.com/shop/${name}:1.4`,
  ports: [{ name: 'http', containerPort: 8080 }],
  env: Array.from({ length: 6 }, (_, i) => ({ name: `SETTING_${i}`, value: `value ${i} of the setting` })),
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '500m', memory: '256Mi' } },
  readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
  volumeMounts: [{ name: 'cache', mountPath: '/var/cache' }],
});
const spec = {
  containers: [container('front'), container('metrics')],
  initContainers: [container('prepare')].map(({ readinessProbe: _, ...rest }) => rest),
  volumes: [{ name: 'cache', emptyDir: {} }],
};
const labels = { app: 'shop', tier: 'front' };
const hard = { pods: '100000000', 'requests.cpu': '100000000', 'limits.memory': '1Ei' };

async function send(server, method, path, object) {
  const sent = Buffer.from(JSON.stringify(object));
  const answer = await server.handle({
    method,
    path,
    search: '',
    headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    readBody: async () => ({ ok: true, value: sent }),
  });
  if (answer.code >= 300) throw new Error(`${method} ${path} is refused with ${answer.code} ${String(answer.body)}`);
}

/** A server with these plugins off. */
async function serverWithout(disable) {
  const server = await startServer({
    naming: 'kubernetes',
    storage: 'memory',
    http: { port: 'auto' },
    authentication: { anonymous: 'administrator' },
    controllers: [],
    admission: { disable },
    onProblem: () => {},
  });
  await send(server, 'POST', `${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  return server;
}

async function limit(server) {
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
  const limits = [{ type: 'Container', max: { cpu: '2' }, defaultRequest: { cpu: '50m' } }];
  await send(server, 'POST', `${namespace}/limitranges`, { metadata: { name: 'bounds' }, spec: { limits } });
  await send(server, 'POST', `${namespace}/resourcequotas`, { metadata: { name: 'all' }, spec: { hard } });
  await send(server, 'PATCH', `${namespace}/resourcequotas/all/status`, { status: { hard, used } });
  return server;
}

let made = 0;

/** Microseconds of CPU time that a create takes, over one round: what others do on the machine counts less than in time. */
async function round(server) {
  const start = process.cpuUsage();
  for (let i = 0; i < createsPerRound; i++) {
    await send(server, 'POST', `${namespace}/pods`, { metadata: { name: `pod-${made++}`, labels }, spec });
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / createsPerRound;
}

const byDefault = admissionTable.filter((row) => row.byDefault === 'on').map(({ name }) => name);
const servers = [await serverWithout(byDefault), await serverWithout([]), await limit(await serverWithout([]))];
const rounds = servers.map(() => []);
for (const one of servers) await round(one);
for (const end = performance.now() + time; rounds[0].length === 0 || performance.now() < end; ) {
  for (const [i, one] of servers.entries()) rounds[i].push(await round(one));
}
const middle = (those) => those.toSorted((a, b) => a - b)[Math.floor(those.length / 2)];
const [none] = rounds;
/** The machine's speed varies: a round is compared with the one of the first server just before it. */
const told = (those) =>
  `${middle(those).toFixed(0)} µs, ${middle(those.map((µs, i) => µs / none[i])).toFixed(2)} times`;
console.log(`pod of ${JSON.stringify(spec).length} bytes, ${none.length} rounds of ${createsPerRound} each`);
console.log(`without the ${byDefault.length} plugins ${middle(none).toFixed(0)} µs; with them ${told(rounds[1])}`);
console.log(`with them, a quota and a limit range ${told(rounds[2])}`);
for (const server of servers) await server.stop();
