import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { defineMutatingAdmissionPolicies } from '../../../../strategies/admissionregistration.platform.io/mutatingadmissionpolicies.js';
import { defineMutatingAdmissionPolicyBindings } from '../../../../strategies/admissionregistration.platform.io/mutatingadmissionpolicybindings.js';
import { contextOf } from '../../../support/handlers-suite.js';

const policies = defineMutatingAdmissionPolicies();
const bindings = defineMutatingAdmissionPolicyBindings();

const object = (kind: string, spec: JsonObject) => ({
  apiVersion: 'admissionregistration.platform.io/v1alpha1',
  kind,
  metadata: { name: 'p' },
  spec,
});
const matching = (operations: readonly string[]): JsonObject => ({
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  resourceRules: [{ operations: [...operations], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: '*' }],
});
const apply = (expression: string): JsonObject => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patch = (expression: string): JsonObject => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

const found = (spec: JsonObject) =>
  policies
    .validate?.(
      object('MutatingAdmissionPolicy', {
        failurePolicy: 'Fail',
        reinvocationPolicy: 'Never',
        matchConstraints: matching(['*']),
        mutations: [apply('Object{}')],
        ...spec,
      }),
      contextOf(),
    )
    ?.map(({ field, message }) => `${field}: ${message.split('\n')[0]}`);

describe('MutatingAdmissionPolicy', () => {
  it.each<[JsonObject, readonly string[]]>([
    [{}, []],
    [{ mutations: [patch("[JSONPatch{op: 'add', path: '/a', value: Object.a{b: 1}}]")] }, []],
    [{ mutations: [patch("has(object.a) ? [JSONPatch{op: 'remove', path: '/a'}] : []")] }, []],
    [
      {
        variables: [{ name: 'v', expression: "'x'" }],
        mutations: [apply('Object{spec: Object.spec{a: variables.v}}')],
      },
      [],
    ],
    [{ mutations: [] }, ['spec.mutations: Required value: mutations must contain at least one item']],
    [
      { mutations: [patch('[]')] },
      [
        'spec.mutations[0].jsonPatch.expression: Invalid value: "[]": must evaluate to list(JSONPatch) but got list(dyn)',
      ],
    ],
    [
      { mutations: [apply(' Object.spec{} ')] },
      [
        'spec.mutations[0].applyConfiguration.expression: Invalid value: "Object.spec{}": must evaluate to Object but got Object.spec',
      ],
    ],
    [
      { mutations: [patch("[JSONPatch{nope: 'x'}]")] },
      [
        "spec.mutations[0].jsonPatch.expression: Invalid value: \"[JSONPatch{nope: 'x'}]\": compilation failed: ERROR: <input>:1:16: expected type of field 'nope' is '' but provided type is 'string'",
      ],
    ],
    [{ mutations: [apply(' ')] }, ['spec.mutations[0].applyConfiguration.expression: Required value']],
    [
      { mutations: [{ ...patch('[]'), patchType: 'ApplyConfiguration' }] },
      [
        'spec.mutations[0].applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration',
        'spec.mutations[0].jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ApplyConfiguration',
      ],
    ],
    [{ mutations: [{}] }, ['spec.mutations[0].patchType: Required value']],
    [
      { variables: [{ name: 'in', expression: "'x'" }] },
      ['spec.variables[0].name: Invalid value: "in": must be a valid CEL identifier'],
    ],
    [
      { matchConstraints: matching(['CREATE', 'DELETE']) },
      [
        'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      ],
    ],
    [{ reinvocationPolicy: '' }, ['spec.reinvocationPolicy: Required value']],
  ])('%j', (spec, errors) => expect(found(spec)).toEqual(errors));

  it('has patches in mutations only', () => {
    expect(found({ matchConditions: [{ name: 'c', expression: 'Object{} == Object{}' }] })).toEqual([
      "spec.matchConditions[0].expression: Invalid value: \"Object{} == Object{}\": compilation failed: ERROR: <input>:1:7: undeclared reference to 'Object' (in container '')",
    ]);
  });
});

describe('MutatingAdmissionPolicyBinding', () => {
  it('names a policy, and cannot match deletes', () => {
    const spec = { paramRef: { name: 'x' }, matchResources: matching(['DELETE']) };
    expect(
      bindings.validate?.(object('MutatingAdmissionPolicyBinding', spec), contextOf())?.map(({ field }) => field),
    ).toEqual([
      'spec.policyName',
      'spec.paramRef.parameterNotFoundAction',
      'spec.matchResources.resourceRules.operations',
    ]);
  });
});
