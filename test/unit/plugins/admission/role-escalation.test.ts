import { describe, expect, it } from 'vitest';
import { defineRoleEscalation, type PolicyRule, type RuleResolver } from '../../../../plugins/index.js';
import type { ApiObject, AuthorizationAttributes } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { contextWith, object, write } from './attributes.js';

const group = 'rbac.authorization.platform.io';
const roles = moduleOf(group, 'roles', 'Role');
const clusterRoles = moduleOf(group, 'clusterroles', 'ClusterRole', { scope: 'Cluster' });
const bindings = moduleOf(group, 'rolebindings', 'RoleBinding');

const none = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
const pods: PolicyRule = { ...none, verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const secrets: PolicyRule = { ...none, verbs: ['get'], apiGroups: [''], resources: ['secrets'] };

/** Everyone holds the right to read pods; `small` and `big` are roles. */
const rules: RuleResolver = {
  rulesOf: (user) => ({ rules: [pods], problems: user.name === 'lost' ? ['a role is gone'] : [] }),
  rulesToCome: ({ name, namespace }) =>
    namespace === 'team' ? { small: [pods], big: [pods, secrets] }[name] : undefined,
};
const plugin = defineRoleEscalation(platformNaming, rules);

const user = (name: string, ...groups: readonly string[]) => ({ name, uid: '', groups, extra: {} });
const role = (...given: readonly PolicyRule[]): ApiObject =>
  object({
    rules: given.map(({ verbs, apiGroups, resources }) => ({
      verbs: [...verbs],
      apiGroups: [...apiGroups],
      resources: [...resources],
    })),
  });
const binding = (name: string, kind = 'Role'): ApiObject => object({ roleRef: { apiGroup: group, kind, name } });
const making = (made: ApiObject, more = {}) =>
  write({ resource: roles, object: made, user: user('anna', 'devs'), ...more });
const binds = (made: ApiObject, more = {}) => making(made, { resource: bindings, ...more });

const only =
  (...allowed: readonly Partial<AuthorizationAttributes>[]) =>
  (asked: AuthorizationAttributes): boolean =>
    allowed.some((one) =>
      Object.entries(one).every(([key, value]) => Object.entries(asked).some(([k, v]) => k === key && v === value)),
    );
const nobody = contextWith({}, () => false);
const run = (attributes: ReturnType<typeof write>, context = nobody) => runPlugin(plugin, attributes, context);

testAdmissionPlugin({
  plugin,
  admitted: making(role(pods)),
  refused: making(role(secrets)),
  context: nobody,
  words: ['rules', 'verbs', 'apiGroups', 'resources', 'roleRef', 'kind', 'name', 'aggregationRule'],
});

const grants =
  'is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}';

describe('a role', () => {
  it('has no rule that its writer does not hold', async () => {
    expect(await run(making(role(pods)))).toBeUndefined();
    expect(await run(making(role(pods, secrets)))).toMatchObject({
      reason: 'Forbidden',
      message: `roles.${group} "a" is forbidden: user "anna" (groups=["devs"]) ${grants}`,
    });
    expect((await run(making(role(secrets), { user: user('lost') })))?.message).toContain(
      '; resolution errors: [a role is gone]',
    );
  });

  it('may have any rule if its writer may escalate the role named in the path', async () => {
    const context = contextWith({}, only({ verb: 'escalate', resource: 'roles', namespace: 'team', name: 'a' }));
    expect(await run(making(role(secrets), { pathName: 'a' }), context)).toBeUndefined();
    expect(await run(making(role(secrets)), context)).toMatchObject({ reason: 'Forbidden' });
    expect(await run(making(role(secrets), { user: user('root', 'system:masters') }))).toBeUndefined();
  });

  it('is checked on each update, except for changes by garbage collection', async () => {
    const update = (made: ApiObject, oldObject: ApiObject) => making(made, { operation: 'UPDATE', oldObject });
    const held = { ...role(secrets), metadata: { name: 'a', finalizers: ['x/y'] } };
    expect(await run(update(role(secrets), held))).toBeUndefined();
    expect(await run(update({ ...held, metadata: { ...held.metadata, labels: { a: 'b' } } }, held))).toBeDefined();
  });

  it('selects others only if its writer may do everything', async () => {
    const gathering = { ...role(), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } };
    const cluster = { resource: clusterRoles, namespace: '' };
    const refused = {
      message: `clusterroles.${group} "a" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    };
    expect(await run(making(gathering, cluster))).toMatchObject(refused);
    expect(await run(making(role(), { ...cluster, operation: 'UPDATE', oldObject: gathering }))).toMatchObject(refused);
    const all = {
      rules: [
        { ...none, verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
        { ...none, verbs: ['*'], nonResourceURLs: ['*'] },
      ],
      problems: [],
    };
    const mighty = defineRoleEscalation(platformNaming, { ...rules, rulesOf: () => all });
    expect(await runPlugin(mighty, making(gathering, cluster), nobody)).toBeUndefined();
  });
});

describe('a binding', () => {
  it('grants no role with more rights than its writer holds', async () => {
    expect(await run(binds(binding('small')))).toBeUndefined();
    expect(await run(binds(binding('big')))).toMatchObject({
      message: `rolebindings.${group} "a" is forbidden: user "anna" (groups=["devs"]) ${grants}`,
    });
    expect(await run(binds(binding('none')))).toMatchObject({
      reason: 'NotFound',
      message: `roles.${group} "none" not found`,
    });
    expect(await run(binds(binding('big', 'ClusterRole')))).toMatchObject({
      message: `clusterroles.${group} "big" not found`,
    });
  });

  it('grants any role if its writer may bind it', async () => {
    const context = contextWith({}, only({ verb: 'bind', resource: 'roles', namespace: 'team', name: 'big' }));
    expect(await run(binds(binding('big')), context)).toBeUndefined();
    expect(await run(binds(binding('none')), context)).toBeDefined();
    expect(await run(binds(binding('big', 'ClusterRole')), context)).toBeDefined();
  });

  it('to no kind of role is left to validation', async () =>
    expect(await run(binds(binding('big', 'Thing')))).toBeUndefined());
});
