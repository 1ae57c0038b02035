import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { defineValidatingAdmissionPolicies } from '../../../../strategies/admissionregistration.platform.io/validatingadmissionpolicies.js';
import { defineValidatingAdmissionPolicyBindings } from '../../../../strategies/admissionregistration.platform.io/validatingadmissionpolicybindings.js';
import { contextOf } from '../../../support/handlers-suite.js';

const matchConstraints = {
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: '*' }],
};
const spec = (more: JsonObject = {}): JsonObject => ({
  failurePolicy: 'Fail',
  matchConstraints,
  validations: [{ expression: 'object.metadata.name != "x"' }],
  ...more,
});
const object = (kind: string, body: JsonObject): ApiObject => ({
  apiVersion: 'admissionregistration.platform.io/v1alpha1',
  kind,
  metadata: { name: 'p.example.com' },
  ...body,
});
const policy = defineValidatingAdmissionPolicies(emulate('1.27'));
const binding = defineValidatingAdmissionPolicyBindings(emulate('1.27'));
const bound = (more: JsonObject = {}): JsonObject => ({
  policyName: 'p.example.com',
  validationActions: ['Deny'],
  ...more,
});

const found = (more: JsonObject) =>
  (policy.validate?.(object('ValidatingAdmissionPolicy', { spec: spec(more) }), contextOf()) ?? []).map(
    ({ field, message }) => `${field}: ${message.split('\n')[0]}`,
  );
const validation = (one: JsonObject): JsonObject => ({ validations: [{ expression: 'true', ...one }] });
const failed = (text: string, why: string): string =>
  `spec.validations[0].expression: Invalid value: ${JSON.stringify(text)}: ${why}`;

describe('expressions', () => {
  it.each([
    ['1 + 1', 'must evaluate to bool'],
    ['object.x', 'must evaluate to bool'],
    ['params.x == 1', "compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')"],
    ['request.nope == 1', "compilation failed: ERROR: <input>:1:8: undefined field 'nope'"],
  ])('%s', (text, why) => expect(found(validation({ expression: text }))).toEqual([failed(text, why)]));

  it.each(
    [
      'request.operation == "CREATE" && has(object.spec) && oldObject == null',
      'request.userInfo.groups.exists(g, g == "a") && !request.dryRun',
      'authorizer.group("apps").resource("deployments").namespace("n").name("d").check("get").allowed()',
      'authorizer.path("/healthz").check("get").reason() == ""',
      'authorizer.serviceAccount("n", "s").requestResource.check("get").allowed() || true',
    ].slice(0, 4),
  )('%s compiles', (expression) => expect(found(validation({ expression }))).toEqual([]));

  it('see parameters if the policy has some', () => {
    const paramKind = { apiVersion: 'example.com/v1', kind: 'Rule' };
    expect(found({ paramKind, ...validation({ expression: 'params.x == 1' }) })).toEqual([]);
  });

  it('of messages yield texts, and never ask the authorizer', () => {
    expect(found(validation({ messageExpression: '1' }))[0]).toContain('must evaluate to string');
    expect(found(validation({ messageExpression: 'authorizer.path("/").check("get").reason()' }))[0]).toContain(
      'authorizer',
    );
    expect(found(validation({ messageExpression: '"a" + string(object.x)' }))).toEqual([]);
  });
});

it.each([
  [{ validations: [] }, ['spec.validations', 'spec.auditAnnotations']],
  [{ failurePolicy: 'Maybe' }, ['spec.failurePolicy']],
  [{ matchConstraints: undefined }, ['spec.matchConstraints']],
  [{ matchConstraints: { ...matchConstraints, resourceRules: [] } }, ['spec.matchConstraints.resourceRules']],
  [
    { matchConstraints: { ...matchConstraints, objectSelector: { matchLabels: { a: '!' } } } },
    ['spec.matchConstraints.labelSelector.matchLabels'],
  ],
  [{ paramKind: { apiVersion: 'a/b/c', kind: '9' } }, ['spec.paramKind.apiVersion', 'spec.paramKind.kind']],
  [validation({ message: 'two\nlines' }), ['spec.validations[0].message']],
  [validation({ reason: 'NotFound' }), ['spec.validations[0].reason']],
  [validation({ expression: ' ' }), ['spec.validations[0].expression']],
  [{ auditAnnotations: [{ key: 'a', valueExpression: '1' }] }, ['spec.auditAnnotations[0].valueExpression']],
  [
    {
      auditAnnotations: [
        { key: 'a', valueExpression: '"x"' },
        { key: 'a', valueExpression: 'null' },
      ],
    },
    ['spec.auditAnnotations[1].key'],
  ],
])('%j', (more, fields) => expect(found(more).map((text) => text.split(': ')[0])).toEqual(fields));

it('has a valid status', () => {
  const status = {
    typeChecking: { expressionWarnings: [{ fieldRef: '', warning: '' }] },
    conditions: [{ type: 'bad type', status: 'True', reason: 'a b', lastTransitionTime: null }],
  };
  const errors =
    policy.validate?.(
      object('ValidatingAdmissionPolicy', { spec: spec(), status }),
      contextOf({ subresource: 'status' }),
    ) ?? [];
  expect(errors.map(({ field }) => field.replace('status.', ''))).toEqual([
    'typeChecking.expressionWarnings[0].warning',
    'typeChecking.expressionWarnings[0].fieldRef',
    'conditions[0].type',
    'conditions[0].lastTransitionTime',
    'conditions[0].reason',
  ]);
});

it.each([
  [{ policyName: '' }, ['policyName']],
  [{ policyName: 'Not_A_Name' }, ['policyName']],
  [{ paramRef: { name: 'a/b' } }, ['paramRef.name']],
  [{ validationActions: [] }, ['validationActions']],
  [{ validationActions: ['Deny', 'Warn'] }, ['validationActions']],
  [{ validationActions: ['Deny', 'Deny'] }, ['validationActions[1]']],
  [{ validationActions: ['Shrug'] }, ['validationActions[0]']],
  [{ matchResources: { ...matchConstraints, matchPolicy: 'Loose' } }, ['matchResouces.matchPolicy']],
])('binding %j', (more, fields) => {
  const errors =
    binding.validate?.(object('ValidatingAdmissionPolicyBinding', { spec: bound(more) }), contextOf()) ?? [];
  expect(errors.map(({ field }) => field)).toEqual(fields.map((field) => `spec.${field}`));
});

it('shows parameters', () => {
  const cell = (more: JsonObject) =>
    binding.columns?.ParamRef?.(object('ValidatingAdmissionPolicyBinding', { spec: bound(more) }), 0);
  expect([cell({}), cell({ paramRef: { name: 'a' } }), cell({ paramRef: { name: 'a', namespace: 'n' } })]).toEqual([
    '<unset>',
    '*/a',
    'n/a',
  ]);
  const kind = { paramKind: { apiVersion: 'example.com/v1', kind: 'Rule' } };
  expect(policy.columns?.ParamKind?.(object('ValidatingAdmissionPolicy', { spec: spec(kind) }), 0)).toBe(
    'example.com/v1/Rule',
  );
});

describe('after release 1.27', () => {
  const later = defineValidatingAdmissionPolicies(emulate('1.30'));
  const laterBinding = defineValidatingAdmissionPolicyBindings(emulate('1.30'));
  const problems = (more: JsonObject) =>
    (later.validate?.(object('ValidatingAdmissionPolicy', { spec: spec(more) }), contextOf()) ?? []).map(
      ({ field, message }) => `${field}: ${message.split('\n')[0]}`,
    );

  it('lets variables use earlier ones, and validations use all', () => {
    const variables = [
      { name: 'a', expression: '1' },
      { name: 'b', expression: 'variables.a + 1' },
    ];
    expect(problems({ variables, validations: [{ expression: 'variables.b == 2' }] })).toEqual([]);
    expect(problems({ variables: [...variables].reverse() })).toEqual([
      `spec.variables[0].expression: Invalid value: "variables.a + 1": compilation failed: ERROR: <input>:1:10: undefined field 'a'`,
    ]);
    expect(problems({ variables, validations: [{ expression: 'variables.b' }] })).toEqual([
      'spec.validations[0].expression: Invalid value: "variables.b": must evaluate to bool but got int',
    ]);
  });

  it('refuses names of variables that are not identifiers', () => {
    expect(
      problems({
        variables: [
          { name: 'a-b', expression: '1' },
          { name: '', expression: '1' },
        ],
      }),
    ).toEqual([
      'spec.variables[0].name: Invalid value: "a-b": must be a valid CEL identifier',
      'spec.variables[1].name: Required value: name is not specified',
    ]);
  });

  it.each<[JsonObject, readonly string[]]>([
    [{}, ['paramRef', 'paramRef.parameterNotFoundAction']],
    [{ name: 'a', parameterNotFoundAction: 'Maybe' }, ['paramRef.parameterNotFoundAction']],
    [{ name: 'a', selector: {}, parameterNotFoundAction: 'Deny' }, ['paramRef.name', 'paramRef.selector']],
    [{ selector: {}, parameterNotFoundAction: 'Allow' }, []],
  ])('checks parameters %j', (paramRef, fields) => {
    const bad = object('ValidatingAdmissionPolicyBinding', { spec: bound({ paramRef }) });
    const errors = laterBinding.validate?.(bad, contextOf()) ?? [];
    expect(errors.map(({ field }) => field)).toEqual(fields.map((field) => `spec.${field}`));
  });
});

describe('functions that a release does not have', () => {
  // Release 1.33 has semantic versions, but the one before it has not.
  const own = defineValidatingAdmissionPolicies(emulate('1.33'));
  const newer = object('ValidatingAdmissionPolicy', {
    spec: { ...spec(), validations: [{ expression: 'isSemver(object.a)', messageExpression: "object.b + ''" }] },
  });
  const problems = (old?: ApiObject): number => {
    const now = structuredClone(newer);
    for (const _ of own.prepareChecks?.(now, old, contextOf()) ?? []);
    return (own.validate?.(now, contextOf()) ?? []).length;
  };

  it('are refused in new expressions, and stay in stored ones', () => {
    expect([problems(), problems(object('ValidatingAdmissionPolicy', { spec: spec() })), problems(newer)]).toEqual([
      1, 1, 0,
    ]);
  });
});
