/** The scenario of applies: the cost of one apply, and the share of each stage. */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { cpuOf, cpuOfSync } from './figures.mjs';
import { send, startInProcess } from './requests.mjs';

export const apply = {
  name: 'apply',
  about: 'applies of wide objects in process, with one changed value each, and the share of each stage',
  options: { applies: 50 },
  rounds: 10,
  columns: () => [{ name: 'server', open: openBoards }],
};

const text = { type: 'string' };
const fields = Array.from({ length: 200 }, (_, i) => `field${i}`);
const item = { type: 'object', required: ['name'], properties: { name: text, value: text, port: { type: 'integer' } } };
const keyedList = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
const spec = {
  type: 'object',
  properties: {
    ...Object.fromEntries(fields.map((name) => [name, text])),
    items: { type: 'array', ...keyedList, items: item },
  },
};

/** Returns a definition of a custom resource with one version, in the group `example.com`. */
export const definitionOf = (plural, kind, ofSpec) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: ofSpec } } },
      },
    ],
  },
});

/** The configurations; `turn` makes the change. */
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

async function openBoards(bench) {
  writeFileSync(join(bench.folder, 'boards.yaml'), JSON.stringify(definitionOf('boards', 'Board', spec)));
  const history = { historyMaxBytes: 4 * 1024 * 1024 };
  const server = await startInProcess(bench, { schemas: bench.folder, history });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 100 });
  const rows = Object.entries(configurations).map(([name, configuration]) => {
    const { applies } = bench.options;
    const object = { apiVersion: 'example.com/v1', kind: 'Board', metadata: { name: 'one' } };
    const bodies = Array.from({ length: applies }, (_, i) => JSON.stringify({ ...object, spec: configuration(i) }));
    const round = () =>
      cpuOf(applies, (i) => send(server, 'APPLY', '/apis/example.com/v1/namespaces/default/boards/one', bodies[i]));
    const measure = async () => {
      const figures = await round();
      await session.post('Profiler.start');
      await round();
      const { profile } = await session.post('Profiler.stop');
      const { 'µs of CPU': ofJson } = cpuOfSync(applies, (i) => JSON.stringify(JSON.parse(bodies[i])));
      return { ...figures, 'µs of CPU, JSON.parse and JSON.stringify': ofJson, ...sharesOf(profile) };
    };
    return [name, measure];
  });
  return { rows: Object.fromEntries(rows), close: () => server.stop() };
}

/** The functions of each stage of an apply. */
const stages = {
  readConfiguration: 'reading the configuration',
  readAs: 'reading the stored object',
  draftOf: 'copying it',
  managersBefore: 'reading who owns what',
  applyInSteps: 'merging, and working out who owns what',
  encodeManagersInSteps: 'writing who owns what',
  toObject: 'types, unknown fields, defaults',
  validateUpdate: 'validation',
  encodeForStore: 'encoding',
  commit: 'the store',
  '(garbage collector)': 'garbage collection',
};

/** Returns the percentages of a profile by stage. A sample belongs to its innermost stage. */
function sharesOf({ nodes, samples, timeDeltas }) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const shares = Object.fromEntries([...Object.values(stages), 'the rest'].map((stage) => [`%, ${stage}`, 0]));
  let total = 0;
  for (const [index, sample] of samples.entries()) {
    if (names.get(sample) === '(idle)') continue;
    let id = sample;
    while (id !== undefined && !Object.hasOwn(stages, names.get(id) ?? '')) id = parents.get(id);
    shares[`%, ${id === undefined ? 'the rest' : stages[names.get(id)]}`] += timeDeltas[index];
    total += timeDeltas[index];
  }
  return Object.fromEntries(Object.entries(shares).map(([stage, micros]) => [stage, (micros / total) * 100]));
}
