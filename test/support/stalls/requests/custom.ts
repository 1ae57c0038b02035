/** Heavy requests about definitions, their objects and their rules. */
import type { Heavy } from '../probed-server.js';
import {
  applied,
  custom,
  customObject,
  definition,
  definitions,
  get,
  jsonPatch,
  many,
  merge,
  patch,
  post,
  put,
  same,
  wide,
  yaml,
} from './shared.js';

const text = { type: 'string' };
const named = { type: 'object', properties: { name: text, value: text }, required: ['name'] };
const schema = {
  properties: {
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    atoms: { type: 'array', items: text },
    unique: { type: 'array', items: { type: 'integer' } },
    map: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: named },
    objects: { type: 'array', items: { type: 'object', properties: { a: { type: 'string', default: 'b' } } } },
    fields: { type: 'object', additionalProperties: text },
    patterns: { type: 'array', items: { type: 'string', pattern: '^([a-z]+)+$' } },
    dates: { type: 'array', items: { type: 'string', format: 'date-time' } },
    choice: { type: 'array', items: { type: 'string', enum: many(10_000, (i) => `v${i}`) } },
    ruled: {
      type: 'array',
      maxItems: 100_000,
      items: { type: 'string', maxLength: 10, 'x-kubernetes-validations': [{ rule: 'self.size() < 10' }] },
    },
  },
};
const items = custom('heavies');
const of = (name: string, fields: object): object => customObject('heavies', name, fields);
const entries = (count: number, value?: string): object[] =>
  many(count, (i) => ({ name: `n${i}`, ...(value && { value }) }));
const texts = (count: number): string[] => many(count, (i) => `v${i}`);

export const customObjects: readonly Heavy[] = [
  post('definition', definitions, definition('heavies', schema)),
  post('first object', items, of('first', {})),
  post('set of 250,000', items, of('set', { set: texts(250_000) })),
  post('set of 100,000 in 1.5 MiB', items, of('set', { set: many(100_000, (i) => i.toString(36)) })),
  post('set of 50,000', items, of('set', { set: texts(50_000) })),
  put('set of 50,000 reversed', `${items}/set`, of('set', { set: texts(50_000).reverse() })),
  patch(
    'set of 50,000 applied',
    `${items}/set?fieldManager=a&force=true`,
    applied,
    of('set', { set: texts(50_000).map((one) => `w${one}`) }),
  ),
  patch(
    'set of 50,000 applied again',
    `${items}/set?fieldManager=a&force=true`,
    applied,
    of('set', { set: texts(50_000).reverse() }),
  ),
  post('set of 500,000 duplicates', items, of('set2', { set: many(500_000, () => 'v') })),
  post('map of 150,000', items, of('map', { map: entries(150_000) })),
  post('map of 20,000', items, of('map', { map: entries(20_000) })),
  put('map of 20,000, all changed', `${items}/map`, of('map', { map: entries(20_000, 'b') })),
  put('map of 20,000 reversed', `${items}/map`, of('map', { map: entries(20_000).reverse() })),
  patch(
    'map of 15,000 applied',
    `${items}/map?fieldManager=a&force=true`,
    applied,
    of('map', { map: entries(15_000, 'b') }),
  ),
  patch('map of 15,000, conflicts', `${items}/map?fieldManager=b`, applied, of('map', { map: entries(15_000, 'c') })),
  post('list of 700,000', items, of('atoms', { atoms: many(700_000, () => '') })),
  post('list of 300,000 objects with defaults', items, of('objects', { objects: many(300_000, () => ({})) })),
  post('list of 1,000,000 wrong items', items, of('atoms', { atoms: many(1_000_000, () => 1) })),
  post('map of 120,000 fields', items, of('fields', { fields: same(200_000, '') })),
  post('100,000 unknown fields, strict', `${items}?fieldValidation=Strict`, of('a', same(200_000, 1))),
  post('100,000 unknown fields, pruned', items, of('pruned', same(200_000, 1))),
  post('pattern that backtracks', items, of('pattern', { patterns: [`${'a'.repeat(40)}1`] })),
  post('pattern on 1.4 MB', items, of('pattern', { patterns: [`${'a'.repeat(1_400_000)}1`] })),
  post('50,000 dates', items, of('dates', { dates: many(50_000, () => '2023-01-01T00:00:00Z') })),
  post('100,000 invalid dates', items, of('dates', { dates: many(100_000, () => '2023-01-01T0:00:00Z') })),
  post('30,000 wrong choices of 10,000', items, of('choices', { choice: many(50_000, () => 'no') })),
  post('60,000 right choices of 10,000', items, of('choices', { choice: many(60_000, (i) => `v${i % 10_000}`) })),
  post('90,000 rules', items, of('rules', { ruled: many(90_000, () => 'abc') })),
  post('90,000 rules that are broken', items, of('rules', { ruled: many(90_000, () => 'abcdefghij') })),
  get('get of a set as YAML', `${items}/set`, { accept: yaml }),
  patch(
    'JSON patch, 10,000 inserted in front',
    `${items}/set`,
    jsonPatch,
    many(10_000, (i) => ({ op: 'add', path: '/set/0', value: `z${i}` })),
  ),
  patch(
    'JSON patch, 10,000 removed in front',
    `${items}/set`,
    jsonPatch,
    many(10_000, () => ({ op: 'remove', path: '/set/0' })),
  ),
  patch('merge patch of a set', `${items}/set`, merge, { set: texts(50_000) }),
  get('list as table', items, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
  get('list', items),
  { label: 'delete collection', method: 'DELETE', path: items },
];

const version = (name: string, properties: object, more: object = {}): object => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', properties } },
  ...more,
});
const manyVersions = (plural: string, versions: object[]): object => {
  const made = definition(plural, {});
  return { ...made, spec: { ...(made as { spec: object }).spec, versions } };
};
const deep = (levels: number): object =>
  levels === 0 ? text : { type: 'object', properties: { a: deep(levels - 1) } };
const rule = (i: number): object => ({ rule: `self.a${i} == 'a' || size(self.a${i}) > ${i}`, message: 'no' });

/** Makes a definition, its first object, and the requests for the documents about it. */
const defined = (plural: string, label: string, body: object, object: object = {}): Heavy[] => [
  post(`${label}: definition`, definitions, body),
  post(`${label}: first object`, custom(plural), customObject(plural, 'a', object)),
  patch(`${label}: apply`, `${custom(plural)}/a?fieldManager=a`, applied, customObject(plural, 'a', object)),
  get(`${label}: OpenAPI v3`, '/openapi/v3/apis/heavy.example.com/v1'),
  get(`${label}: OpenAPI v3 in protobuf`, '/openapi/v3/apis/heavy.example.com/v1', {
    accept: 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
  }),
  get(`${label}: OpenAPI v2`, '/openapi/v2'),
  get(`${label}: OpenAPI v2 in protobuf`, '/openapi/v2', {
    accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  }),
  put(`${label}: definition again`, `${definitions}/${plural}.heavy.example.com`, body),
  { label: `${label}: definition deleted`, method: 'DELETE', path: `${definitions}/${plural}.heavy.example.com` },
];

export const definedKinds: readonly Heavy[] = [
  get('OpenAPI v2 of the built-in kinds', '/openapi/v2'),
  ...defined('wides', '15,000 properties', definition('wides', { properties: same(15_000, text) }), same(15_000, 'b')),
  ...defined('maxes', '29,000 properties', definition('maxes', { properties: same(29_000, text) }), { a1: 'b' }),
  ...defined(
    'nesteds',
    '5,000 objects of objects',
    definition('nesteds', {
      properties: same(5_000, {
        type: 'object',
        properties: { a: { type: 'object', properties: { b: text } } },
      }),
    }),
    same(5_000, { a: {} }),
  ),
  ...defined(
    'enums',
    'enum of 50,000',
    definition('enums', { properties: { a: { type: 'string', enum: texts(50_000) } } }),
    { a: 'v1' },
  ),
  ...defined(
    'defaults',
    '10,000 defaults',
    definition('defaults', { properties: same(10_000, { type: 'string', default: 'a' }) }),
  ),
  ...defined(
    'listeds',
    '4,000 lists',
    definition('listeds', {
      properties: same(4_000, {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: named,
      }),
    }),
    { a1: [{ name: 'a' }] },
  ),
  ...defined(
    'formatteds',
    '5,000 patterns',
    definition('formatteds', {
      properties: wide(5_000, (i) => ({ type: 'string', pattern: `^a{1,5}${i}$`, maxLength: 5 })),
    }),
  ),
  ...defined(
    'anies',
    '6,000 alternatives',
    definition('anies', {
      properties: same(10, text),
      anyOf: many(6_000, (i) => ({ required: [`a${i % 10}`] })),
    }),
    { a1: 'b' },
  ),
  ...defined('deeps', '300 levels', definition('deeps', { properties: { a: deep(300) } })),
  ...defined('described', 'description of 1.3 MB', definition('describeds', { description: 'd'.repeat(1_300_000) })),
  ...defined(
    'ruleds',
    '1,000 rules',
    definition('ruleds', {
      properties: same(1_000, { type: 'string', maxLength: 5 }),
      'x-kubernetes-validations': many(1_000, rule),
    }),
  ),
  ...defined(
    'columneds',
    '5,000 columns',
    definition(
      'columneds',
      { properties: same(10, text) },
      { additionalPrinterColumns: many(5_000, (i) => ({ name: `c${i}`, type: 'string', jsonPath: `.a${i % 10}` })) },
    ),
  ),
  ...defined(
    'versioneds',
    '500 versions',
    manyVersions(
      'versioneds',
      many(500, (i) => version(`v${i + 1}`, same(10, text))),
    ),
  ),
];

const policies = '/apis/admissionregistration.k8s.io/v1alpha1/validatingadmissionpolicies';
const policy = (name: string, spec: object): object => ({
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['secrets'] }],
    },
    ...spec,
  },
});
const bound = (name: string, label: string, spec: object): Heavy[] => [
  post(`${label}: policy`, policies, policy(name, spec)),
  post(`${label}: binding`, policies.replace(/ies$/, 'ybindings'), {
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  }),
  post(`${label}: first match`, '/api/v1/namespaces/default/secrets', { metadata: { name: `for-${name}` } }),
  post(`${label}: second match`, '/api/v1/namespaces/default/secrets', { metadata: { name: `again-${name}` } }),
  { label: `${label}: binding deleted`, method: 'DELETE', path: `${policies.replace(/ies$/, 'ybindings')}/${name}` },
  { label: `${label}: policy deleted`, method: 'DELETE', path: `${policies}/${name}` },
];
const validation = (i: number): object => ({
  expression: `object.metadata.name != 'n${i}' && size(object.metadata.name) < 1000`,
});
export const boundPolicies: readonly Heavy[] = [
  ...bound('many', '2,000 validations', { validations: many(2_000, validation) }),
  ...bound('more', '20,000 validations', { validations: many(20_000, () => ({ expression: 'true' })) }),
  ...bound('long', 'an expression of 1.2 MB', {
    validations: [{ expression: `[${'1,'.repeat(600_000)}1].size() > 0` }],
  }),
  ...bound('deep', 'an expression of 100,000 brackets', {
    validations: [{ expression: `${'('.repeat(100_000)}true${')'.repeat(100_000)}` }],
  }),
  ...bound('ands', 'an expression of 50,000 conditions', {
    validations: [{ expression: many(50_000, (i) => `object.metadata.name != '${i}'`).join(' && ') }],
  }),
  ...bound('costs', 'an expression that costs much', {
    validations: [
      {
        expression:
          '[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, [0,1,2,3,4,5,6,7,8,9].all(d, [0,1,2,3,4,5,6,7,8,9].all(e, [0,1,2,3,4,5,6,7,8,9].all(f, true))))))',
      },
    ],
  }),
  ...bound('annotations', '2,000 audit annotations', {
    validations: [{ expression: 'true' }],
    auditAnnotations: many(20, (i) => ({ key: `k${i}`, valueExpression: `'a' + string(${i})` })),
  }),
];

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const roleRules = (count: number): object[] =>
  many(count, (i) => ({ apiGroups: [''], resources: ['pods'], resourceNames: [`n${i}`], verbs: ['get'] }));
const bob = { 'impersonate-user': 'bob', 'impersonate-group': 'system:authenticated' };
const asBob = (heavy: Heavy): Heavy => ({ ...heavy, headers: bob });
export const roles: readonly Heavy[] = [
  post('role of 15,000 rules', `${rbac}/namespaces/default/roles`, {
    metadata: { name: 'many' },
    rules: roleRules(15_000),
  }),
  post('role of 1 rule with 100,000 names', `${rbac}/namespaces/default/roles`, {
    metadata: { name: 'names' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: many(100_000, (i) => `n${i}`) }],
  }),
  post('bob may bind', `${rbac}/namespaces/default/roles`, {
    metadata: { name: 'binder' },
    rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['rolebindings', 'roles'], verbs: ['*'] }],
  }),
  post('bob is bound', `${rbac}/namespaces/default/rolebindings`, {
    metadata: { name: 'bob' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'many' },
    subjects: [{ kind: 'User', name: 'bob' }],
  }),
  post('bob is bound to names', `${rbac}/namespaces/default/rolebindings`, {
    metadata: { name: 'bob2' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'names' },
    subjects: [{ kind: 'User', name: 'bob' }],
  }),
  post('bob is bound to binding', `${rbac}/namespaces/default/rolebindings`, {
    metadata: { name: 'bob3' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'binder' },
    subjects: [{ kind: 'User', name: 'bob' }],
  }),
  asBob(
    post('bob binds what he holds', `${rbac}/namespaces/default/rolebindings`, {
      metadata: { name: 'by-bob' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'many' },
      subjects: [{ kind: 'User', name: 'alice' }],
    }),
  ),
  asBob(
    post('bob makes a role of what he holds', `${rbac}/namespaces/default/roles`, {
      metadata: { name: 'of-bob' },
      rules: roleRules(15_000),
    }),
  ),
  asBob(
    post('bob makes a role of what he does not hold', `${rbac}/namespaces/default/roles`, {
      metadata: { name: 'of-bob-2' },
      rules: many(15_000, (i) => ({ apiGroups: [''], resources: ['pods'], resourceNames: [`m${i}`], verbs: ['get'] })),
    }),
  ),
  asBob(
    post('bob makes a role of products', `${rbac}/namespaces/default/roles`, {
      metadata: { name: 'of-bob-3' },
      rules: [
        {
          apiGroups: many(300, (i) => `g${i}`),
          resources: many(300, (i) => `r${i}`),
          verbs: many(300, (i) => `v${i}`),
        },
      ],
    }),
  ),
  asBob(
    post('bob makes a role of 100,000 names', `${rbac}/namespaces/default/roles`, {
      metadata: { name: 'of-bob-4' },
      rules: [
        { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'], resourceNames: many(100_000, (i) => `n${i}`) },
      ],
    }),
  ),
  post('binding of 15,000 subjects', `${rbac}/namespaces/default/rolebindings`, {
    metadata: { name: 'subjects' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'many' },
    subjects: many(15_000, (i) => ({ kind: 'User', name: `u${i}`, apiGroup: 'rbac.authorization.k8s.io' })),
  }),
  asBob(get('bob lists pods', '/api/v1/namespaces/default/pods')),
  asBob(
    post('rules of bob', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
      spec: { namespace: 'default' },
    }),
  ),
  post('cluster role that gathers', `${rbac}/clusterroles`, {
    metadata: { name: 'gathers' },
    aggregationRule: { clusterRoleSelectors: many(15_000, (i) => ({ matchLabels: { a: `b${i}` } })) },
  }),
  post('cluster role that is gathered', `${rbac}/clusterroles`, {
    metadata: { name: 'gathered', labels: { a: 'b1' } },
    rules: roleRules(15_000),
  }),
  post('another cluster role that is gathered', `${rbac}/clusterroles`, {
    metadata: { name: 'gathered-2', labels: { a: 'b2' } },
    rules: roleRules(15_000),
  }),
];
