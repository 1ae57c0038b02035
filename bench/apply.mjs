/**
 * Measures what one apply costs the server, in process and in memory, and where the time goes: of an object with 200
 * fields, and of one of 64 KiB with a list of items that have owners of their own. Each apply changes one value, and takes
 * back nothing.
 *
 *   node --import tsx bench/apply.mjs [--seconds 4]
 *
 * Times are CPU time of the whole process, garbage collection included.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { namingOf } from '../runtime/objects/naming.ts';
import { attributeReader, createServer } from '../runtime/server/index.ts';
import { memoryBackend, openStore } from '../runtime/storage/index.ts';
import { builtinKinds } from '../server/builtin-kinds.ts';
import { withDefinitions } from '../server/load-definitions.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '4' } } });
const time = Number(values.seconds) * 1000;
const appliesPerRound = 50;

const text = { type: 'string' };
const fields = Array.from({ length: 200 }, (_, i) => `field${i}`);
const item = { type: 'object', required: ['name'], properties: { name: text, value: text, port: { type: 'integer' } } };
const spec = {
  type: 'object',
  properties: {
    ...Object.fromEntries(fields.map((name) => [name, text])),
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: item,
    },
  },
};
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boards.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'boards', singular: 'board', kind: 'Board', listKind: 'BoardList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      },
    ],
  },
};

/** The configurations; `turn` is what changes. */
const configurations = {
  'with 200 fields': (turn) => Object.fromEntries(fields.map((name, i) => [name, `value ${i === 7 ? turn : i}`])),
  'of 64 KiB': (turn) => ({
    items: Array.from({ length: 512 }, (_, i) => ({
      name: `item-${i}`,
      value: `the value ${i === 7 ? turn : i}`.padEnd(80, '.'),
      port: i,
    })),
  }),
};

const folder = mkdtempSync(join(tmpdir(), 'kindforge-bench-'));
writeFileSync(join(folder, 'boards.yaml'), JSON.stringify(definition));
const naming = namingOf('platform');
const { modules, conversions } = await withDefinitions(builtinKinds(naming), folder);
rmSync(folder, { recursive: true });
const store = await openStore({
  backend: memoryBackend(),
  readAttributes: attributeReader(modules, naming, [], conversions),
  historyMaxBytes: 4 * 1024 * 1024,
});
const server = createServer({
  modules,
  naming,
  store,
  conversions,
  anonymous: { name: 'bench', uid: '', groups: ['system:masters'], extra: {} },
  productVersion: '0.0.0',
});

async function apply(body) {
  const answer = await server.handle({
    method: 'PATCH',
    path: '/apis/example.com/v1/namespaces/default/boards/one',
    search: 'fieldManager=bench',
    headers: { 'content-type': 'application/apply-patch+yaml' },
    readBody: async () => ({ ok: true, value: body }),
  });
  if (answer.code > 201) throw new Error(`refused with ${answer.code}: ${answer.body}`);
  return answer.body.length;
}

/** The bodies of a round; the first one differs from the last one, too. */
function bodiesOf(configuration) {
  const object = { apiVersion: 'example.com/v1', kind: 'Board', metadata: { name: 'one' } };
  const turns = Array.from({ length: appliesPerRound }, (_, turn) => configuration(turn));
  return turns.map((spec) => Buffer.from(JSON.stringify({ ...object, spec })));
}

/** Microseconds of CPU that an apply takes, over one round. */
async function round(bodies) {
  const start = process.cpuUsage();
  for (const body of bodies) await apply(body);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / appliesPerRound;
}

/** The stages of an apply, by the function that each is the work of. */
const stages = {
  readConfiguration: 'reading the configuration',
  readAs: 'reading the stored object',
  draftOf: 'copying it',
  managersBefore: 'reading who owns what',
  applyConfiguration: 'merging, and working out who owns what',
  toObject: 'types, unknown fields, defaults',
  keepTimesOfNoOp: 'whether anything has changed',
  validateUpdate: 'validation',
  encodeForStore: 'encoding',
  commit: 'the store',
  '(garbage collector)': 'garbage collection',
};

/** Shares of a profile by stage: a sample belongs to the innermost stage that it was taken in. */
function sharesOf({ nodes, samples, timeDeltas }) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const shares = new Map();
  let total = 0;
  for (const [index, sample] of samples.entries()) {
    let id = sample;
    while (id !== undefined && !Object.hasOwn(stages, names.get(id) ?? '')) id = parents.get(id);
    if (names.get(sample) === '(idle)') continue;
    const stage = id === undefined ? 'the rest' : stages[names.get(id)];
    shares.set(stage, (shares.get(stage) ?? 0) + timeDeltas[index]);
    total += timeDeltas[index];
  }
  return [...shares].sort(([, a], [, b]) => b - a).map(([stage, micros]) => [stage, micros / total]);
}

const middle = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 100 });
for (const [name, configuration] of Object.entries(configurations)) {
  const rounds = [];
  const bodies = bodiesOf(configuration);
  for (const end = performance.now() + time / 6; performance.now() < end; ) await round(bodies);
  for (const end = performance.now() + time / 6; rounds.length === 0 || performance.now() < end; ) {
    rounds.push(await round(bodies));
  }
  await session.post('Profiler.start');
  for (const end = performance.now() + time / 6; performance.now() < end; ) await round(bodies);
  const { profile } = await session.post('Profiler.stop');
  const texts = bodies.map(String);
  const start = process.cpuUsage();
  for (const body of texts) JSON.stringify(JSON.parse(body));
  const { user, system } = process.cpuUsage(start);
  console.log(`apply of an object ${name}: ${middle(rounds).toFixed(0)} µs`);
  console.log(
    `  JSON.parse and JSON.stringify of the configuration: ${((user + system) / texts.length).toFixed(0)} µs`,
  );
  for (const [stage, share] of sharesOf(profile)) console.log(`  ${(share * 100).toFixed(0).padStart(3)} %  ${stage}`);
}
await store.close();
