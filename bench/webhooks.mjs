/**
 * Measures what an admission webhook costs a write: creates of the same ConfigMap of 2 KiB, one after the other, in process and in memory,
 * without webhooks, with one whose rules do not match, and with one on loopback, over HTTP/1.1 and HTTP/2.
 *
 *   node --import tsx bench/webhooks.mjs [--seconds 8]
 *
 * The webhook lets everything pass. It is in the same process, so that its own CPU time is part of what it adds: where nothing else has
 * the processor, that is the time that a create takes longer. Rounds of all take turns; the middle one counts, and the middle time.
 */
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { startServer } from '../server/index.ts';
import { makeServerCertificate } from '../test/support/certificates.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '8' } } });
const createsPerRound = 50;
const configMaps = '/api/v1/namespaces/default/configmaps';
const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

/** A webhook that speaks this version of HTTP. */
async function startWebhook(version) {
  const certificate = await makeServerCertificate();
  const answer = async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { apiVersion, kind, request: asked } = JSON.parse(Buffer.concat(chunks).toString());
    response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked.uid, allowed: true } }));
  };
  const server = version === '2' ? createSecureServer(certificate, answer) : createServer(certificate, answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: server.address().port, ca: certificate.cert };
}

async function send(server, path, object) {
  const sent = Buffer.from(JSON.stringify(object));
  const headers = { 'content-type': 'application/json' };
  const readBody = async () => ({ ok: true, value: sent });
  const answer = await server.handle({ method: 'POST', path, search: '', headers, readBody });
  if (answer.code >= 300) throw new Error(`${path} is refused with ${answer.code} ${String(answer.body)}`);
}

/** A server, with a webhook about a resource where one is given. */
async function serverWith(webhook, resource) {
  const server = await startServer({
    naming: 'kubernetes',
    storage: 'memory',
    http: { port: 'auto' },
    authentication: { anonymous: 'administrator' },
    controllers: [],
  });
  if (webhook) {
    const one = {
      name: 'bench.hooks.example.com',
      clientConfig: {
        url: `https://127.0.0.1:${webhook.port}/`,
        caBundle: Buffer.from(webhook.ca).toString('base64'),
      },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: [resource] }],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    };
    await send(server, configurations, { metadata: { name: 'bench' }, webhooks: [one] });
  }
  return server;
}

const time = Number(values.seconds) * 1000;
const first = await startWebhook('1.1');
const second = await startWebhook('2');
const servers = [
  { title: 'without webhooks', server: await serverWith(undefined, '') },
  { title: 'with one whose rules do not match', server: await serverWith(first, 'secrets') },
  { title: 'with one over HTTP/1.1', server: await serverWith(first, 'configmaps') },
  { title: 'with one over HTTP/2', server: await serverWith(second, 'configmaps') },
].map((one) => ({ ...one, times: [], rounds: [] }));
const data = { value: 'x'.repeat(2000) };
let made = 0;
const round = async ({ server, times, rounds }) => {
  const start = process.cpuUsage();
  for (let i = 0; i < createsPerRound; i++) {
    const began = performance.now();
    await send(server, configMaps, { metadata: { name: `map-${made++}` }, data });
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(start);
  rounds.push((user + system) / createsPerRound);
};
for (let warm = 0; warm < 10; warm++) for (const one of servers) await round(one);
for (const one of servers) one.times.length = one.rounds.length = 0;
const end = performance.now() + time;
do for (const one of servers) await round(one);
while (performance.now() < end);
const middle = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
for (const { title, times, rounds } of servers) {
  const told = `${middle(rounds).toFixed(0)} µs of CPU time, ${middle(times).toFixed(2)} ms`;
  console.log(`${title}: ${told}, ${rounds.length} rounds of ${createsPerRound}`);
}
for (const { server } of servers) await server.stop();
process.exit();
