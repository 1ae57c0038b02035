/** Requests and the authorizer: which requests are refused, which need two answers, and who impersonates whom. */
import { get } from 'node:http';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { AccessAttributes, Authorizer, UserInfo } from '../../../../runtime/contract/index.js';
import { startTestApi, suiteApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const nodeExtra = { 'authentication.platform.io/node-name': ['a'] };

const asked: AccessAttributes[] = [];
let refuse: (attributes: AccessAttributes) => boolean = () => false;
let later = false;
const authorizer: Authorizer = {
  name: 'test',
  decide(attributes) {
    asked.push(attributes);
    const decision = refuse(attributes)
      ? ({ decision: 'no opinion', reason: 'so' } as const)
      : { decision: 'allow' as const };
    return later ? Promise.resolve(decision) : decision;
  },
};

const api = await suiteApi([{ ...widgets, createOnUpdate: true }], { authorizer });
const listening = await api.listen();
afterEach(() => {
  asked.length = 0;
  refuse = () => false;
  later = false;
});

const isOn = (resource: string) => (attributes: AccessAttributes) =>
  'resource' in attributes && attributes.resource === resource;

describe.each([false, true])('a refused request (by an authorizer that waits: %s)', (waits) => {
  it.each([
    ['GET', widgetsPath, 'list', ''],
    ['POST', widgetsPath, 'create', ''],
    ['DELETE', `${widgetsPath}/a`, 'delete', ' "a"'],
  ])('%s %s', async (method, path, verb, name) => {
    later = waits;
    refuse = isOn('widgets');
    const reply = await api.send(method, path, '{');
    expect(reply).toMatchObject({ code: 403, contentType: 'application/json', body: { reason: 'Forbidden' } });
    expect(reply.body.message).toBe(
      `widgets.example.com${name} is forbidden: User "tester" cannot ${verb} resource "widgets" in API group "example.com" in the namespace "default": so`,
    );
  });

  it('of a path', async () => {
    later = waits;
    refuse = (attributes) => 'path' in attributes;
    const reply = await api.send('GET', '/<b>');
    expect(reply).toMatchObject({ code: 403, body: { details: {} } });
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
    expect(reply.body.message).toBe('forbidden: User "tester" cannot get path "/&lt;b&gt;": so');
  });

  it('does not reveal which resources exist', async () => {
    later = waits;
    refuse = isOn('nothings');
    expect((await api.send('GET', '/apis/example.com/v1/nothings')).code).toBe(403);
    expect((await api.send('PUT', '/apis/none/v1/nothings/a/b/c/d')).code).toBe(403);
  });
});

describe('a write that makes an object under another verb', () => {
  const mayNotCreate = (attributes: AccessAttributes): boolean => attributes.verb === 'create';

  it.each([
    ['PUT', {}, widget('new')],
    ['PATCH', { 'content-type': 'application/apply-patch+yaml' }, widget('new')],
  ] as const)('needs the right to create: %s', async (method, headers, body) => {
    refuse = mayNotCreate;
    const reply = await api.send(method, `${widgetsPath}/new?fieldManager=m`, body, headers);
    expect(reply).toMatchObject({ code: 403, body: { message: 'widgets.example.com "new" is forbidden: so' } });
    expect(asked.map(({ verb }) => verb)).toEqual([method === 'PUT' ? 'update' : 'patch', 'create']);
    expect(api.store.count('example.com/widgets/')).toBe(0);
  });

  it('needs no right to create if the object exists, and is asked once if the verb was create', async () => {
    expect((await api.send('POST', widgetsPath, widget('old'))).code).toBe(201);
    refuse = mayNotCreate;
    expect(
      (
        await api.send('PATCH', `${widgetsPath}/old?fieldManager=m`, widget('old'), {
          'content-type': 'application/apply-patch+yaml',
        })
      ).code,
    ).toBe(200);
    expect(asked.map(({ verb }) => verb)).toEqual(['create', 'patch']);
    await api.send('DELETE', `${widgetsPath}/old`);
  });
});

describe('impersonation', () => {
  /** Returns the user of a request over HTTP, because there headers may come several times. */
  const acting = async (
    headers: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<UserInfo | undefined> => {
    asked.length = 0;
    const values = Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [...value],
    ]);
    const code = await new Promise((resolve, reject) => {
      get(`${listening.url}/version`, { headers: Object.fromEntries(values) }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      }).once('error', reject);
    });
    return code === 200 ? asked.at(-1)?.user : undefined;
  };
  const rights = () =>
    asked
      .slice(0, -1)
      .map((one) => ('resource' in one ? [one.resource, one.subresource, one.namespace, one.name] : []));
  const authenticated = 'system:authenticated';

  it('makes a request as another user, with a right to each part', async () => {
    const headers = {
      'Impersonate-User': 'anna',
      'Impersonate-Group': ['devs', 'a, b'],
      'Impersonate-Extra-Example.com%2fScope': ['view', 'edit'],
      'Impersonate-Extra-bad%zz': 'x',
      'Impersonate-Uid': 'u-1',
    };
    expect(await acting(headers)).toEqual({
      name: 'anna',
      uid: 'u-1',
      groups: ['devs', 'a, b', authenticated],
      extra: { 'example.com/scope': ['view', 'edit'], 'bad%zz': ['x'] },
    });
    expect(asked.slice(0, -1).map(({ user, verb }) => `${user.name} ${verb}`)).toEqual(
      Array(7).fill('tester impersonate'),
    );
    expect(rights()).toEqual([
      ['users', undefined, undefined, 'anna'],
      ['groups', undefined, undefined, 'devs'],
      ['groups', undefined, undefined, 'a, b'],
      ['userextras', 'example.com/scope', undefined, 'view'],
      ['userextras', 'example.com/scope', undefined, 'edit'],
      ['userextras', 'bad%zz', undefined, 'x'],
      ['uids', undefined, undefined, 'u-1'],
    ]);
  });

  it.each([
    ['anna', [], [authenticated]],
    ['anna', ['system:unauthenticated'], ['system:unauthenticated']],
    ['system:anonymous', [], ['system:unauthenticated']],
    ['system:anonymous', ['g'], ['g', 'system:unauthenticated']],
    ['system:serviceaccount:n:robot', [], ['system:serviceaccounts', 'system:serviceaccounts:n', authenticated]],
    ['system:serviceaccount:n:robot', ['g'], ['g', authenticated]],
    ['system:serviceaccount:n:Robot', [], [authenticated]],
  ])('of %s in %j is in %j', async (name, groups, expected) => {
    const found = await acting({
      'impersonate-user': name,
      ...(groups.length > 0 ? { 'impersonate-group': groups } : {}),
    });
    expect(found?.groups).toEqual(expected);
  });

  it('of a service account needs a right on that account', async () => {
    await acting({ 'impersonate-user': 'system:serviceaccount:n:robot' });
    expect(rights()).toEqual([['serviceaccounts', undefined, 'n', 'robot']]);
  });

  it('is refused without the right to a part of it', async () => {
    refuse = isOn('groups');
    const reply = await api.send('GET', '/version', undefined, {
      'impersonate-user': 'anna',
      'impersonate-group': 'g',
    });
    expect(reply).toMatchObject({ code: 403, body: { details: { kind: 'groups', name: 'g' } } });
    expect(reply.body.message).toBe(
      'groups "g" is forbidden: User "tester" cannot impersonate resource "groups" in API group "" at the cluster scope: so',
    );
  });

  it('without a user is a mistake if other parts are given', async () => {
    expect((await api.send('GET', '/version', undefined, { 'impersonate-group': 'g' })).code).toBe(400);
    expect((await api.send('GET', '/version', undefined, { 'impersonate-user': '' })).code).toBe(200);
  });
});

describe('constrained impersonation', async () => {
  let granted: readonly string[] = [];
  const by = (rights: readonly string[]): void => {
    granted = rights;
  };
  const textOf = (attributes: AccessAttributes): string =>
    'path' in attributes
      ? `${attributes.verb} ${attributes.path}`
      : `${attributes.verb} ${attributes.resource}${attributes.subresource ? `/${attributes.subresource}` : ''} ${attributes.name}`;
  const seen: AccessAttributes[] = [];
  const constrained = await startTestApi([widgets], {
    featureEnabled: (gate) => gate === 'ConstrainedImpersonation',
    authenticators: [
      {
        name: 'header',
        authenticate: ({ headers }) => {
          const robot = { name: 'system:serviceaccount:n:robot', uid: '', groups: [], extra: nodeExtra };
          return headers.robot === undefined ? undefined : { user: robot };
        },
      },
    ],
    authorizer: {
      name: 'test',
      decide: (attributes) => {
        seen.push(attributes);
        const own = attributes.user.name !== 'tester' && attributes.user.name !== 'system:serviceaccount:n:robot';
        return { decision: own || granted.includes(textOf(attributes)) ? 'allow' : 'no opinion' };
      },
    },
  });
  afterAll(() => constrained.close());
  const send = async (headers: Readonly<Record<string, string>>, path = '/version') => {
    seen.length = 0;
    const { code, body } = await constrained.send('GET', path, undefined, headers);
    return { code, message: body.message, groups: code === 200 ? seen.at(-1)?.user.groups : undefined };
  };
  const all = 'system:authenticated';

  it.each([
    [
      { 'impersonate-user': 'anna' },
      ['impersonate-on:user-info:get /version', 'impersonate:user-info users anna'],
      [all],
    ],
    [
      { 'impersonate-user': 'anna', 'impersonate-uid': '1', 'impersonate-extra-a.io%2fb': 'c' },
      [
        'impersonate-on:user-info:get /version',
        'impersonate:user-info users anna',
        'impersonate:user-info uids 1',
        'impersonate:user-info userextras/a.io/b c',
      ],
      [all],
    ],
    [
      { 'impersonate-user': 'system:serviceaccount:n:other' },
      ['impersonate-on:serviceaccount:get /version', 'impersonate:serviceaccount serviceaccounts other'],
      ['system:serviceaccounts', 'system:serviceaccounts:n', all],
    ],
    [
      { 'impersonate-user': 'system:node:a' },
      ['impersonate-on:arbitrary-node:get /version', 'impersonate:arbitrary-node nodes a'],
      ['system:nodes', all],
    ],
    [
      { robot: '', 'impersonate-user': 'system:node:a' },
      ['impersonate-on:associated-node:get /version', 'impersonate:associated-node nodes *'],
      ['system:nodes', all],
    ],
    [{ 'impersonate-user': 'anna' }, ['impersonate users anna'], [all]],
  ])('with %j needs %j', async (headers, rights, groups) => {
    by(rights);
    expect(await send(headers)).toEqual({ code: 200, message: undefined, groups });
    by(rights.slice(1));
    expect((await send(headers)).code).toBe(403);
    by(rights.slice(0, -1));
    expect((await send(headers)).code).toBe(403);
  });

  it('asks about all values at once if there are many', async () => {
    const on = 'impersonate-on:user-info:get /version';
    by([on, 'impersonate:user-info users anna', 'impersonate:user-info userextras/* *']);
    const extras = (keys: string): Readonly<Record<string, string>> =>
      Object.fromEntries([...keys].map((key) => [`impersonate-extra-a.io%2f${key}`, key]));
    expect((await send({ 'impersonate-user': 'anna', ...extras('bcd') })).code).toBe(403);
    expect((await send({ 'impersonate-user': 'anna', ...extras('bcde') })).code).toBe(200);
  });

  it('refuses with the reason of the narrowest mode', async () => {
    by([]);
    const { message } = await send({ 'impersonate-user': 'system:node:a' }, widgetsPath);
    expect(message).toBe(
      'widgets.example.com is forbidden: User "tester" cannot impersonate-on:arbitrary-node:list resource "widgets" in API group "example.com" in the namespace "default"',
    );
  });

  it('never makes administrators', async () => {
    by([
      'impersonate-on:user-info:get /version',
      'impersonate:user-info users anna',
      'impersonate:user-info groups system:masters',
    ]);
    const { code, message } = await send({ 'impersonate-user': 'anna', 'impersonate-group': 'system:masters' });
    expect([code, message]).toEqual([
      403,
      'groups.authentication.platform.io "system:masters" is forbidden: User "tester" cannot impersonate:user-info resource "groups" in API group "authentication.platform.io" at the cluster scope: impersonating the system:masters group is not allowed',
    ]);
  });
});
