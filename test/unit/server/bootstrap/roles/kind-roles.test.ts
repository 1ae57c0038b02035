/** Kinds of definitions join the roles of people, at the start and when definitions change. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createResourceClient } from '../../../../../client/index.js';
import { clusterRoles } from '../../../../../generated/rbac.authorization.platform.io/v1/index.js';
import type { JsonObject, KindAccess, Verb } from '../../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../../runtime/objects/names/naming.js';
import { kindRoles, resourceOfRole } from '../../../../../server/bootstrap/index.js';
import { builtinKinds, type RunningServer, type StartOptions, startServer } from '../../../../../server/index.js';
import { modulesOfDefinitions, relatedDefinition } from '../../../../support/related-kinds.js';
import { scratchFolder } from '../../../../support/scratch-folder.js';

const all: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const widgets = {
  group: 'shop.example.com',
  plural: 'widgets',
  verbs: all,
  subresources: ['status', 'scale', 'restart'],
};

/** Returns the rights of each role: `role: verbs of resources`. */
const granted = (access?: KindAccess, more: object = {}): readonly string[] =>
  kindRoles({ ...widgets, access, ...more }, 'definition', kubernetesNaming).flatMap(({ metadata, rules }) =>
    rules.map(({ resources, verbs }) => `${metadata.name.split(':').at(-1)}: ${verbs} of ${resources}`),
  );

const reads = 'get,list,watch of widgets,widgets/restart,widgets/scale,widgets/status';
const writes = 'create,delete,deletecollection,patch,update of widgets,widgets/restart,widgets/scale';

describe('the roles of a kind', () => {
  it.each<[KindAccess | undefined, readonly string[]]>([
    [undefined, [`view: ${reads}`, `edit: ${writes}`]],
    [{ read: 'edit' }, [`edit: ${reads}`, `edit: ${writes}`]],
    [{ write: 'admin' }, [`view: ${reads}`, `admin: ${writes}`]],
    [{ read: 'admin', write: 'none' }, [`admin: ${reads}`]],
    [{ read: 'none', write: 'none' }, []],
  ])('for access %j are %j', (access, expected) => expect(granted(access)).toEqual(expected));

  it('have only the verbs of the kind', () =>
    expect(granted(undefined, { verbs: ['create', 'get'], subresources: [] })).toEqual([
      'view: get of widgets',
      'edit: create of widgets',
    ]));

  it.each([
    [platformNaming, 'rbac.authorization.platform.io/aggregate-to-view'],
    [kubernetesNaming, 'rbac.authorization.k8s.io/aggregate-to-view'],
  ])('are parts of the roles of people, by the label of the naming', (naming, label) => {
    const [view] = kindRoles(widgets, 'definition', naming);
    expect(view?.metadata).toEqual({
      name: 'kindforge:widgets.shop.example.com:view',
      labels: { 'kindforge.dev/roles-of-kind': 'definition', [label]: 'true' },
    });
  });

  it('have names that identify the kind', () => {
    expect(resourceOfRole('kindforge:widgets.shop.example.com:view')).toBe('widgets.shop.example.com');
    expect(resourceOfRole('system:widgets:view')).toBe('');
  });
});

describe('a server', () => {
  let server: RunningServer | undefined;
  afterEach(() => server?.stop());

  const start = async (definitions: readonly JsonObject[], more: StartOptions = {}): Promise<RunningServer> => {
    const kinds = [builtinKinds, { modules: modulesOfDefinitions(...definitions) }];
    server = await startServer({ controllers: [], kinds, ...more, http: false });
    return server;
  };
  const own = async (running: RunningServer): Promise<readonly string[]> =>
    (await createResourceClient(clusterRoles, running.client()).list()).items.flatMap(({ metadata: { name = '' } }) =>
      name.startsWith('kindforge:') ? [name] : [],
    );

  const host = relatedDefinition('Host', ['name']);

  it('has the roles of its own kinds, and none of built-in ones', async () => {
    const running = await start([host, relatedDefinition('Note', [], { access: { write: 'none' } })]);
    expect(await own(running)).toEqual([
      'kindforge:hosts.shop.example.com:edit',
      'kindforge:hosts.shop.example.com:view',
      'kindforge:notes.shop.example.com:view',
    ]);
  });

  it('lets viewers read, and editors write, before any controller has run', async () => {
    const running = await start([host]);
    const rulesOf = async (name: string): Promise<string> =>
      JSON.stringify((await createResourceClient(clusterRoles, running.client()).get(name)).rules);
    expect(await rulesOf('view')).toContain('"hosts","hosts/status"');
    expect(await rulesOf('edit')).toContain('"resources":["hosts"]');
    expect(await rulesOf('admin')).toContain('"resources":["hosts"]');
  });

  it('updates roles from its definitions when it starts again', async () => {
    const storage = { lmdb: scratchFolder() };
    await (await start([host, relatedDefinition('Note', [])], { storage })).stop();
    const running = await start([relatedDefinition('Host', ['name'], { access: { read: 'edit', write: 'none' } })], {
      storage,
    });
    expect(await own(running)).toEqual(['kindforge:hosts.shop.example.com:edit']);
    const edit = await createResourceClient(clusterRoles, running.client()).get(
      'kindforge:hosts.shop.example.com:edit',
    );
    expect(edit.rules).toEqual([expect.objectContaining({ verbs: ['get', 'list', 'watch'] })]);
  });

  it('updates roles when its definitions are replaced', async () => {
    const folder = scratchFolder();
    const write = (name: string, definition: JsonObject): void =>
      writeFileSync(join(folder, name), JSON.stringify(definition));
    write('hosts.json', host);
    server = await startServer({ controllers: [], schemas: folder, http: false });
    const running = server;
    expect(await own(running)).toHaveLength(2);
    const replaced = running.replaceDefinitions(modulesOfDefinitions(host, relatedDefinition('Note', [])));
    expect(replaced).toEqual({ done: true });
    await expect.poll(() => own(running)).toContain('kindforge:notes.shop.example.com:edit');
  });
});
