import { beforeAll, describe, expect, it } from 'vitest';
import { defineParameterRights } from '../../../../plugins/index.js';
import type { AdmissionContext, AuthorizationAttributes, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { hostOf } from '../../../support/admission-host.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { contextWith, object, write } from './attributes.js';

const group = 'admissionregistration.platform.io';
const cluster = { scope: 'Cluster' } as const;
const policies = moduleOf(group, 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy', cluster);
const bindings = moduleOf(group, 'validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', cluster);
const mutating = moduleOf(group, 'mutatingadmissionpolicybindings', 'MutatingAdmissionPolicyBinding', cluster);
const secrets = moduleOf('', 'secrets', 'Secret');

const plugin = defineParameterRights(platformNaming);
beforeAll(() => plugin.start?.(hostOf([secrets])));

const user = { name: 'bob', uid: '', groups: ['devs', 'all'], extra: { scopes: ['a', 'b'] } };
const paramKind = { apiVersion: 'v1', kind: 'Secret' };
const paramRef = { name: 'victim', namespace: 'system' };
const policy = (spec: JsonObject, old?: JsonObject) =>
  write({
    resource: policies,
    namespace: '',
    user,
    object: object({ spec }),
    ...(old ? { operation: 'UPDATE', oldObject: object({ spec: old }) } : {}),
  });
const binding = (spec: JsonObject, old?: JsonObject) => ({ ...policy(spec, old), resource: bindings });

/** Makes a context in which only `allowed` is allowed, and the policy `leak` exists. */
function context(allowed?: Partial<AuthorizationAttributes>): AdmissionContext {
  const allows = (asked: AuthorizationAttributes): boolean =>
    allowed !== undefined &&
    Object.entries(asked).every(([key, value]) => key === 'user' || Reflect.get(allowed, key) === value);
  const leak = object({ spec: { paramKind } });
  return {
    ...contextWith({}, allows),
    get: (_group, resource, _namespace, name) =>
      resource.endsWith('admissionpolicies') && name === 'leak' ? leak : undefined,
  };
}

testAdmissionPlugin({
  plugin,
  admitted: policy({}),
  refused: policy({ paramKind }),
  context: context(),
  words: ['spec', 'paramKind', 'paramRef', 'policyName', 'kind', 'apiVersion'],
});

const all = { verb: 'get', namespace: '*', name: '*' };

describe('a policy', () => {
  it('needs the right to get all objects of its kind', async () => {
    expect(await runPlugin(plugin, policy({ paramKind }), context())).toMatchObject({
      reason: 'Invalid',
      message: `ValidatingAdmissionPolicy.${group} "a" is invalid: spec.paramKind: Forbidden: user &{bob  [devs all] map[scopes:[a b]]} must have "get" permission on all objects of the referenced paramKind (kind=Secret, apiVersion=v1)`,
      details: { causes: [{ reason: 'FieldValueForbidden', field: 'spec.paramKind' }] },
    });
    const allowed = context({ ...all, group: '', resource: 'secrets' });
    expect(await runPlugin(plugin, policy({ paramKind }), allowed)).toBeUndefined();
  });

  it('needs the right to all resources of a group if the kind is not served', async () => {
    const unknown = { apiVersion: 'x.io/v1', kind: 'Secret' };
    expect(
      await runPlugin(plugin, policy({ paramKind: unknown }), context({ ...all, group: '', resource: 'secrets' })),
    ).toBeDefined();
    expect(
      await runPlugin(plugin, policy({ paramKind: unknown }), context({ ...all, group: 'x.io', resource: '*' })),
    ).toBeUndefined();
    expect(
      await runPlugin(
        plugin,
        policy({ paramKind: { apiVersion: 'a/b/c' } }),
        context({ ...all, group: '*', resource: '*' }),
      ),
    ).toBeUndefined();
  });

  it('is checked if its kind changes, except for administrators', async () => {
    expect(await runPlugin(plugin, policy({ paramKind, more: 1 }, { paramKind }), context())).toBeUndefined();
    expect(await runPlugin(plugin, policy({ paramKind }, {}), context())).toBeDefined();
    expect(await runPlugin(plugin, policy({}, { paramKind }), context())).toBeUndefined();
    const root = { ...policy({ paramKind }), user: { ...user, groups: ['system:masters'] } };
    expect(await runPlugin(plugin, root, context())).toBeUndefined();
  });
});

describe('a binding', () => {
  const one = { verb: 'get', ...paramRef };

  it('may name an object that its writer may get', async () => {
    const made = binding({ policyName: 'leak', paramRef });
    expect(await runPlugin(plugin, made, context())).toMatchObject({
      reason: 'Invalid',
      details: { causes: [{ reason: 'FieldValueForbidden', field: 'spec.paramRef' }] },
    });
    expect(await runPlugin(plugin, made, context({ ...one, group: '', resource: 'secrets' }))).toBeUndefined();
    expect(await runPlugin(plugin, binding({ policyName: 'leak' }), context())).toBeUndefined();
  });

  it('of a missing policy needs the right to all resources', async () => {
    const made = binding({ policyName: 'other', paramRef });
    expect(await runPlugin(plugin, made, context({ ...one, group: '', resource: 'secrets' }))).toBeDefined();
    expect(await runPlugin(plugin, made, context({ ...one, group: '*', resource: '*' }))).toBeUndefined();
  });

  it('of a mutating policy needs the same', async () => {
    const made = { ...binding({ policyName: 'leak', paramRef }), resource: mutating };
    expect(await runPlugin(plugin, made, context())).toBeDefined();
    expect(await runPlugin(plugin, made, context({ ...one, group: '', resource: 'secrets' }))).toBeUndefined();
  });

  it('is checked if its parameters or its policy change', async () => {
    const old = { policyName: 'leak', paramRef };
    expect(await runPlugin(plugin, binding(old, old), context())).toBeUndefined();
    expect(await runPlugin(plugin, binding(old, { ...old, policyName: 'other' }), context())).toBeDefined();
    expect(await runPlugin(plugin, binding(old, { ...old, paramRef: { name: 'mine' } }), context())).toBeDefined();
  });
});
