/** A server reports what it has stored through one version and what its stored version refuses. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { createResourceClient, defineResource } from '../../../../client/index.js';
import { findRefused } from '../../../../runtime/server/index.js';
import { startServer } from '../../../../server/index.js';
import { modulesOfTexts } from '../../../../server/load-definitions.js';
import { refusedText } from '../../../../server/maintenance/report-refused.js';

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
    await vi.waitFor(() => expect(first.registry.find('cases.example.com', 'v1beta1', 'gates')).toBeDefined());
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
  await vi.waitFor(() => expect(problems).toContainEqual(expect.stringContaining(wrong)), { timeout: 10_000 });
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

it('says how many there are, and names the first', () => {
  const refused = { resource: 'gates.a', version: 'v1', count: 1_200, examples: ['a: b', 'c: d'] };
  expect(refusedText(refused)).toMatch(
    /^1,200 stored objects of gates\.a cannot be written in v1, .*: a: b; c: d; …; /,
  );
});
