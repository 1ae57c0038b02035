/**
 * The rights that requests need. Whatever way users choose to ask for something, they get only what their roles allow.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { send } from '../support/ask.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ListeningServer, servingForTests, startServing } from '../support/serving.js';

const server = servingForTests({ naming: 'kubernetes', controllers: '' });

interface Answer {
  readonly code: number;
  readonly text: string;
}

/** Sends a request as a user, or as an administrator by default. */
async function ask(
  user: string | undefined,
  method: string,
  path: string,
  body?: JsonValue,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answer = await send(server(), method, path, {
    body,
    headers: { ...(user === undefined ? {} : { 'impersonate-user': user }), ...headers },
  });
  return { code: answer.status, text: await answer.text() };
}

async function make(path: string, body: JsonObject): Promise<void> {
  const { code, text } = await ask(undefined, 'POST', path, body);
  if (code !== 201) throw new Error(`${path}: ${code} ${text}`);
}

interface Rule {
  readonly verbs: string[];
  readonly resources: string[];
  readonly apiGroups?: string[];
  readonly resourceNames?: string[];
}

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const inRbac = ['rbac.authorization.k8s.io'];
let users = 0;

/** Makes a user with these rights in namespace `mine`, or everywhere. */
async function userWith(rules: readonly Rule[], everywhere = false): Promise<string> {
  const name = `user-${++users}`;
  const kind = everywhere ? 'ClusterRole' : 'Role';
  const at = everywhere ? rbac : `${rbac}/namespaces/mine`;
  const plural = everywhere ? 'clusterrole' : 'role';
  const given = rules.map((rule) => ({ apiGroups: [''], ...rule }));
  await make(`${at}/${plural}s`, { metadata: { name }, rules: given });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name };
  const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name }];
  await make(`${at}/${plural}bindings`, { metadata: { name }, roleRef, subjects });
  return name;
}

const core = '/api/v1/namespaces/mine';
const merge = { 'content-type': 'application/merge-patch+json' };
const apply = { 'content-type': 'application/apply-patch+yaml' };
const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const deployment = {
  metadata: { name: 'd' },
  spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: pod.spec } },
};

beforeAll(async () => {
  for (const name of ['mine', 'other']) await make('/api/v1/namespaces', { metadata: { name } });
  for (const name of ['one', 'two']) await make(`${core}/configmaps`, { metadata: { name }, data: { of: name } });
  await make('/api/v1/namespaces/other/configmaps', { metadata: { name: 'far' }, data: { of: 'far' } });
  await make(`${core}/secrets`, { metadata: { name: 'hidden' } });
  await make(`${core}/serviceaccounts`, { metadata: { name: 'robot' } });
  await make(`${core}/pods`, { ...pod, spec: { ...pod.spec, serviceAccountName: 'robot' } });
  await make('/apis/apps/v1/namespaces/mine/deployments', deployment);
});

type Request = readonly [
  method: string,
  path: string,
  code: number,
  body?: JsonValue,
  headers?: Readonly<Record<string, string>>,
];

const on = (resource: string, ...verbs: string[]): Rule => ({ verbs, resources: [resource] });

const table: readonly (readonly [rights: string, rules: readonly Rule[], requests: readonly Request[]])[] = [
  [
    'get of one object',
    [{ ...on('configmaps', 'get'), resourceNames: ['one'] }],
    [
      ['GET', `${core}/configmaps/one`, 200],
      ['GET', `${core}/configmaps/one?watch=1`, 200],
      ['GET', `${core}/configmaps/two`, 403],
      ['GET', `${core}/configmaps/%74wo`, 403],
      ['GET', `${core}/configmaps`, 403],
      ['GET', `${core}/configmaps?fieldSelector=metadata.name%3Done`, 403],
      ['GET', `/api/v1/watch/namespaces/mine/configmaps/one?timeoutSeconds=1`, 403],
      ['GET', `/api/v1/namespaces/other/configmaps/one`, 403],
      ['DELETE', `${core}/configmaps/one`, 403],
      ['PUT', `${core}/configmaps/one`, 403, {}],
    ],
  ],
  [
    'list of one object',
    [{ ...on('configmaps', 'list'), resourceNames: ['one'] }],
    [
      ['GET', `${core}/configmaps?fieldSelector=metadata.name%3Done`, 200],
      ['GET', `${core}/configmaps?fieldSelector=metadata.name%3D%3Done,metadata.namespace%3Dmine`, 200],
      ['GET', `${core}/configmaps?fieldSelector=metadata.name%3Dtwo`, 403],
      ['GET', `${core}/configmaps?fieldSelector=metadata.name!%3Done`, 403],
      ['GET', `${core}/configmaps?fieldSelector=metadata.name%3Done&fieldSelector=metadata.name%3Dtwo`, 200],
      ['GET', `${core}/configmaps?fieldSelector=&fieldSelector=metadata.name%3Done`, 403],
      ['GET', `${core}/configmaps?fieldSelector=metadata.name%3Done&watch=1&timeoutSeconds=1`, 403],
      ['GET', `/api/v1/configmaps?fieldSelector=metadata.name%3Done`, 403],
      ['GET', `${core}/configmaps`, 403],
      ['GET', `${core}/configmaps/one`, 403],
      ['DELETE', `${core}/configmaps?fieldSelector=metadata.name%3Done`, 403],
    ],
  ],
  [
    'list',
    [on('configmaps', 'list')],
    [
      ['GET', `${core}/configmaps`, 200],
      ['GET', `${core}/configmaps?watch=0`, 200],
      ['GET', `${core}/configmaps?watch=false&watch=true`, 200],
      ['GET', `${core}/configmaps?watch=1&timeoutSeconds=1`, 403],
      ['GET', `${core}/configmaps?watch&timeoutSeconds=1`, 403],
      ['GET', `${core}/configmaps?watch=TRUE&timeoutSeconds=1`, 403],
      ['GET', `${core}/configmaps?watch=x&timeoutSeconds=1`, 403],
      ['GET', `${core}/configmaps?watch=true&watch=false&timeoutSeconds=1`, 403],
      ['GET', `${core}/configmaps?%77atch=1&timeoutSeconds=1`, 403],
      ['GET', `/api/v1/watch/namespaces/mine/configmaps?timeoutSeconds=1`, 403],
      ['GET', `/api/v1/configmaps`, 403],
      ['GET', `${core}/secrets`, 403],
      ['DELETE', `${core}/configmaps`, 403],
    ],
  ],
  [
    'watch',
    [on('configmaps', 'watch')],
    [
      ['GET', `${core}/configmaps?watch=1&timeoutSeconds=1`, 200],
      ['GET', `/api/v1/watch/namespaces/mine/configmaps?timeoutSeconds=1`, 200],
      ['GET', `${core}/configmaps`, 403],
      ['GET', `${core}/configmaps?watch=false`, 403],
      ['GET', `${core}/configmaps/one?watch=1`, 403],
    ],
  ],
  [
    'delete',
    [on('configmaps', 'delete')],
    [
      ['DELETE', `${core}/configmaps/one?dryRun=All`, 200],
      ['DELETE', `${core}/configmaps?dryRun=All`, 403],
      ['DELETE', `${core}/configmaps?fieldSelector=metadata.name%3Done&dryRun=All`, 403],
      ['DELETE', `${core}/configmaps/?dryRun=All`, 403],
    ],
  ],
  [
    'deletecollection',
    [on('configmaps', 'deletecollection')],
    [
      ['DELETE', `${core}/configmaps?dryRun=All`, 200],
      ['DELETE', `${core}/configmaps/one?dryRun=All`, 403],
    ],
  ],
  [
    'update',
    [on('limitranges', 'update'), on('configmaps', 'update')],
    [
      ['PUT', `${core}/configmaps/one?dryRun=All`, 200, { metadata: { name: 'one' } }],
      ['PUT', `${core}/limitranges/new?dryRun=All`, 403, { metadata: { name: 'new' } }],
      ['PATCH', `${core}/configmaps/one?dryRun=All`, 403, {}, merge],
    ],
  ],
  [
    'patch',
    [on('configmaps', 'patch')],
    [
      ['PATCH', `${core}/configmaps/one?dryRun=All`, 200, {}, merge],
      [
        'PATCH',
        `${core}/configmaps/new?dryRun=All&fieldManager=m`,
        403,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } },
        apply,
      ],
      ['PUT', `${core}/configmaps/one?dryRun=All`, 403, { metadata: { name: 'one' } }],
    ],
  ],
  [
    'an object, and none of its subresources',
    [{ ...on('pods', '*') }, { ...on('serviceaccounts', '*') }],
    [
      ['GET', `${core}/pods/p`, 200],
      ['GET', `${core}/pods/p/status`, 403],
      ['PUT', `${core}/pods/p/status`, 403, { ...pod }],
      ['PATCH', `${core}/pods/p/status`, 403, {}, merge],
      ['GET', `${core}/pods/p/log`, 403],
      ['GET', `${core}/pods/p/exec?command=a`, 403],
      ['POST', `${core}/pods/p/exec?command=a`, 403],
      ['POST', `${core}/pods/p/eviction`, 403, { metadata: { name: 'p' } }],
      ['POST', `${core}/pods/p/binding`, 403, { metadata: { name: 'p' }, target: { name: 'n' } }],
      ['POST', `${core}/bindings`, 403, { metadata: { name: 'p' }, target: { name: 'n' } }],
      ['PATCH', `${core}/pods/p/ephemeralcontainers`, 403, {}, merge],
      ['POST', `${core}/serviceaccounts/robot/token`, 403, {}],
      ['GET', `/api/v1/namespaces/mine/pods/p/proxy/x`, 403],
    ],
  ],
  [
    'subresources, and not their object',
    [
      on('pods/status', 'get'),
      { ...on('deployments/scale', 'get', 'update'), apiGroups: ['apps'] },
      { ...on('serviceaccounts/token', 'create'), resourceNames: ['robot'] },
      on('pods/eviction', 'create'),
    ],
    [
      ['GET', `${core}/pods/p/status`, 200],
      ['GET', `${core}/pods/p`, 403],
      ['PATCH', `${core}/pods/p/status`, 403, {}, merge],
      ['GET', `/apis/apps/v1/namespaces/mine/deployments/d/scale`, 200],
      ['PATCH', `/apis/apps/v1/namespaces/mine/deployments/d/scale`, 403, {}, merge],
      ['GET', `/apis/apps/v1/namespaces/mine/deployments/d`, 403],
      ['GET', `/apis/apps/v1/namespaces/mine/deployments/d/status`, 403],
      ['POST', `${core}/serviceaccounts/robot/token?dryRun=All`, 201, { spec: { audiences: ['a'] } }],
      ['POST', `${core}/serviceaccounts/default/token`, 403, {}],
      ['POST', `${core}/pods/p/eviction?dryRun=All`, 201, { metadata: { name: 'p' } }],
      ['POST', `${core}/pods`, 403, pod],
    ],
  ],
  [
    'a namespace, and not what is in it',
    [{ ...on('namespaces', 'get') }],
    [
      ['GET', core, 200],
      ['GET', `${core}/`, 200],
      ['GET', `${core}/status`, 403],
      ['PUT', `${core}/finalize`, 403, { metadata: { name: 'mine' } }],
      ['GET', `${core}/configmaps`, 403],
      ['GET', '/api/v1/namespaces/other', 403],
      ['GET', '/api/v1/namespaces', 403],
    ],
  ],
];

describe.each(table)('the right to %s', (rights, rules, requests) => {
  let user: string;
  beforeAll(async () => {
    user = await userWith(rules);
  });

  for (const [method, path, code, body, headers] of requests)
    it(`${method} ${path}: ${code}`, async () => {
      const answer = await ask(user, method, path, body, headers);
      expect([answer.code, answer.text.includes('"reason":"Forbidden"')]).toEqual([code, code === 403]);
      if (rights.endsWith('of one object')) expect(answer.text).not.toContain('"of":"two"');
    });
});

describe('a continue token', () => {
  const tokenOf = async (path: string): Promise<string> => {
    const { text } = await ask(undefined, 'GET', `${path}?limit=1`);
    return JSON.parse(text).metadata.continue;
  };
  const goOn = (user: string | undefined, path: string, token: string): Promise<Answer> =>
    ask(user, 'GET', `${path}?continue=${encodeURIComponent(token)}`);

  it('shows nothing to users who may not list', async () => {
    const token = await tokenOf(`${core}/configmaps`);
    const user = await userWith([on('secrets', 'list')]);
    expect((await goOn(user, `${core}/configmaps`, token)).code).toBe(403);
    expect((await goOn(user, '/api/v1/configmaps', token)).code).toBe(403);
    const { code, text } = await goOn(user, `${core}/secrets`, token);
    expect([code, text.includes('"of":')]).toEqual([200, false]);
  });

  it('of a list of all namespaces shows a namespace only its own objects', async () => {
    const token = await tokenOf('/api/v1/configmaps');
    for (const namespace of ['mine', 'other', 'min', 'default']) {
      const { code, text } = await goOn(undefined, `/api/v1/namespaces/${namespace}/configmaps`, token);
      expect(code).toBe(200);
      const items: readonly { readonly metadata: { readonly namespace: string } }[] = JSON.parse(text).items;
      expect(items.filter(({ metadata }) => metadata.namespace !== namespace)).toEqual([]);
    }
  });

  it('with changed or invented content is refused', async () => {
    const token = await tokenOf(`${core}/configmaps`);
    const bytes = Buffer.from(token, 'base64url');
    const changed = [0, 8, 17, bytes.length - 1].map((at) => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy.toString('base64url');
    });
    const own = Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"../secrets/"}').toString('base64url');
    const other = Buffer.concat([bytes.subarray(0, 16), Buffer.from('[0,"../other/",0]')]).toString('base64url');
    for (const wrong of [...changed, own, other, 'x', token.slice(0, 10)])
      expect((await goOn(undefined, `${core}/configmaps`, wrong)).code).toBe(400);
  });
});

describe('a user who may write roles and bindings, but not read secrets', () => {
  const strong = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
  const weak = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
  const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'me' }];
  const refTo = (kind: string, name: string): JsonObject => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });
  const jsonPatch = { 'content-type': 'application/json-patch+json' };
  const of = (kind: string, name: string, more: JsonObject): JsonObject => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: { name },
    ...more,
  });
  const all = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'];
  const writers = { apiGroups: inRbac, resources: all, verbs: ['create', 'update', 'patch', 'get'] };
  const reads = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] };
  let writer: string;
  let escalates: string;
  let binds: string;
  const mine = `${rbac}/namespaces/mine`;

  beforeAll(async () => {
    writer = await userWith([writers, reads], true);
    escalates = await userWith([writers, { ...writers, verbs: ['escalate'] }], true);
    binds = await userWith([writers, { ...writers, verbs: ['bind'] }], true);
    await make(`${mine}/roles`, of('Role', 'weak', { rules: weak }));
    await make(`${mine}/roles`, of('Role', 'strong', { rules: strong }));
    await make(`${rbac}/clusterroles`, of('ClusterRole', 'weak', { rules: weak }));
    await make(`${rbac}/clusterroles`, of('ClusterRole', 'strong', { rules: strong }));
    const empty = of('RoleBinding', 'empty', { roleRef: refTo('Role', 'strong') });
    await make(`${mine}/rolebindings`, empty);
  });

  const fields = '?fieldManager=m&force=true';
  const replaced = [{ op: 'replace', path: '/rules', value: strong }];
  const gathers = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } };
  const asStrong = { roleRef: refTo('Role', 'strong'), subjects };
  const asStrongest = { roleRef: refTo('ClusterRole', 'strong'), subjects };
  const requests: readonly Request[] = [
    ['POST', `${mine}/roles`, 403, of('Role', 'a', { rules: strong })],
    ['POST', `${mine}/roles?dryRun=All`, 403, of('Role', 'a', { rules: strong })],
    ['PUT', `${mine}/roles/a`, 403, of('Role', 'a', { rules: strong })],
    ['PUT', `${mine}/roles/weak`, 403, of('Role', 'weak', { rules: strong })],
    ['PATCH', `${mine}/roles/weak`, 403, { rules: strong }, merge],
    ['PATCH', `${mine}/roles/weak`, 403, replaced, jsonPatch],
    [
      'PATCH',
      `${mine}/roles/weak`,
      403,
      { rules: strong },
      { 'content-type': 'application/strategic-merge-patch+json' },
    ],
    ['PATCH', `${mine}/roles/weak${fields}`, 403, of('Role', 'weak', { rules: strong }), apply],
    ['PATCH', `${mine}/roles/a${fields}`, 403, of('Role', 'a', { rules: strong }), apply],
    ['POST', `${rbac}/clusterroles`, 403, of('ClusterRole', 'a', { rules: strong })],
    ['POST', `${rbac}/clusterroles`, 403, of('ClusterRole', 'a', gathers)],
    ['PUT', `${rbac}/clusterroles/a`, 403, of('ClusterRole', 'a', gathers)],
    ['PATCH', `${rbac}/clusterroles/weak`, 403, gathers, merge],
    ['PATCH', `${rbac}/clusterroles/weak${fields}`, 403, of('ClusterRole', 'weak', gathers), apply],
    ['POST', `${mine}/rolebindings`, 403, of('RoleBinding', 'a', asStrong)],
    ['POST', `${mine}/rolebindings`, 403, of('RoleBinding', 'a', asStrongest)],
    ['POST', `${mine}/rolebindings`, 403, of('RoleBinding', 'a', { roleRef: refTo('ClusterRole', 'admin'), subjects })],
    ['PUT', `${mine}/rolebindings/a`, 403, of('RoleBinding', 'a', asStrong)],
    ['PUT', `${mine}/rolebindings/empty`, 403, of('RoleBinding', 'empty', asStrong)],
    ['PATCH', `${mine}/rolebindings/empty`, 403, { subjects }, merge],
    ['PATCH', `${mine}/rolebindings/empty`, 403, [{ op: 'add', path: '/subjects', value: subjects }], jsonPatch],
    ['PATCH', `${mine}/rolebindings/empty${fields}`, 403, of('RoleBinding', 'empty', asStrong), apply],
    ['PATCH', `${mine}/rolebindings/a${fields}`, 403, of('RoleBinding', 'a', asStrong), apply],
    ['POST', `${rbac}/clusterrolebindings`, 403, of('ClusterRoleBinding', 'a', asStrongest)],
    ['PUT', `${rbac}/clusterrolebindings/a`, 403, of('ClusterRoleBinding', 'a', asStrongest)],
    ['POST', `${mine}/roles?dryRun=All`, 201, of('Role', 'a', { rules: weak })],
    [
      'POST',
      `${mine}/rolebindings?dryRun=All`,
      201,
      of('RoleBinding', 'a', { roleRef: refTo('Role', 'weak'), subjects }),
    ],
  ];

  for (const [method, path, code, body, headers] of requests)
    it(`${method} ${path}: ${code}`, async () => {
      const answer = await ask(writer, method, path, body, headers);
      expect([answer.code, answer.text.includes('"reason":"Forbidden"')]).toEqual([code, code === 403]);
    });

  it('grants more with the right to do so', async () => {
    const role = of('Role', 'b', { rules: strong });
    const binding = of('RoleBinding', 'b', asStrong);
    const codes = async (user: string): Promise<readonly number[]> => [
      (await ask(user, 'POST', `${mine}/roles?dryRun=All`, role)).code,
      (await ask(user, 'POST', `${mine}/rolebindings?dryRun=All`, binding)).code,
    ];
    expect(await codes(escalates)).toEqual([201, 403]);
    expect(await codes(binds)).toEqual([403, 201]);
  });
});

describe('an impersonating proxy', () => {
  let proxied: ListeningServer;
  const folder = scratchFolder();
  const proxy = { authorization: 'Bearer proxy' };
  const on = { apiGroup: 'rbac.authorization.k8s.io' };

  beforeAll(async () => {
    const tokens = join(folder, 'tokens.csv');
    writeFileSync(tokens, 'chief,chief,1,system:masters\nproxy,proxy,2\n');
    proxied = await startServing({ naming: 'kubernetes', controllers: '', tokenAuthFile: tokens });
    const make = async (path: string, body: JsonObject): Promise<void> => {
      const headers = { authorization: 'Bearer chief', 'content-type': 'application/json' };
      const url = `${proxied.url}${rbac}/${path}`;
      expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(201);
    };
    const may = (resource: string, name: string, apiGroup = ''): JsonObject => ({
      apiGroups: [apiGroup],
      resources: [resource],
      resourceNames: [name],
      verbs: ['impersonate'],
    });
    const rules = [
      may('users', 'anna'),
      may('groups', 'readers'),
      may('uids', 'u-1', 'authentication.k8s.io'),
      may('userextras/scopes', 'view', 'authentication.k8s.io'),
    ];
    await make('clusterroles', { metadata: { name: 'proxy' }, rules });
    const roleRef = { ...on, kind: 'ClusterRole', name: 'proxy' };
    const subjects = [{ ...on, kind: 'User', name: 'proxy' }];
    await make('clusterrolebindings', { metadata: { name: 'proxy' }, roleRef, subjects });
  });
  afterAll(() => proxied?.stop());

  it.each<[number, Readonly<Record<string, string>>]>([
    [200, {}],
    [200, { 'impersonate-user': 'anna' }],
    [200, { 'impersonate-user': 'anna', 'impersonate-group': 'readers' }],
    [200, { 'impersonate-user': 'anna', 'impersonate-uid': 'u-1', 'impersonate-extra-scopes': 'view' }],
    [403, { 'impersonate-user': 'ben' }],
    [403, { 'impersonate-user': 'chief' }],
    [403, { 'impersonate-user': 'system:admin' }],
    [403, { 'impersonate-user': 'system:serviceaccount:default:anna' }],
    [403, { 'impersonate-user': 'anna', 'impersonate-group': 'system:masters' }],
    [403, { 'impersonate-user': 'anna', 'impersonate-uid': 'u-2' }],
    [403, { 'impersonate-user': 'anna', 'impersonate-extra-scopes': 'write' }],
    [403, { 'impersonate-user': 'anna', 'impersonate-extra-other': 'view' }],
    [400, { 'impersonate-group': 'readers' }],
    [400, { 'impersonate-uid': 'u-1' }],
    [400, { 'impersonate-extra-scopes': 'view' }],
  ])('%d for %j', async (code, headers) =>
    expect((await fetch(`${proxied.url}/apis`, { headers: { ...proxy, ...headers } })).status).toBe(code),
  );
});
