import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { defineRbac } from '../../../../../plugins/index.js';
import type { AccessAttributes, JsonObject, UserInfo } from '../../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../../runtime/objects/names/naming.js';
import { memoryBackend, openStore } from '../../../../../runtime/storage/index.js';
import { testAuthorizer } from '../../../../support/authorizer-suite.js';
import { followIn } from '../../../../support/follow-in.js';

const readAttributes = () => ({ labels: {}, fields: {} });
const stores: { close(): Promise<void> }[] = [];
const open = async () => {
  const store = await openStore({ backend: memoryBackend(), readAttributes });
  stores.push(store);
  return store;
};
afterAll(() => Promise.all(stores.map((store) => store.close())));

type Opened = Awaited<ReturnType<typeof open>>;

const keyOf = (plural: string, namespace: string, name: string): string =>
  ['rbac.authorization.platform.io', plural, ...(namespace === '' ? [] : [namespace]), name].join('/');

/** Puts an object, or removes it if `object` is undefined. */
async function put(store: Opened, plural: string, namespace: string, name: string, object?: JsonObject): Promise<void> {
  const key = keyOf(plural, namespace, name);
  const text = JSON.stringify({
    metadata: { resourceVersion: '', name, ...(namespace ? { namespace } : {}) },
    ...object,
  });
  const revisionAt = text.indexOf('"resourceVersion":"') + '"resourceVersion":"'.length;
  const next = { text, revisionAt, attributes: readAttributes() };
  const commit = await store.commit({ key, expected: store.get(key)?.revision ?? 0, ...(object ? { next } : {}) });
  expect(commit.outcome).toBe('committed');
}

const user = (name: string, ...groups: readonly string[]): UserInfo => ({ name, uid: '', groups, extra: {} });
const anna = user('anna', 'devs');
const pods = { verb: 'get', group: '', resource: 'pods' };
const podReader = { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] };
const bound = (kind: string, name: string, ...subjects: readonly JsonObject[]): JsonObject => ({
  roleRef: { apiGroup: 'rbac.authorization.platform.io', kind, name },
  subjects: [...subjects],
});
const toAnna = { kind: 'User', name: 'anna' };

let store: Opened;
let rbac: ReturnType<typeof defineRbac>;
beforeEach(async () => {
  store = await open();
  rbac = defineRbac({ follow: followIn(store), names: platformNaming });
});
const allows = async (attributes: AccessAttributes): Promise<boolean> =>
  (await rbac.authorizer.decide(attributes)).decision === 'allow';

describe('a rule', () => {
  const decides = async (rule: JsonObject, ...asked: readonly object[]): Promise<readonly boolean[]> => {
    await put(store, 'clusterroles', '', 'r', { rules: [rule] });
    if (!store.get(keyOf('clusterrolebindings', '', 'b')))
      await put(store, 'clusterrolebindings', '', 'b', bound('ClusterRole', 'r', toAnna));
    return Promise.all(asked.map((one) => allows({ user: anna, ...pods, ...one })));
  };
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

  it('applies to its verbs, groups and resources, compared exactly', async () => {
    const rule = { verbs: ['get'], apiGroups: ['', 'g'], resources: ['pods', 'nodes'] };
    expect(await decides(rule, {}, { group: 'g', resource: 'nodes' }, { name: 'a', namespace: 'n' })).toEqual([
      true,
      true,
      true,
    ]);
    const other = [{ verb: 'Get' }, { verb: '*' }, { group: 'h' }, { resource: 'pod' }, { subresource: 'log' }];
    expect(await decides(rule, ...other)).toEqual([false, false, false, false, false]);
  });

  it('may apply to all of them', async () =>
    expect(await decides(all, {}, { verb: 'x', group: 'y', resource: 'z' }, { subresource: 'log' })).toEqual([
      true,
      true,
      true,
    ]));

  it('applies to the subresources that it names, of one resource or of all', async () => {
    expect(
      await decides({ ...all, resources: ['pods/log'] }, { subresource: 'log' }, {}, { subresource: 'x' }),
    ).toEqual([true, false, false]);
    expect(
      await decides({ ...all, resources: ['*/log'] }, { subresource: 'log' }, {}, { subresource: 'logs' }),
    ).toEqual([true, false, false]);
    expect(await decides({ ...all, resources: ['pods/*'] }, { subresource: 'log' }, {})).toEqual([false, false]);
  });

  it('may apply to some names only', async () => {
    const named = { ...all, resourceNames: ['a', 'b'] };
    expect(await decides(named, { name: 'a' }, { name: 'b' }, { name: 'c' }, {})).toEqual([true, true, false, false]);
  });

  it('may apply to paths', async () => {
    const rule = { verbs: ['get'], nonResourceURLs: ['/a', '/b/*', '/c*'] };
    const asked = ['/a', '/a/', '/b', '/b/', '/b/x', '/c', '/cd'].map((path) => ({ user: anna, verb: 'get', path }));
    await decides(rule);
    expect(await Promise.all(asked.map(allows))).toEqual([true, false, false, true, true, true, true]);
    expect(await allows({ user: anna, verb: 'post', path: '/a' })).toBe(false);
  });
});

describe('a binding', () => {
  beforeEach(async () => {
    await put(store, 'clusterroles', '', 'reader', podReader);
    await put(store, 'roles', 'n', 'reader', podReader);
  });

  it.each([
    ['a user', toAnna, anna],
    ['a group', { kind: 'Group', name: 'devs' }, anna],
    ['an account', { kind: 'ServiceAccount', name: 'robot', namespace: 'n' }, user('system:serviceaccount:n:robot')],
  ])('gives %s a role everywhere', async (_what, subject, who) => {
    await put(store, 'clusterrolebindings', '', 'b', bound('ClusterRole', 'reader', subject));
    expect(await allows({ ...pods, user: who })).toBe(true);
    expect(await allows({ ...pods, user: who, namespace: 'm' })).toBe(true);
    expect(await allows({ ...pods, user: user('devs', 'anna', 'robot') })).toBe(false);
  });

  it.each(['Role', 'ClusterRole'])('gives a %s in its own namespace only', async (kind) => {
    await put(
      store,
      'rolebindings',
      'n',
      'b',
      bound(kind, 'reader', toAnna, { kind: 'ServiceAccount', name: 'robot' }),
    );
    expect(await allows({ ...pods, user: anna, namespace: 'n' })).toBe(true);
    expect(await allows({ ...pods, user: user('system:serviceaccount:n:robot'), namespace: 'n' })).toBe(true);
    expect(await allows({ ...pods, user: anna, namespace: 'm' })).toBe(false);
    expect(await allows({ ...pods, user: anna })).toBe(false);
  });

  it('that is cluster-scoped names no account without a namespace, and * matches nobody', async () => {
    const subjects = [
      { kind: 'ServiceAccount', name: 'robot' },
      { kind: 'User', name: '*' },
      { kind: 'Group', name: '*' },
    ];
    await put(store, 'clusterrolebindings', '', 'b', bound('ClusterRole', 'reader', ...subjects));
    for (const name of ['anna', 'robot', 'system:serviceaccount::robot', 'system:serviceaccount:n:robot'])
      expect(await allows({ ...pods, user: user(name, 'devs') })).toBe(false);
  });

  it('is named as the reason', async () => {
    await put(store, 'clusterrolebindings', '', 'b', bound('ClusterRole', 'reader', toAnna));
    expect((await rbac.authorizer.decide({ ...pods, user: anna })).reason).toBe(
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "reader" to User "anna"',
    );
    const robot = user('system:serviceaccount:n:robot');
    await put(store, 'rolebindings', 'n', 'b', bound('Role', 'reader', { kind: 'ServiceAccount', name: 'robot' }));
    expect((await rbac.authorizer.decide({ ...pods, user: robot, namespace: 'n' })).reason).toBe(
      'RBAC: allowed by RoleBinding "b/n" of Role "reader" to ServiceAccount "robot/n"',
    );
  });

  it('reports a missing role if nothing else allows the request', async () => {
    await put(store, 'clusterrolebindings', '', 'b', bound('ClusterRole', 'gone', toAnna));
    const missing = 'clusterrole.rbac.authorization.platform.io "gone" not found';
    expect(await rbac.authorizer.decide({ ...pods, user: anna })).toEqual({
      decision: 'no opinion',
      reason: `RBAC: ${missing}`,
    });
    await put(store, 'rolebindings', 'n', 'b', bound('Role', 'lost', toAnna));
    expect(await rbac.authorizer.decide({ ...pods, user: anna, namespace: 'n' })).toEqual({
      decision: 'no opinion',
      reason: `RBAC: [${missing}, role.rbac.authorization.platform.io "lost" not found]`,
    });
    expect(await rbac.authorizer.decide({ ...pods, user: user('ben') })).toEqual({ decision: 'no opinion' });
  });
});

describe('changes', () => {
  it('count at once', async () => {
    const ask = () => allows({ ...pods, user: anna, namespace: 'n' });
    await put(store, 'rolebindings', 'n', 'b', bound('Role', 'r', toAnna));
    expect(await ask()).toBe(false);
    await put(store, 'roles', 'n', 'r', podReader);
    expect(await ask()).toBe(true);
    await put(store, 'roles', 'n', 'r', { rules: [] });
    expect(await ask()).toBe(false);
    await put(store, 'roles', 'n', 'r', podReader);
    await put(store, 'rolebindings', 'n', 'b', bound('Role', 'r', { kind: 'User', name: 'ben' }));
    expect(await ask()).toBe(false);
    await put(store, 'rolebindings', 'n', 'b', bound('Role', 'r', toAnna, toAnna));
    expect(await ask()).toBe(true);
    await put(store, 'rolebindings', 'n', 'b');
    expect(await ask()).toBe(false);
  });

  it('have the same result from any previous state', async () => {
    await put(store, 'clusterroles', '', 'r', podReader);
    await put(store, 'clusterrolebindings', '', 'b', bound('ClusterRole', 'r', toAnna));
    rbac = defineRbac({ follow: followIn(store), names: platformNaming });
    expect(await allows({ ...pods, user: anna })).toBe(true);
  });

  it('of the whole store replace the previous state', async () => {
    await put(store, 'clusterroles', '', 'r', podReader);
    await put(store, 'clusterrolebindings', '', 'b', bound('ClusterRole', 'r', toAnna));
    expect(await allows({ ...pods, user: anna })).toBe(true);
    await store.restore([], store.revision);
    await expect.poll(() => allows({ ...pods, user: anna })).toBe(false);
    await put(store, 'clusterroles', '', 'r', podReader);
    await put(store, 'clusterrolebindings', '', 'b', bound('ClusterRole', 'r', toAnna));
    expect(await allows({ ...pods, user: anna })).toBe(true);
  });
});

describe('rules of a user', () => {
  it('are the rules of all bindings, each once, with the missing roles', async () => {
    await put(store, 'clusterroles', '', 'p', { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] });
    await put(store, 'roles', 'n', 'r', { rules: [{ ...podReader.rules[0], resourceNames: ['a'] }] });
    await put(
      store,
      'clusterrolebindings',
      '',
      'b',
      bound('ClusterRole', 'p', toAnna, { kind: 'Group', name: 'devs' }),
    );
    await put(store, 'clusterrolebindings', '', 'c', bound('ClusterRole', 'gone', toAnna));
    await put(store, 'rolebindings', 'n', 'b', bound('Role', 'r', toAnna));
    expect(await rbac.authorizer.rules?.(anna, 'n')).toEqual({
      resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
      incomplete: false,
      evaluationError: 'clusterrole.rbac.authorization.platform.io "gone" not found',
    });
    expect(await rbac.authorizer.rules?.(anna, 'm')).toMatchObject({ resourceRules: [] });
  });
});

const filled = await open();
await put(filled, 'clusterroles', '', 'r', podReader);
await put(filled, 'clusterrolebindings', '', 'b', bound('ClusterRole', 'r', toAnna));
testAuthorizer({
  authorizer: defineRbac({ follow: followIn(filled), names: platformNaming }).authorizer,
  allowed: { ...pods, user: anna },
  refused: { ...pods, user: user('ben') },
});

describe('a server that is not up to date', () => {
  let isStale = false;
  const behind = () =>
    defineRbac({
      follow: (name, sink) => {
        const { stop } = followIn(store)(name, sink);
        return {
          stop,
          get isStale() {
            return isStale;
          },
        };
      },
      names: platformNaming,
    });
  const reason = 'RBAC: the server has not kept up with the stored objects for more than 30 seconds';

  it('decides by the last state at first, and denies everything after the time limit', async () => {
    await put(store, 'clusterroles', '', 'r', podReader);
    await put(store, 'clusterrolebindings', '', 'b', bound('ClusterRole', 'r', toAnna));
    const { authorizer, rules } = behind();
    isStale = false;
    expect(authorizer.decide({ ...pods, user: anna })).toMatchObject({ decision: 'allow' });
    isStale = true;
    expect(authorizer.decide({ ...pods, user: anna })).toEqual({ decision: 'deny', reason });
    expect(authorizer.decide({ user: anna, verb: 'get', path: '/orders' })).toEqual({ decision: 'deny', reason });
    expect(rules.rulesOf(anna, '')).toEqual({ rules: [], problems: [reason] });
  });

  it('still shows health and metrics to users with the right before', async () => {
    await put(store, 'clusterroles', '', 'r', { rules: [{ verbs: ['get'], nonResourceURLs: ['*'] }] });
    await put(store, 'clusterrolebindings', '', 'b', bound('ClusterRole', 'r', toAnna));
    const { authorizer } = behind();
    isStale = true;
    const decides = (path: string, of = anna) => authorizer.decide({ user: of, verb: 'get', path });
    for (const path of ['/readyz', '/livez/ping', '/healthz', '/metrics'])
      expect(decides(path)).toMatchObject({ decision: 'allow' });
    for (const path of ['/metrics2', '/version', '/']) expect(decides(path)).toMatchObject({ decision: 'deny' });
    expect(decides('/metrics', user('bob'))).toMatchObject({ decision: 'no opinion' });
  });
});
