/** Unique values and references hold under races and deletes. Only users with rights see other objects. */
import { describe, expect, it } from 'vitest';
import type { Authenticator, Authorizer, JsonObject } from '../../../../../runtime/contract/index.js';
import {
  modulesOfDefinitions,
  relatedDefinition,
  relatedObject,
  relatedPath,
} from '../../../../support/related-kinds.js';
import { startTestApi, suiteApi } from '../../../../support/test-api.js';

const names = (onDelete: string, more: JsonObject = {}): JsonObject => ({
  references: [{ field: 'spec.project', kind: 'Project', onDelete, ...more }],
});

const modules = modulesOfDefinitions(
  relatedDefinition('Project', []),
  relatedDefinition('Tenant', [], { scope: 'Cluster' }),
  relatedDefinition('Host', ['name', 'path', 'zone'], {
    unique: [
      { fields: ['spec.name', 'spec.path'] },
      { fields: ['spec.zone'], within: 'cluster', when: "self.spec.zone != 'any'" },
    ],
  }),
  relatedDefinition('Environment', ['project'], names('refuse')),
  relatedDefinition('Note', ['project', 'space'], names('refuse', { namespaceField: 'spec.space' })),
  relatedDefinition('Bill', ['tenant'], { references: [{ field: 'spec.tenant', kind: 'Tenant' }] }),
  relatedDefinition('Step', ['project'], names('cascade')),
  relatedDefinition('Hint', ['step'], { references: [{ field: 'spec.step', kind: 'Step' }] }),
);

/** Users may get objects of the namespaces in their names. */
const authorizer: Authorizer = {
  name: 'spaces',
  decide: ({ user, ...asked }) =>
    user.name === 'jane' && 'namespace' in asked && asked.verb === 'get' && !user.groups.includes(asked.namespace ?? '')
      ? { decision: 'deny' }
      : { decision: 'allow' },
};

/** A user's namespaces are in a header. */
const authenticators: readonly Authenticator[] = [
  {
    name: 'header',
    authenticate: ({ headers: { spaces } }) =>
      spaces === undefined
        ? undefined
        : { user: { name: 'jane', uid: '', groups: String(spaces).split(','), extra: {} } },
  },
];

const api = await suiteApi(modules, { authorizer });

const create = (plural: string, object: JsonObject, namespace = 'default', query = '') =>
  api.send('POST', `${relatedPath(plural, namespace)}${query}`, object);
const host = (name: string, spec: JsonObject): JsonObject => relatedObject('Host', name, spec);
const codesOf = (replies: readonly { readonly code: number }[]): readonly number[] =>
  replies.map(({ code }) => code).sort((a, b) => a - b);
const messageOf = ({ body }: { readonly body: JsonObject }): string => String(body.message);

describe('unique values', () => {
  it('go to one of many concurrent creates, and the others are refused with the field', async () => {
    const racing = Array.from({ length: 100 }, (_, i) => create('hosts', host(`race-${i}`, { name: 'a', path: '/' })));
    const replies = await Promise.all(racing);
    expect(codesOf(replies)).toEqual([201, ...Array.from({ length: 99 }, () => 422)]);
    const refused = replies.find(({ code }) => code === 422);
    expect(refused?.body).toMatchObject({
      reason: 'Invalid',
      details: { causes: [{ reason: 'FieldValueDuplicate', field: 'spec.name' }] },
    });
    expect(api.defects).toEqual([]);
  });

  it('are free if one of the fields, the namespace or the condition differs', async () => {
    expect((await create('hosts', host('other-path', { name: 'a', path: '/b' }))).code).toBe(201);
    expect((await create('hosts', host('no-path', { name: 'a' }))).code).toBe(201);
    expect((await create('hosts', host('no-path-either', { name: 'a' }))).code).toBe(201);
    expect((await create('hosts', host('elsewhere', { name: 'a', path: '/' }), 'other')).code).toBe(201);
    for (const name of ['any-1', 'any-2']) expect((await create('hosts', host(name, { zone: 'any' }))).code).toBe(201);
  });

  it('of the cluster are unique over all namespaces', async () => {
    expect((await create('hosts', host('zone', { zone: 'z1' }))).code).toBe(201);
    expect((await create('hosts', host('zone', { zone: 'z1' }), 'other')).code).toBe(422);
  });

  it('may be kept and released by updates, and then taken by others', async () => {
    expect((await create('hosts', host('moves', { zone: 'm1' }))).code).toBe(201);
    const path = `${relatedPath('hosts')}/moves`;
    expect((await api.send('PUT', path, host('moves', { zone: 'm1', name: 'x' }))).code).toBe(200);
    expect((await create('hosts', host('waits', { zone: 'm1' }))).code).toBe(422);
    expect((await api.send('PUT', path, host('moves', { zone: 'm2' }))).code).toBe(200);
    expect((await create('hosts', host('waits', { zone: 'm1' }))).code).toBe(201);
    expect((await api.send('PUT', path, host('moves', { zone: 'm1' }))).code).toBe(422);
    expect((await api.send('DELETE', `${relatedPath('hosts')}/waits`)).code).toBe(200);
    expect((await api.send('PUT', path, host('moves', { zone: 'm1' }))).code).toBe(200);
  });

  it('go to one of many updates at once', async () => {
    const all = Array.from({ length: 20 }, (_, i) => `update-${i}`);
    for (const name of all) expect((await create('hosts', host(name, { zone: name }))).code).toBe(201);
    const updates = all.map((name) => api.send('PUT', `${relatedPath('hosts')}/${name}`, host(name, { zone: 'one' })));
    expect(codesOf(await Promise.all(updates))).toEqual([200, ...Array.from({ length: 19 }, () => 422)]);
  });

  it('can be exchanged by two objects at once without a deadlock', async () => {
    await create('hosts', host('left', { zone: 'l', name: 'l', path: 'l' }));
    await create('hosts', host('right', { zone: 'r', name: 'r', path: 'r' }));
    const [left, right] = [
      host('left', { zone: 'r', name: 'r', path: 'r' }),
      host('right', { zone: 'l', name: 'l', path: 'l' }),
    ];
    const replies = await Promise.all([
      api.send('PUT', `${relatedPath('hosts')}/left`, left),
      api.send('PUT', `${relatedPath('hosts')}/right`, right),
    ]);
    expect(codesOf(replies)).toEqual([422, 422]);
  });

  it('are released by a write that fails for another reason', async () => {
    expect((await create('hosts', host('taken', { zone: 'given' }))).code).toBe(201);
    const racing = [create('hosts', host('taken', { zone: 'back' })), create('hosts', host('fine', { zone: 'back' }))];
    expect(codesOf(await Promise.all(racing))).toEqual([201, 409]);
  });

  it('are checked by a dry run, which takes nothing', async () => {
    expect((await create('hosts', host('dry', { zone: 'z1' }), 'default', '?dryRun=All')).code).toBe(422);
    expect((await create('hosts', host('dry', { zone: 'dry' }), 'default', '?dryRun=All')).code).toBe(201);
    expect((await create('hosts', host('wet', { zone: 'dry' }))).code).toBe(201);
  });
});

describe('the other object', () => {
  it('is only named to users who may see it', async () => {
    const told = await startTestApi(modules, { authorizer, authenticators });
    const as = (spaces: string) => ({ spaces });
    const send = (plural: string, object: JsonObject, namespace: string, spaces: string) =>
      told.send('POST', relatedPath(plural, namespace), object, as(spaces));
    expect((await send('hosts', host('mine', { zone: 'z' }), 'a', 'a')).code).toBe(201);
    const seen = await send('hosts', host('yours', { zone: 'z' }), 'b', 'a,b');
    const unseen = await send('hosts', host('yours', { zone: 'z' }), 'b', 'b');
    const refused = 'Host.shop.example.com "yours" is invalid: spec.zone: Duplicate value: "z"';
    expect(messageOf(seen)).toBe(`${refused}: hosts.shop.example.com "mine" in namespace "a" has it`);
    expect(messageOf(unseen)).toBe(refused);
    expect((await send('projects', relatedObject('Project', 'p'), 'a', 'a')).code).toBe(201);
    const note = relatedObject('Note', 'n', { project: 'p', space: 'a' });
    expect((await send('notes', note, 'b', 'b')).code).toBe(201);
    const path = `${relatedPath('projects', 'a')}/p`;
    const refusal = 'Operation cannot be fulfilled on projects.shop.example.com "p":';
    const nextStep = 'delete what refers to it first, or let it name another object';
    expect(messageOf(await told.send('DELETE', path, undefined, as('a,b')))).toBe(
      `${refusal} notes.shop.example.com "n" in namespace "b" refers to it by spec.project; ${nextStep}`,
    );
    expect(messageOf(await told.send('DELETE', path, undefined, as('a')))).toBe(
      `${refusal} objects that you may not see refer to it; ${nextStep}`,
    );
    await told.close();
  });
});

describe('a name of another object', () => {
  it('must refer to an existing one, in the same namespace or the one in a field', async () => {
    expect((await create('projects', relatedObject('Project', 'here'))).code).toBe(201);
    expect((await create('environments', relatedObject('Environment', 'a', { project: 'here' }))).code).toBe(201);
    const refused = await create('environments', relatedObject('Environment', 'b', { project: 'gone' }));
    expect([refused.code, messageOf(refused)]).toEqual([
      422,
      'Environment.shop.example.com "b" is invalid: spec.project: Not found: "gone"',
    ]);
    expect((await create('environments', relatedObject('Environment', 'b', { project: 'here' }), 'other')).code).toBe(
      422,
    );
    const note = (space: string) => relatedObject('Note', `to-${space}`, { project: 'here', space });
    expect((await create('notes', note('default'), 'other')).code).toBe(201);
    expect((await create('notes', note('other'), 'other')).code).toBe(422);
    expect((await create('environments', relatedObject('Environment', 'none'))).code).toBe(201);
  });

  it('of a cluster-scoped object can be used from every namespace', async () => {
    const tenants = '/apis/shop.example.com/v1/tenants';
    expect((await api.send('POST', tenants, relatedObject('Tenant', 't'))).code).toBe(201);
    expect((await create('bills', relatedObject('Bill', 'b', { tenant: 't' }), 'other')).code).toBe(201);
    expect((await api.send('DELETE', `${tenants}/t`)).code).toBe(409);
  });

  it('is not checked again while it stays, and its object cannot be deleted', async () => {
    await create('projects', relatedObject('Project', 'stays'));
    await create('environments', relatedObject('Environment', 'stays', { project: 'stays' }));
    const path = `${relatedPath('projects')}/stays`;
    expect((await api.send('DELETE', `${path}?dryRun=All`)).code).toBe(409);
    const refused = await api.send('DELETE', path);
    expect(refused).toMatchObject({
      code: 409,
      body: {
        reason: 'Conflict',
        details: {
          causes: [
            {
              reason: 'StillReferenced',
              field: 'spec.project',
              message: 'environments.shop.example.com "stays" in namespace "default" refers to it',
            },
          ],
        },
      },
    });
    const status = relatedObject('Environment', 'stays', { project: 'stays' });
    const reply = await api.send('PUT', `${relatedPath('environments')}/stays/status`, {
      ...status,
      status: { phase: 'x' },
    });
    expect(reply.code).toBe(200);
    expect((await api.send('DELETE', `${relatedPath('environments')}/stays`)).code).toBe(200);
    expect((await api.send('DELETE', path)).code).toBe(200);
  });

  it('never refers to a missing object, however creates and deletes race', async () => {
    for (let round = 0; round < 20; round++) {
      const name = `round-${round}`;
      expect((await create('projects', relatedObject('Project', name))).code).toBe(201);
      const names = Array.from({ length: 10 }, (_, i) => `${name}-${i}`);
      const creating = names.map((each) =>
        create('environments', relatedObject('Environment', each, { project: name })),
      );
      const [deleted, ...created] = await Promise.all([
        api.send('DELETE', `${relatedPath('projects')}/${name}`),
        ...creating,
      ]);
      const isThere = (await api.send('GET', `${relatedPath('projects')}/${name}`)).code === 200;
      expect(isThere).toBe(deleted.code === 409);
      expect(created.some(({ code }) => code === 201)).toBe(isThere);
    }
    expect(api.defects).toEqual([]);
  });

  it('cannot be written once the object is being deleted', async () => {
    const metadata = { finalizers: ['example.com/wait'] };
    await create('projects', relatedObject('Project', 'ending', {}, metadata));
    expect((await api.send('DELETE', `${relatedPath('projects')}/ending`)).code).toBe(200);
    const refused = await create('environments', relatedObject('Environment', 'late', { project: 'ending' }));
    expect(refused.code).toBe(422);
  });

  it('that cascades holds the object until the others are gone, unless one of them may not go', async () => {
    await create('projects', relatedObject('Project', 'first'));
    await create('steps', relatedObject('Step', 'second', { project: 'first' }));
    await create('hints', relatedObject('Hint', 'third', { step: 'second' }));
    const path = `${relatedPath('projects')}/first`;
    const refused = await api.send('DELETE', path);
    expect([refused.code, messageOf(refused)]).toEqual([
      409,
      expect.stringContaining('refers to an object that would be deleted with it by spec.step'),
    ]);
    await api.send('DELETE', `${relatedPath('hints')}/third`);
    const held = await api.send('DELETE', path);
    expect(held).toMatchObject({ code: 200, body: { metadata: { finalizers: ['kindforge.dev/relations'] } } });
  });
});

describe('relations', () => {
  it('hold through every version, and for patches and applies', async () => {
    const schema = (field: string) => ({
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: { [field]: { type: 'string' }, host: { type: 'string' } } } },
      },
    });
    const versions = [
      { name: 'v1', storage: true, schema: schema('project') },
      {
        name: 'v1beta1',
        schema: schema('owner'),
        conversion: { steps: [{ move: { field: 'spec.owner', stored: 'spec.project' } }] },
      },
    ];
    const both = await startTestApi(
      modulesOfDefinitions(
        relatedDefinition('Project', []),
        relatedDefinition('Site', [], { versions, ...names('refuse'), unique: [{ fields: ['spec.host'] }] }),
      ),
    );
    const beta = relatedPath('sites').replace('/v1/', '/v1beta1/');
    const site = (name: string, spec: JsonObject) => ({
      ...relatedObject('Site', name, spec),
      apiVersion: 'shop.example.com/v1beta1',
    });
    await both.send('POST', relatedPath('projects'), relatedObject('Project', 'p'));
    expect((await both.send('POST', beta, site('a', { owner: 'gone' }))).code).toBe(422);
    expect((await both.send('POST', beta, site('a', { owner: 'p', host: 'h' }))).code).toBe(201);
    expect((await both.send('POST', relatedPath('sites'), relatedObject('Site', 'b', { host: 'h' }))).code).toBe(422);
    expect((await both.send('DELETE', `${relatedPath('projects')}/p`)).code).toBe(409);
    expect((await both.send('PATCH', `${beta}/a`, { metadata: { labels: { x: 'y' } } })).code).toBe(200);
    expect((await both.send('PATCH', `${beta}/a`, { spec: { owner: 'gone' } })).code).toBe(422);
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    const applied = (host: string) =>
      both.send('PATCH', `${relatedPath('sites')}/c?fieldManager=m`, relatedObject('Site', 'c', { host }), apply);
    expect((await applied('h')).code).toBe(422);
    expect((await applied('i')).code).toBe(201);
    expect(both.defects).toEqual([]);
    await both.close();
  });

  it('accept every create that names an object while others keep changing it', async () => {
    await create('projects', relatedObject('Project', 'busy'));
    let isDone = false;
    const path = `${relatedPath('projects')}/busy/status`;
    const changing = Array.from({ length: 4 }, async () => {
      for (let i = 0; !isDone; i++)
        await api.send('PUT', path, { ...relatedObject('Project', 'busy'), status: { phase: `${i}` } });
    });
    const creating = Array.from({ length: 40 }, (_, i) =>
      create('environments', relatedObject('Environment', `busy-${i}`, { project: 'busy' })),
    );
    const replies = await Promise.all(creating);
    isDone = true;
    await Promise.all(changing);
    expect(codesOf(replies)).toEqual(Array.from({ length: 40 }, () => 201));
  });

  it('of a collection are kept when it is deleted', async () => {
    const path = relatedPath('projects', 'several');
    for (const name of ['free', 'used']) await create('projects', relatedObject('Project', name), 'several');
    await create('environments', relatedObject('Environment', 'e', { project: 'used' }), 'several');
    expect((await api.send('DELETE', path)).code).toBe(409);
    expect((await api.send('GET', `${path}/used`)).code).toBe(200);
    expect((await api.send('DELETE', relatedPath('environments', 'several'))).code).toBe(200);
    expect((await api.send('DELETE', path)).code).toBe(200);
    expect((await api.send('GET', `${path}/used`)).code).toBe(404);
  });
});

describe('a request in another version than the stored one', () => {
  const schemaOf = (spec: JsonObject): JsonObject => ({
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } },
  });
  const text = { type: 'string' };
  const users = { type: 'array', items: { type: 'object', properties: { user: text } } };
  const move = (field: string, stored: string): JsonObject => ({ move: { field, stored } });
  const site = relatedDefinition('Site', [], {
    unique: [{ fields: ['spec.host', 'spec.path'] }],
    references: [{ field: 'spec.owners[].user', kind: 'Project', onDelete: 'refuse' }],
    versions: [
      { name: 'v1', storage: true, schema: schemaOf({ host: text, path: text, owners: users }) },
      {
        name: 'v2',
        schema: schemaOf({ note: text, name: text, path: text, people: users }),
        conversion: {
          steps: [
            move('spec.name', 'spec.host'),
            move('spec.people', 'spec.owners'),
            { annotation: { key: 'shop.example.com/note', field: 'spec.note' } },
          ],
        },
      },
    ],
  });

  it('is refused by its own fields', async () => {
    const other = await startTestApi(modulesOfDefinitions(relatedDefinition('Project', []), site));
    const send = (version: string, name: string, spec: JsonObject) =>
      other.send('POST', relatedPath('sites').replace('/v1/', `/${version}/`), {
        ...relatedObject('Site', name, spec),
        apiVersion: `shop.example.com/${version}`,
      });
    expect((await send('v1', 'first', { host: 'a', path: '/' })).code).toBe(201);
    // The same text in another field is not the unique one.
    const again = await send('v2', 'second', { note: 'a', name: 'a', path: '/' });
    expect(messageOf(again)).toContain('spec.name: Duplicate value: "a", with spec.path "/"');
    const people = Array.from({ length: 30 }, (_, index) => ({ user: `u${index}` }));
    const { details } = (await send('v2', 'third', { people })).body;
    expect(details).toMatchObject({ causes: people.map((_, index) => ({ field: `spec.people[${index}].user` })) });
    expect(other.defects).toEqual([]);
    await other.close();
  });
});
