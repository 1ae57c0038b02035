/** Names in objects lead to the objects, and types distinguish the names of several kinds. */
import { expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../../client/descriptor.js';
import { createClientFrom, type MergePatch, type Reference, type TransportRequest } from '../../../../client/index.js';
import { followNames } from '../../../../client/resource/follow-names.js';
import type { ApiObjectLike } from '../../../../client/types.js';

const kind = { group: 'example.com', version: 'v1', plural: 'projects', kind: 'Project' } as const;
const namespaced = { ...kind, scope: 'Namespaced' } as const;

const clientFor = (target: ResourceDescriptor<ApiObjectLike>, namespace: string | undefined) => ({
  get: async (name: string) => ({
    apiVersion: 'example.com/v1',
    kind: target.kind,
    metadata: { name: `${target.plural}/${namespace ?? '-'}/${name}` },
  }),
});

const object = {
  apiVersion: 'example.com/v1',
  kind: 'Environment',
  metadata: { name: 'e', namespace: 'own' },
  spec: {
    project: 'p',
    other: 'q',
    space: 'far',
    nothing: '',
    members: [{ user: 'a', space: 'x' }, { user: 'b' }, { space: 'z' }],
    'odd.key': 'odd',
  },
};

it.each<[string, object, unknown]>([
  ['a name in the same namespace', { ...namespaced, field: 'spec.project' }, 'projects/own/p'],
  [
    'a name in the namespace of a field',
    { ...namespaced, field: 'spec.other', namespaceField: 'spec.space' },
    'projects/far/q',
  ],
  [
    'a name with an empty namespace',
    { ...namespaced, field: 'spec.other', namespaceField: 'spec.nothing' },
    'projects/own/q',
  ],
  ['a name of an object of the cluster', { ...kind, scope: 'Cluster', field: 'spec.project' }, 'projects/-/p'],
  ['an empty name', { ...namespaced, field: 'spec.nothing' }, undefined],
  ['an absent name', { ...namespaced, field: 'status.project' }, undefined],
  ['a name under a key with a dot', { ...namespaced, field: 'spec["odd.key"]' }, 'projects/own/odd'],
  [
    'the names of a list',
    { ...namespaced, field: 'spec.members[].user', namespaceField: 'spec.members[].space' },
    ['projects/x/a', 'projects/own/b'],
  ],
])('follows %s', async (_title, field, wanted) => {
  const found = await followNames(object, { it: field as never }, clientFor).it?.();
  const nameOf = (one: unknown) => (one as ApiObjectLike | undefined)?.metadata.name;
  expect(Array.isArray(found) ? found.map(nameOf) : nameOf(found)).toEqual(wanted);
});

interface Project extends ApiObjectLike {
  kind: 'Project';
}
interface Environment extends ApiObjectLike {
  spec: { project: Reference<'Project'>; tenant?: Reference<'Tenant'> };
}

it('is part of a typed client if its kind refers to others', async () => {
  const environments: ResourceDescriptor<
    Environment,
    unknown,
    'Namespaced',
    never,
    unknown,
    'get',
    { project: Project }
  > = {
    ...namespaced,
    plural: 'environments',
    kind: 'Environment',
    subresources: [],
    allows: ['get'],
    follows: { project: { ...namespaced, field: 'spec.project' } },
  };
  const projects: ResourceDescriptor<Project, unknown, 'Namespaced', never> = { ...namespaced, subresources: [] };
  const asked: string[] = [];
  const send = async ({ path }: TransportRequest) => {
    asked.push(path);
    const body = new TextEncoder().encode(JSON.stringify({ kind: 'Project', metadata: { name: 'p' } }));
    return { status: 200, headers: {}, body: new Blob([body]).stream() };
  };
  const tree = { example: { v1: { environments, projects } } } as const;
  const api = createClientFrom(tree, { transport: { send } as never });
  const environment: Environment = { ...object, spec: { project: 'p' } };
  const project: Project | undefined = await api.example.v1.environments
    .follow(environment)
    .project()
    .catch(() => undefined);
  expect(asked).toEqual(['/apis/example.com/v1/namespaces/own/projects/p']);
  expect(project === undefined || project.kind === 'Project').toBe(true);
  // @ts-expect-error A kind without references follows nothing.
  expect(api.example.v1.projects.follow).toBeTypeOf('function');
});

it('accepts any text as a name, but not the name of another kind', () => {
  const text: string = 'p';
  const spec: Environment['spec'] = { project: text };
  // @ts-expect-error It names a project.
  spec.tenant = spec.project;
  const patch: MergePatch<Environment> = { spec: { project: 'q', tenant: null } };
  expect([spec.project, patch.spec?.project]).toEqual(['p', 'q']);
});
