/**
 * Measures what admission policies cost a write: creates of the same ConfigMap of 2 KiB, in process and in memory, with no
 * policy, with a hundred policies that are about other kinds, and with one of five expressions that is about it.
 *
 *   node --import tsx bench/policies.mjs [--seconds 6]
 *
 * Rounds of all take turns; the middle one of each counts.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { defineValidatingAdmissionPolicy } from '../plugins/index.ts';
import { namingOf } from '../runtime/objects/naming.ts';
import { attributeReader, createServer, readRuntimeConfig } from '../runtime/server/index.ts';
import { memoryBackend, openStore } from '../runtime/storage/index.ts';
import { builtinKinds } from '../server/builtin-kinds.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '6' } } });
const time = Number(values.seconds) * 1000;
const createsPerRound = 200;

const naming = namingOf('kubernetes');
const { modules, conversions } = builtinKinds(naming);
const config = readRuntimeConfig('api/all=true');
if (!config.ok) throw new Error(config.failure.message);
const policies = '/apis/admissionregistration.k8s.io/v1alpha1/validatingadmissionpolicies';

async function post(server, path, object) {
  const sent = Buffer.from(JSON.stringify(object));
  const answer = await server.handle({
    method: 'POST',
    path,
    search: '',
    headers: { 'content-type': 'application/json' },
    readBody: async () => ({ ok: true, value: sent }),
  });
  if (answer.code !== 201) throw new Error(`refused with ${JSON.stringify(answer)}`);
}

const policy = (name, rule, expressions) => ({
  metadata: { name },
  spec: {
    matchConstraints: { resourceRules: [{ apiVersions: ['v1'], operations: ['*'], ...rule }] },
    validations: expressions.map((expression) => ({ expression })),
  },
});

/** A server with policies, each bound everywhere. */
async function serverWith(all) {
  const store = await openStore({
    backend: memoryBackend(),
    readAttributes: attributeReader(modules, naming, [], conversions),
  });
  const server = createServer({
    modules,
    conversions,
    naming,
    store,
    plugins: [defineValidatingAdmissionPolicy(naming)],
    anonymous: { name: 'bench', uid: '', groups: ['system:masters'], extra: {} },
    featureEnabled: () => true,
    runtimeConfig: config.value,
    productVersion: '0.0.0',
  });
  for (const one of all) {
    await post(server, policies, one);
    const { name } = one.metadata;
    const spec = { policyName: name, validationActions: ['Deny'] };
    await post(server, policies.replace(/ies$/, 'ybindings'), { metadata: { name }, spec });
  }
  return { server, store };
}

const elsewhere = Array.from({ length: 100 }, (_, i) =>
  policy(`other-${i}.example.com`, { apiGroups: ['apps'], resources: ['deployments'] }, ['false']),
);
const here = policy('here.example.com', { apiGroups: [''], resources: ['configmaps'] }, [
  `object.metadata.name.startsWith('object-') && size(object.metadata.name) < 60 && object.kind == 'ConfigMap'`,
  `object.data.all(key, key.startsWith('VARIABLE_') && size(object.data[key]) < 100)`,
  `!has(object.metadata.labels) || !('forbidden' in object.metadata.labels) || object.metadata.labels.forbidden == 'no'`,
  `request.userInfo.username == 'bench' && 'system:masters' in request.userInfo.groups && request.operation == 'CREATE'`,
  `size(object.data) > 10 && size(object.data) < 100 && oldObject == null && has(object.data.VARIABLE_1)`,
]);

const data = Object.fromEntries(Array.from({ length: 58 }, (_, i) => [`VARIABLE_${i}`, `value ${i} of the variable`]));
let made = 0;

/** Microseconds that a create takes, over one round. */
async function round({ server }) {
  const start = performance.now();
  for (let i = 0; i < createsPerRound; i++) {
    await post(server, '/api/v1/namespaces/default/configmaps', { metadata: { name: `object-${made++}` }, data });
  }
  return ((performance.now() - start) / createsPerRound) * 1000;
}

const servers = [await serverWith([]), await serverWith(elsewhere), await serverWith([here])];
const rounds = servers.map(() => []);
for (const one of servers) await round(one);
for (const end = performance.now() + time; rounds[0].length === 0 || performance.now() < end; ) {
  for (const [i, one] of servers.entries()) rounds[i].push(await round(one));
}
const [none, others, one] = rounds.map((all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]);
const times = (µs) => `${µs.toFixed(1)} µs, ${(µs / none).toFixed(2)} times`;
console.log(`ConfigMap of ${JSON.stringify(data).length} bytes, ${rounds[0].length} rounds of ${createsPerRound} each`);
console.log(`no policy ${none.toFixed(1)} µs; 100 about other kinds ${times(others)}; one that is met ${times(one)}`);
for (const { store } of servers) await store.close();
