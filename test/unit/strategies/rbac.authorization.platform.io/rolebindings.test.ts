import { expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineClusterRoleBindings } from '../../../../strategies/rbac.authorization.platform.io/clusterrolebindings.js';
import { defineRoleBindings } from '../../../../strategies/rbac.authorization.platform.io/rolebindings.js';
import { objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const group = 'rbac.authorization.platform.io';
const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'view' };
const binding = (body: JsonObject): ApiObject => objectOf(namespaced, { roleRef, ...body }, { name: 'b' });
const namespaced = defineRoleBindings(platformNaming);
const cluster = defineClusterRoleBindings(platformNaming);
const subjects = [
  { kind: 'User', apiGroup: group, name: 'ann' },
  { kind: 'User', apiGroup: group, name: 'ben' },
  { kind: 'Group', apiGroup: group, name: 'all' },
  { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
];

const problems = (handlers: typeof cluster, body: JsonObject) =>
  (handlers.validate?.(binding(body), contextOf()) ?? []).map(({ field, message }) => `${field}: ${message}`);

it.each([
  [{ ...roleRef, kind: 'Role' }, [], ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"']],
  [{ ...roleRef, name: '' }, ['roleRef.name: Required value'], ['roleRef.name: Required value']],
  [
    { ...roleRef, name: 'a/b' },
    [`roleRef.name: Invalid value: "a/b": may not contain '/'`],
    [`roleRef.name: Invalid value: "a/b": may not contain '/'`],
  ],
])('role %j', (reference, ofNamespace, ofCluster) => {
  expect(problems(namespaced, { roleRef: reference })).toEqual(ofNamespace);
  expect(problems(cluster, { roleRef: reference })).toEqual(ofCluster);
});

it.each([
  [
    { kind: 'User', apiGroup: 'other', name: 'a' },
    [`subjects[0].apiGroup: Unsupported value: "other": supported values: "${group}"`],
  ],
  [
    { kind: 'Robot', name: 'a' },
    ['subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"'],
  ],
  [
    { kind: 'ServiceAccount', name: 'a', apiGroup: 'x', namespace: 'n' },
    ['subjects[0].apiGroup: Unsupported value: "x": supported values: ""'],
  ],
  [{ kind: 'ServiceAccount', name: 'a' }, ['subjects[0].namespace: Required value']],
  [{ kind: 'User', apiGroup: group, name: '' }, ['subjects[0].name: Required value']],
])('subject %j', (subject, expected) => expect(problems(cluster, { subjects: [subject] })).toEqual(expected));

it('fills in the group of roles', () => {
  const object = binding({
    roleRef: { kind: 'Role', name: 'r' },
    subjects: [
      { kind: 'User', name: 'ann' },
      { kind: 'ServiceAccount', name: 'robot' },
    ],
  });
  namespaced.canonicalize?.(object);
  expect(object.roleRef).toEqual({ apiGroup: group, kind: 'Role', name: 'r' });
  expect(object.subjects).toEqual([
    { kind: 'User', name: 'ann', apiGroup: group },
    { kind: 'ServiceAccount', name: 'robot' },
  ]);
});

it('keeps its role', () => {
  const found = namespaced.validateUpdate?.(
    binding({ roleRef: { ...roleRef, name: 'edit' } }),
    binding({}),
    contextOf(),
  );
  expect(found).toEqual([
    {
      reason: 'FieldValueInvalid',
      field: 'roleRef',
      message: `Invalid value: rbac.RoleRef{APIGroup:"${group}", Kind:"ClusterRole", Name:"edit"}: cannot change roleRef`,
      later: `Invalid value: {"APIGroup":"${group}","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef`,
    },
  ]);
});

it('shows its subjects', () => {
  const cells = ['Role', 'Users', 'Groups', 'ServiceAccounts'].map((column) =>
    cluster.columns?.[column]?.(binding({ subjects }), 0),
  );
  expect(cells).toEqual(['ClusterRole/view', 'ann, ben', 'all', 'default/robot']);
});
