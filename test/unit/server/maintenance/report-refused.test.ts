/** A server reports objects that it has stored through one version and that its stored version refuses. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createResourceClient, defineResource } from '../../../../client/index.js';
import { findRefused } from '../../../../runtime/server/index.js';
import { startServer } from '../../../../server/index.js';
import { modulesOfTexts } from '../../../../server/load-definitions.js';
import { textsOf } from '../../../../server/maintenance/report-refused.js';
import { eventually } from '../../../support/eventually.js';

interface Gate {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec?: object;
}

const folder = mkdtempSync(join(tmpdir(), 'kindforge-refused-'));
afterAll(() => rmSync(folder, { recursive: true }));

const numbers = { low: { type: 'integer' }, high: { type: 'integer' } };
const rule = { 'x-kubernetes-validations': [{ rule: '!has(self.low) || !has(self.high) || self.low <= self.high' }] };
const version = (name: string, spec: object) => ({
  name,
  storage: name === 'v1',
  served: true,
  schema: {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: numbers, ...spec } } },
  },
});
const spec = {
  group: 'cases.example.com',
  names: { plural: 'gates', kind: 'Gate' },
  scope: 'Namespaced',
  versions: [version('v1', rule), version('v1beta1', {})],
};
const native = {
  apiVersion: 'kindforge.dev/v1',
  kind: 'ResourceDefinition',
  metadata: { name: 'gates.cases.example.com' },
  spec,
};
const custom = { ...native, apiVersion: 'apiextensions.platform.io/v1', kind: 'CustomResourceDefinition' };

const start = async (onProblem: (problem: string) => void, definitions: readonly object[]) =>
  startServer({
    http: false,
    schemas: {
      modules:
        definitions.length === 0
          ? []
          : await modulesOfTexts(definitions.map((each) => ({ path: 'a.json', text: JSON.stringify(each) }))),
    },
    storage: { lmdb: join(folder, `${definitions.length}`) },
    controllers: [],
    onProblem,
  });

const wrong =
  'default/wrong: spec: Invalid value: "object": failed rule: !has(self.low) || !has(self.high) || self.low <= self.high';

it.each([
  ['a folder of definitions', [native]],
  ['a CustomResourceDefinition at run time', []],
])('reports objects of %s soon after the start', { timeout: 20_000 }, async (_name, definitions) => {
  const first = await start(() => {}, definitions);
  const clientOf = (group: string, version: string, plural: string, kind: string) =>
    createResourceClient(
      defineResource<{ apiVersion: string; kind: string; metadata: { name: string } }>()({
        group,
        version,
        plural,
        kind,
        scope: kind === 'Gate' ? 'Namespaced' : 'Cluster',
        subresources: [],
      } as const),
      first.client(),
    );
  if (definitions.length === 0) {
    await clientOf('apiextensions.platform.io', 'v1', 'customresourcedefinitions', custom.kind).create(custom);
    await eventually(() => expect(first.registry.find('cases.example.com', 'v1beta1', 'gates')).toBeDefined());
  }
  for (const [name, low] of [
    ['right', 1],
    ['wrong', 3],
  ] as const) {
    const gate = { apiVersion: 'cases.example.com/v1beta1', kind: 'Gate', metadata: { name }, spec: { low, high: 2 } };
    await clientOf('cases.example.com', 'v1beta1', 'gates', 'Gate').in('default').create(gate);
  }
  await first.stop();
  const problems: string[] = [];
  const second = await start((problem) => void problems.push(problem), definitions);
  await eventually(() => expect(problems).toContainEqual(expect.stringContaining(wrong)));
  expect(problems.join()).not.toContain('default/right');
  const found = findRefused({
    registry: second.registry,
    store: second.store,
    isSearched: ({ module }) => module.names.plural === 'gates',
    signal: new AbortController().signal,
    limitMs: 10_000,
  });
  expect((await found.next()).value).toEqual({
    resource: 'gates.cases.example.com',
    version: 'v1',
    count: 1,
    examples: [wrong],
  });
  expect(await found.next()).toEqual({ done: true, value: true });
  await second.stop();
});

it('reports their number, and names the first', () => {
  const refused = { resource: 'gates.a', version: 'v1', count: 1_200, examples: ['a: b', 'c: d'] };
  expect(textsOf(refused)).toEqual([
    expect.stringMatching(/^1,200 stored objects of gates\.a cannot be written in v1, .*: a: b; c: d; …; /),
  ]);
  const unknown = { count: 1, fields: ['spec.owner'], more: true };
  expect(textsOf({ ...refused, count: 0, unknown })).toEqual([
    expect.stringMatching(
      /^1 stored object of gates\.a has fields that the definition does not have, .*: spec\.owner; …; /,
    ),
  ]);
});

it('names the fields that a former release does not know, until a write drops them', { timeout: 30_000 }, async () => {
  const problems: string[] = [];
  const withSpec = async (
    properties: object,
    use: (server: Awaited<ReturnType<typeof startServer>>) => Promise<void>,
  ) => {
    const [text, more] = [version('v1', {}), { spec: { type: 'object', properties } }];
    const schema = { openAPIV3Schema: { type: 'object', properties: more } };
    const definition = { ...native, spec: { ...spec, versions: [{ ...text, schema }] } };
    const modules = await modulesOfTexts([{ path: 'a.json', text: JSON.stringify(definition) }]);
    const server = await startServer({
      http: false,
      schemas: { modules },
      storage: { lmdb: join(folder, 'fields') },
      controllers: [],
      onProblem: (problem) => void problems.push(problem),
    });
    await use(server).finally(() => server.stop());
  };
  const gates = defineResource<Gate>()({
    group: 'cases.example.com',
    version: 'v1',
    plural: 'gates',
    kind: 'Gate',
    scope: 'Namespaced',
    subresources: [],
  } as const);
  const gate = (name: string, spec: object): Gate => ({
    apiVersion: 'cases.example.com/v1',
    kind: 'Gate',
    metadata: { name },
    spec,
  });
  const text = { type: 'string' };
  const ports = (more: object) => ({
    type: 'array',
    items: { type: 'object', properties: { port: numbers.low, ...more } },
  });
  const notice = expect.stringMatching(
    /^1 stored object of gates\.cases\.example\.com has fields .*: spec\.owner; spec\.ports\[\]\.name; the next write/,
  );
  const later = {
    ...numbers,
    owner: text,
    ports: ports({ name: text }),
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  await withSpec(later, async (server) => {
    const client = createResourceClient(gates, server.client()).in('default');
    const list = [
      { port: 1, name: 'a' },
      { port: 2, name: 'b' },
    ];
    await client.create(gate('new', { owner: 'ann', ports: list, open: { any: 1 } }));
    await client.create(gate('old', { low: 1, ports: [{ port: 1 }], open: { any: 1 } }));
  });
  const former = { ...numbers, ports: ports({}), open: later.open };
  await withSpec(former, async (server) => {
    await eventually(() => expect(problems).toContainEqual(notice));
    const client = createResourceClient(gates, server.client()).in('default');
    expect((await client.get('new')).spec).toHaveProperty('owner', 'ann');
    await client.update({ ...(await client.get('new')), spec: { low: 1 } });
    expect((await client.get('new')).spec).toEqual({ low: 1 });
  });
  problems.length = 0;
  await withSpec(former, async (server) => {
    const found = findRefused({
      registry: server.registry,
      store: server.store,
      isSearched: ({ module }) => module.names.plural === 'gates',
      signal: new AbortController().signal,
      limitMs: 10_000,
    });
    expect(await found.next()).toEqual({ done: true, value: true });
  });
});
