/**
 * Objects that name an object in deletion are deleted, or lose the field. Objects that broke a relation earlier are
 * reported.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type ApiObjectLike, createResourceClient, defineResource, isNotFound } from '../../../../client/index.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { startServer } from '../../../../server/index.js';
import { eventually } from '../../../support/eventually.js';
import { modulesOfDefinitions, relatedDefinition, relatedGroup } from '../../../support/related-kinds.js';

const folder = mkdtempSync(join(tmpdir(), 'kindforge-related-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Named extends ApiObjectLike {
  spec?: { project?: string; space?: string; host?: string };
  status?: { conditions?: readonly object[] };
}

const start = (definitions: readonly JsonObject[], lmdb: string, onProblem: (problem: string) => void = () => {}) =>
  startServer({
    http: false,
    schemas: { modules: modulesOfDefinitions(...definitions) },
    storage: { lmdb: join(folder, lmdb) },
    controllers: ['namespace'],
    onProblem,
  });

type Started = Awaited<ReturnType<typeof start>>;

const clientOf = (server: Started, kind: string, namespace = 'default') => {
  const plural = `${kind.toLowerCase()}s`;
  const common = { group: relatedGroup, version: 'v1', plural, kind, subresources: [] };
  const resource = defineResource<Named>()({ ...common, scope: 'Namespaced' } as const);
  return createResourceClient<Named, unknown, never>(resource, server.client()).in(namespace);
};

const names = (onDelete: string, more: JsonObject = {}): JsonObject => ({
  references: [{ field: 'spec.project', kind: 'Project', onDelete, ...more }],
});

const isGone = async (reading: Promise<unknown>): Promise<boolean> => {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error !== undefined && isNotFound(error);
};

it('deletes or clears objects that name an object before this is removed, in all namespaces', {
  timeout: 20_000,
}, async () => {
  const server = await start(
    [
      relatedDefinition('Project', []),
      relatedDefinition('Step', ['project'], names('cascade')),
      relatedDefinition('Note', ['project', 'space'], names('clear', { namespaceField: 'spec.space' })),
    ],
    'delete',
  );
  const [projects, steps, notes] = [
    clientOf(server, 'Project'),
    clientOf(server, 'Step'),
    clientOf(server, 'Note', 'platform-system'),
  ];
  await projects.create({ metadata: { name: 'p' } });
  await steps.create({ metadata: { name: 'quick' }, spec: { project: 'p' } });
  await steps.create({ metadata: { name: 'slow', finalizers: ['example.com/wait'] }, spec: { project: 'p' } });
  await notes.create({ metadata: { name: 'n' }, spec: { project: 'p', space: 'default' } });
  const deleted = await projects.delete('p');
  expect(deleted).toMatchObject({ metadata: { finalizers: ['kindforge.dev/relations'] } });
  await eventually(async () => {
    expect(await isGone(steps.get('quick'))).toBe(true);
    expect((await notes.get('n')).spec).toEqual({ space: 'default' });
    expect((await steps.get('slow')).metadata.deletionTimestamp).toBeDefined();
  });
  expect(await isGone(projects.get('p'))).toBe(false);
  await steps.patch('slow', { metadata: { finalizers: null } });
  await eventually(async () => expect(await isGone(projects.get('p'))).toBe(true));
  await server.stop();
});

it('deletes a namespace with objects that must be deleted in order', { timeout: 20_000 }, async () => {
  const server = await start(
    [relatedDefinition('Project', []), relatedDefinition('Step', ['project'], names('refuse'))],
    'space',
  );
  const resource = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', scope: 'Cluster' } as const;
  const namespaces = createResourceClient<ApiObjectLike, unknown, never>(
    defineResource<ApiObjectLike>()({ ...resource, subresources: [] } as const),
    server.client(),
  );
  await namespaces.create({ metadata: { name: 'space' } });
  await clientOf(server, 'Project', 'space').create({ metadata: { name: 'p' } });
  await clientOf(server, 'Step', 'space').create({ metadata: { name: 's' }, spec: { project: 'p' } });
  await expect(clientOf(server, 'Project', 'space').delete('p')).rejects.toThrow('refers to it by spec.project');
  await namespaces.delete('space');
  await eventually(async () => expect(await isGone(namespaces.get('space'))).toBe(true));
  await server.stop();
});

it('reports objects from before a relation, until they are corrected', { timeout: 30_000 }, async () => {
  const before = await start(
    [relatedDefinition('Project', []), relatedDefinition('Step', ['project', 'host'])],
    'report',
  );
  for (const name of ['a', 'b']) await clientOf(before, 'Step').create({ metadata: { name }, spec: { host: 'h' } });
  await clientOf(before, 'Step').create({ metadata: { name: 'c' }, spec: { project: 'gone' } });
  await before.stop();
  const problems: string[] = [];
  const related = relatedDefinition('Step', ['project', 'host'], {
    ...names('refuse'),
    unique: [{ fields: ['spec.host'] }],
  });
  const after = await start([relatedDefinition('Project', []), related], 'report', (problem) => problems.push(problem));
  const text =
    '2 stored objects break the relations of steps.shop.example.com: ' +
    'default/b: spec.host: default/a has the same value; default/c: spec.project: there is no Project "gone"; ' +
    'writes that keep these values pass';
  await eventually(() => expect(problems).toEqual([text]));
  const services = createResourceClient<Named, unknown, never>(
    defineResource<Named>()({
      group: 'apiregistration.platform.io',
      version: 'v1',
      plural: 'apiservices',
      kind: 'APIService',
      scope: 'Cluster',
      subresources: [],
    } as const),
    after.client(),
  );
  const conditions = async () => (await services.get('v1.shop.example.com')).status?.conditions;
  const broken = { type: 'RelationsHold', status: 'False', reason: 'Broken', message: text };
  await eventually(async () => expect(await conditions()).toContainEqual(expect.objectContaining(broken)));
  const steps = clientOf(after, 'Step');
  await steps.patch('b', { metadata: { labels: { kept: 'yes' } } });
  await expect(steps.create({ metadata: { name: 'd' }, spec: { host: 'h' } })).rejects.toThrow('Duplicate value: "h"');
  await steps.patch('b', { spec: { host: 'other' } });
  await steps.patch('c', { spec: { project: null } });
  const held = { type: 'RelationsHold', status: 'True', reason: 'AllHold' };
  await eventually(async () => expect(await conditions()).toContainEqual(expect.objectContaining(held)));
  await after.stop();
});

it('keeps a built-in object that others name', async () => {
  const to = { references: [{ field: 'spec.project', kind: 'ConfigMap', group: '' }] };
  const server = await start([relatedDefinition('Step', ['project'], to)], 'built-in');
  const resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', scope: 'Namespaced' } as const;
  const configMaps = createResourceClient<ApiObjectLike, unknown, never>(
    defineResource<ApiObjectLike>()({ ...resource, subresources: [] } as const),
    server.client(),
  ).in('default');
  const steps = clientOf(server, 'Step');
  await expect(steps.create({ metadata: { name: 's' }, spec: { project: 'c' } })).rejects.toThrow('Not found: "c"');
  await configMaps.create({ metadata: { name: 'c' } });
  await steps.create({ metadata: { name: 's' }, spec: { project: 'c' } });
  await expect(configMaps.delete('c')).rejects.toThrow('refers to it by spec.project');
  await steps.delete('s');
  await configMaps.delete('c');
  expect(await isGone(configMaps.get('c'))).toBe(true);
  await server.stop();
});

it('reports at the start that a reference names a kind that the server does not have', async () => {
  const problems: string[] = [];
  const definition = relatedDefinition('Step', ['project'], names('refuse', { group: 'other.example.com' }));
  const server = await start([definition], 'dangling', (problem) => problems.push(problem));
  expect(problems).toContain(
    'steps.shop.example.com: spec.project: Project.other.example.com is not a kind of this server, so the server refuses every object that names one',
  );
  await server.stop();
});
