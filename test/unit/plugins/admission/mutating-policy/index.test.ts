import { describe, expect, it } from 'vitest';
import { defineMutatingAdmissionPolicy } from '../../../../../plugins/index.js';
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionStep,
  ApiObject,
  JsonObject,
} from '../../../../../runtime/contract/index.js';
import { compileTypedPlan, overlay } from '../../../../../runtime/merge/index.js';
import { Metrics, metricTable, observerOf } from '../../../../../runtime/metrics/index.js';
import { isApiObject } from '../../../../../runtime/objects/guards.js';
import { platformNaming } from '../../../../../runtime/objects/names/naming.js';
import { emulate } from '../../../../../runtime/objects/release.js';
import { badRequest } from '../../../../../runtime/objects/status.js';
import { hostOf } from '../../../../support/admission-host.js';
import { runPlugin } from '../../../../support/admission-suite.js';
import { moduleOf } from '../../../../support/modules.js';
import { configMaps, contextWith, namespaces, write } from '../attributes.js';
import { configMap, policy as policyWith } from '../validating-policy/policies.js';

const group = 'admissionregistration.platform.io';
const own = [
  moduleOf(group, 'mutatingadmissionpolicies', 'MutatingAdmissionPolicy', { scope: 'Cluster' }),
  moduleOf(group, 'mutatingadmissionpolicybindings', 'MutatingAdmissionPolicyBinding', { scope: 'Cluster' }),
];
const reviews = moduleOf('authentication.platform.io', 'tokenreviews', 'TokenReview', { scope: 'Cluster' });

const texts = { type: 'object', additionalProperties: { type: 'string' } } as const;
const selector = { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-map-type': 'atomic' } as const;
const { root } = compileTypedPlan({ type: 'object', properties: { data: texts, selector } }, 'structural');

const mutation = (expression: string): JsonObject =>
  expression.startsWith('Object')
    ? { patchType: 'ApplyConfiguration', applyConfiguration: { expression } }
    : { patchType: 'JSONPatch', jsonPatch: { expression } };

const policy = (mutations: readonly string[], more: JsonObject = {}, name = 'p'): ApiObject =>
  policyWith({ reinvocationPolicy: 'Never', mutations: mutations.map(mutation), ...more }, name);

const binding = (policyName: string, more: JsonObject = {}): ApiObject => ({
  apiVersion: `${group}/v1`,
  kind: 'MutatingAdmissionPolicyBinding',
  metadata: { name: `${policyName}-b` },
  spec: { policyName, ...more },
});

/** Starts the plugin with policies that are bound, each to everything that it matches. */
function serve(policies: readonly ApiObject[], more: JsonObject = {}, off: readonly string[] = []) {
  const host = hostOf([configMaps, namespaces, reviews, ...own], off);
  const plugin = defineMutatingAdmissionPolicy(platformNaming);
  const metrics = new Metrics({ release: '0.1', prefix: 'platform', api: emulate('latest') });
  plugin.start?.({ ...host, observer: observerOf(metrics) });
  for (const one of policies) {
    host.put('mutatingadmissionpolicies', one);
    host.put('mutatingadmissionpolicybindings', binding(one.metadata.name ?? '', more));
  }
  const steps: AdmissionStep[] = [];
  const context: AdmissionContext = {
    ...contextWith({ team: 'Active' }),
    merge(object, configuration) {
      const { apiVersion, kind } = object;
      const merged = overlay(root, object, { ...configuration, apiVersion, kind });
      return merged.ok ? merged : { ok: false, failure: badRequest(merged.problem) };
    },
    decode: (value) => (isApiObject(value) ? { ok: true, value } : { ok: false, failure: badRequest('no object') }),
    explain: (step) => steps.push(step),
  };
  const ask = async (attributes: AdmissionAttributes) => {
    const failure = await runPlugin(plugin, attributes, context);
    return failure?.message ?? attributes.object?.data;
  };
  const checks = () =>
    [...metrics.number(metricTable.admission.metrics.mutationChecks).all].map(({ labels, value }) => [
      ...labels,
      value,
    ]);
  return { plugin, context, ask, steps, checks };
}

const create = (data?: JsonObject, name = 'a') => write({ name, object: configMap(data, name) });

/** Makes a write with passes, and a function that begins the second. */
function passing(data?: JsonObject) {
  const pass = {
    isSecond: false,
    wanted: false,
    again() {
      pass.wanted = true;
    },
  };
  return { pass, attributes: { ...create(data), pass } };
}

describe('a mutating policy', () => {
  it('merges configurations and applies operations in order, each to the result of the one before', async () => {
    const { ask, checks } = serve([
      policy([
        "Object{data: {'b': 'applied'}}",
        "[JSONPatch{op: 'test', path: '/data/b', value: 'applied'}, JSONPatch{op: 'copy', from: '/data/b', path: '/data/c'}]",
        "[JSONPatch{op: 'test', path: '/data/b', value: 'other'}, JSONPatch{op: 'remove', path: '/data/c'}]",
        "[JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('x/y~z'), value: string(size(object.data))}]",
      ]),
    ]);
    expect(await ask(create({ a: '1' }))).toEqual({ a: '1', b: 'applied', c: 'applied', 'x/y~z': '3' });
    expect(checks()).toEqual([['no_error', 'p', 'p-b', 1]]);
  });

  it('has variables, conditions, and the objects of parameters', async () => {
    const { ask } = serve([
      policy(["Object{data: {'v': variables.v}}"], {
        variables: [{ name: 'v', expression: "object.metadata.name + '-' + request.userInfo.username" }],
        matchConditions: [{ name: 'c', expression: "object.metadata.name != 'b'" }],
      }),
    ]);
    expect(await ask(create())).toEqual({ v: 'a-someone' });
    expect(await ask(create({}, 'b'))).toEqual({});
  });

  it.each([
    [
      "Object{nope: 'x'}",
      'error applying patch: failed to convert patch object to typed object: .nope: field not declared in schema',
    ],
    [
      "Object{selector: Object.selector{a: 'x'}}",
      'error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .selector',
    ],
    [
      "Object{data: Object.date{a: 'x'}}",
      'type mismatch: unexpected type name "Object.date", expected "Object.data", which matches field name path from root Object type',
    ],
    [
      "[JSONPatch{op: 'remove', path: '/data/x'}]",
      "JSON Patch: error in remove for path: '/data/x': Unable to remove nonexistent key: x: missing value",
    ],
    ["[JSONPatch{op: 'odd', path: '/data/x'}]", 'JSON Patch: Unexpected kind: odd'],
    [
      "[JSONPatch{op: dyn(1), path: '/data/x'}]",
      "expression '[JSONPatch{op: dyn(1), path: '/data/x'}]' resulted in error: unexpected type int64 for JSONPatchType 'op' field",
    ],
    ['Object{data: object.nope}', "expression 'Object{data: object.nope}' resulted in error: no such key: nope"],
  ])('refuses the request if %s fails', async (expression, problem) => {
    const { plugin, context } = serve([policy([expression])]);
    const failure = await runPlugin(plugin, create({ a: '1' }), context);
    const message = `policy 'p' with binding 'p-b' denied request: ${problem}`;
    expect(failure).toEqual({
      reason: 'Invalid',
      code: 403,
      message,
      details: { name: 'a', group: '', kind: 'configmaps', causes: [{ message }] },
    });
  });

  it('accepts the request without the failed change, if it ignores failures', async () => {
    const { ask } = serve([
      policy(['Object{data: object.nope}', "Object{data: {'b': '2'}}"], { failurePolicy: 'Ignore' }),
    ]);
    expect(await ask(create({ a: '1' }))).toEqual({ a: '1', b: '2' });
  });

  it('refuses a request without parameters if its binding requires them', async () => {
    const paramRef = { name: 'x', parameterNotFoundAction: 'Deny' };
    const { plugin, context } = serve([policy(['Object{}'], { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } })], {
      paramRef,
    });
    expect(await runPlugin(plugin, create(), context)).toMatchObject({
      reason: 'Forbidden',
      code: 403,
      message:
        "policy 'p' with binding 'p-b' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    });
  });

  it('is not used on deletes, reviews and policies, nor without its gate', () => {
    const { plugin } = serve([]);
    expect(plugin.handles(configMaps, 'CONNECT', '')).toBe(true);
    expect(plugin.handles(configMaps, 'DELETE', '')).toBe(false);
    for (const resource of [reviews, ...own]) expect(plugin.handles(resource, 'CREATE', '')).toBe(false);
    expect(serve([], {}, ['MutatingAdmissionPolicy']).plugin.handles(configMaps, 'CREATE', '')).toBe(false);
  });

  it('records its changes for the audit', async () => {
    const { ask, steps } = serve([policy(["Object{data: {'b': '2'}}"])]);
    await ask(create({ a: '1' }));
    expect(steps).toEqual([
      {
        kind: 'policy',
        name: 'p',
        of: 'p-b',
        step: 'admit',
        outcome: 'changed',
        milliseconds: expect.any(Number),
        patch: [{ op: 'add', path: '/data/b', value: '2' }],
      },
    ]);
  });
});

describe('a second pass', () => {
  const count = "[JSONPatch{op: 'add', path: '/data/n', value: string(int(object.data.n) + 1)}]";

  it.each([
    ['IfNeeded', '2'],
    ['Never', '1'],
  ])('uses a policy with %s after a change: %s', async (reinvocationPolicy, n) => {
    const { ask } = serve([policy([count], { reinvocationPolicy })]);
    const { pass, attributes } = passing({ n: '0' });
    await ask(attributes);
    expect(pass.wanted).toBe(true);
    pass.isSecond = true;
    expect(await ask(attributes)).toEqual({ n });
  });

  it('uses a policy again if another plugin has changed the object since', async () => {
    const { ask } = serve([policy(["Object{data: {'seen': object.data.n}}"], { reinvocationPolicy: 'IfNeeded' })]);
    const { pass, attributes } = passing({ n: '0' });
    await ask(attributes);
    Object.assign(attributes.object ?? {}, { data: { n: '7' } });
    pass.isSecond = true;
    expect(await ask(attributes)).toEqual({ n: '7', seen: '7' });
  });

  it('is not requested if no policy applies', async () => {
    const { ask } = serve([policy([count], { matchConditions: [{ name: 'c', expression: 'false' }] })]);
    const { pass, attributes } = passing({ n: '0' });
    expect(await ask(attributes)).toEqual({ n: '0' });
    expect(pass.wanted).toBe(false);
  });
});
