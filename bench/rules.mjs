/**
 * Measures what rules cost a write: creates of the same object of 2 KiB, by a definition without rules and by one with
 * five rules of about 20 nodes each, in process and in memory.
 *
 *   node --import tsx bench/rules.mjs [--seconds 4]
 *
 * Rounds of both take turns; the middle one of each counts.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
const createsPerRound = 200;

const text = { type: 'string', maxLength: 200 };
const count = { type: 'integer', minimum: 0 };
const port = { type: 'object', properties: { name: text, port: count, protocol: text } };
const spec = {
  type: 'object',
  properties: {
    replicas: count,
    minReplicas: count,
    maxReplicas: count,
    image: text,
    ports: { type: 'array', maxItems: 20, items: port },
    env: { type: 'array', maxItems: 100, items: { type: 'object', properties: { name: text, value: text } } },
    strategy: { type: 'object', properties: { type: text, maxSurge: count } },
  },
};
const rules = [
  'self.replicas >= self.minReplicas && self.replicas <= self.maxReplicas && self.minReplicas <= self.maxReplicas',
  `has(self.strategy) && self.strategy.type == 'Rolling' ? self.strategy.maxSurge > 0 && self.strategy.maxSurge <= 5 : true`,
  'self.ports.all(p, p.port > 0 && p.port < 65536 && p.name.size() < 64)',
  `self.ports.exists(p, p.name == 'http' && p.protocol in ['TCP', 'UDP']) && self.ports.size() < 10`,
  `self.image.startsWith('registry.') && !self.image.endsWith(':latest') && self.image.size() < 100 && self.replicas > 0`,
];

const definition = (plural, kind, validations) => ({
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
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { ...spec, ...(validations ? { 'x-kubernetes-validations': validations } : {}) } },
          },
        },
      },
    ],
  },
});

const body = (kind, name) =>
  JSON.stringify({
    apiVersion: 'example.com/v1',
    kind,
    metadata: { name },
    spec: {
      replicas: 3,
      minReplicas: 1,
      maxReplicas: 9,
      image: 'registry.example.com/shop/web:1.2.3',
      ports: ['http', 'metrics', 'admin'].map((port, i) => ({ name: port, port: 8080 + i, protocol: 'TCP' })),
      env: Array.from({ length: 28 }, (_, i) => ({ name: `VARIABLE_${i}`, value: `value ${i} of the variable` })),
      strategy: { type: 'Rolling', maxSurge: 1 },
    },
  });

const folder = mkdtempSync(join(tmpdir(), 'kindforge-bench-'));
writeFileSync(join(folder, 'plain.yaml'), JSON.stringify(definition('plains', 'Plain')));
const ruled = definition(
  'ruleds',
  'Ruled',
  rules.map((rule) => ({ rule })),
);
writeFileSync(join(folder, 'ruled.yaml'), JSON.stringify(ruled));
const naming = namingOf('platform');
const { modules, conversions } = await withDefinitions(builtinKinds(naming), folder);
rmSync(folder, { recursive: true });
const readAttributes = attributeReader(modules, naming, [], conversions);
const store = await openStore({ backend: memoryBackend(), readAttributes });
const server = createServer({
  modules,
  naming,
  store,
  conversions,
  anonymous: { name: 'bench', uid: '', groups: ['system:masters'], extra: {} },
  productVersion: '0.0.0',
});

/** Microseconds that a create takes, over one round. */
let made = 0;
async function round(plural, kind) {
  const start = performance.now();
  for (let i = 0; i < createsPerRound; i++) {
    const sent = Buffer.from(body(kind, `object-${made++}`));
    const answer = await server.handle({
      method: 'POST',
      path: `/apis/example.com/v1/namespaces/default/${plural}`,
      search: '',
      headers: { 'content-type': 'application/json' },
      readBody: async () => ({ ok: true, value: sent }),
    });
    if (answer.code !== 201) throw new Error(`refused with ${JSON.stringify(answer)}`);
  }
  return ((performance.now() - start) / createsPerRound) * 1000;
}

const middle = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
const [plain, withRules] = [[], []];
await round('plains', 'Plain');
await round('ruleds', 'Ruled');
for (const end = performance.now() + time; plain.length === 0 || performance.now() < end; ) {
  plain.push(await round('plains', 'Plain'));
  withRules.push(await round('ruleds', 'Ruled'));
}
const [before, after] = [middle(plain), middle(withRules)];
console.log(`object of ${body('Plain', 'object-0').length} bytes, ${plain.length} rounds of ${createsPerRound} each`);
console.log(
  `without rules ${before.toFixed(1)} µs, with five rules ${after.toFixed(1)} µs: ${(after / before).toFixed(2)} times`,
);
await store.close();
