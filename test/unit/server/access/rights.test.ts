import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PolicyRule } from '../../../../plugins/index.js';
import type { AccessAttributes } from '../../../../runtime/contract/index.js';
import { askedBy } from '../../../../runtime/server/index.js';
import { defineEveryone, roleText } from '../../../../server/access/record-command.js';
import { passedOn, readHeaders } from '../../../../server/access/recording-proxy.js';
import { type ScopedRules, smallestRules } from '../../../../server/access/rights.js';

const user = { name: '', uid: '', groups: [], extra: {} };
const asked = (verb: string, resource: string, more: object = {}): AccessAttributes => ({
  user,
  verb,
  group: '',
  resource,
  namespace: 'shop',
  ...more,
});
const rule = (verbs: string, resources: string, more: object = {}): PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: [''],
  resources: resources.split(' '),
  resourceNames: [],
  nonResourceURLs: [],
  ...more,
});

describe('the smallest rules', () => {
  it.each<[string, readonly AccessAttributes[], readonly ScopedRules[]]>([
    ['of nothing are none', [], []],
    [
      'put verbs and resources together',
      ['watch', 'get', 'list'].flatMap((verb) => [asked(verb, 'pods'), asked(verb, 'configmaps')]),
      [{ namespace: 'shop', rules: [rule('get list watch', 'configmaps pods')] }],
    ],
    [
      'put groups together where all else is equal',
      [asked('create', 'events'), asked('create', 'events', { group: 'events.k8s.io' })],
      [{ namespace: 'shop', rules: [rule('create', 'events', { apiGroups: ['', 'events.k8s.io'] })] }],
    ],
    [
      'name the objects, unless all of them are meant',
      [
        asked('get', 'pods', { name: 'b' }),
        asked('get', 'pods', { name: 'a' }),
        asked('delete', 'pods', { name: 'a' }),
        asked('get', 'secrets', { name: 'a' }),
        asked('get', 'secrets'),
      ],
      [
        {
          namespace: 'shop',
          rules: [
            rule('get delete', 'pods', { resourceNames: ['a'] }),
            rule('get', 'pods', { resourceNames: ['b'] }),
            rule('get', 'secrets'),
          ],
        },
      ],
    ],
    [
      'leave out in a namespace what the cluster role has',
      [asked('list', 'pods', { namespace: '' }), asked('list', 'pods'), asked('get', 'pods', { subresource: 'log' })],
      [
        { namespace: '', rules: [rule('list', 'pods')] },
        { namespace: 'shop', rules: [rule('get', 'pods/log')] },
      ],
    ],
    [
      'have paths in the cluster role',
      [{ user, verb: 'get', path: '/metrics' }, { user, verb: 'get', path: '/logs' }, asked('get', 'pods')],
      [
        {
          namespace: '',
          rules: [
            { verbs: ['get'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['/logs', '/metrics'] },
          ],
        },
        { namespace: 'shop', rules: [rule('get', 'pods')] },
      ],
    ],
  ])('%s', (_, requests, scopes) => expect(smallestRules(requests)).toEqual(scopes));

  const few = (...words: string[]) => fc.constantFrom(...words);
  const requests = fc.array(
    fc.record({
      verb: few('get', 'list', 'create'),
      group: few('', 'apps'),
      resource: few('pods', 'secrets'),
      namespace: few('', 'a', 'b'),
      name: few('', 'x', 'y'),
    }),
    { maxLength: 12 },
  );

  it('grant the requested right and nothing else', () => {
    fc.assert(
      fc.property(requests, (list) => {
        const text = (one: object) => JSON.stringify(one);
        const given = smallestRules(list.map((one) => ({ user, ...one }))).flatMap(({ namespace, rules }) =>
          rules.flatMap(({ verbs, apiGroups, resources, resourceNames }) =>
            verbs.flatMap((verb) =>
              apiGroups.flatMap((group) =>
                resources.flatMap((resource) =>
                  (resourceNames.length === 0 ? [''] : resourceNames).map((name) => ({
                    verb,
                    group,
                    resource,
                    namespace,
                    name,
                  })),
                ),
              ),
            ),
          ),
        );
        const askedFor = new Set(list.map(text));
        for (const one of given) expect(askedFor).toContain(text(one));
        expect(new Set(given.map(text)).size).toBe(given.length);
        for (const one of list) {
          const covered = given.some(
            (other) =>
              other.verb === one.verb &&
              other.group === one.group &&
              other.resource === one.resource &&
              ['', one.namespace].includes(other.namespace) &&
              ['', one.name].includes(other.name),
          );
          expect(covered).toBe(true);
        }
      }),
    );
  });
});

it('roles are written with the commands that bind them', () => {
  const scopes = smallestRules([asked('get', 'pods', { name: 'x' }), { user, verb: 'get', path: '/metrics' }]);
  expect(roleText(scopes, 'reader', 'rbac.authorization.k8s.io')).toBe(`# To grant it:
#   kubectl create clusterrolebinding reader --clusterrole reader --user <user>
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: reader
rules:
  - nonResourceURLs: [/metrics]
    verbs: [get]
---
# To grant it:
#   kubectl create rolebinding reader --role reader --user <user> --namespace shop
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: reader
  namespace: shop
rules:
  - apiGroups: ['']
    resources: [pods]
    resourceNames: [x]
    verbs: [get]
`);
});

describe('a request', () => {
  const rights = (method: string, url: string, headers: Record<string, string[]> = {}) =>
    askedBy({ method, url, headers }, 'authentication.k8s.io').map(({ user: _, ...one }) => one);

  it.each([
    ['GET', '/api/v1/namespaces/shop/pods/a/log?follow=true', { verb: 'get', subresource: 'log', name: 'a' }],
    ['GET', '/apis/apps/v1/namespaces/shop/pods?watch=1&x=?', { verb: 'watch', group: 'apps' }],
    ['GET', '/api/v1/namespaces/shop/pods?fieldSelector=metadata.name%3Dx', { verb: 'list', name: 'x' }],
    ['POST', '/api/v1/namespaces/shop/pods', { verb: 'create' }],
    ['DELETE', '/api/v1/namespaces/shop/pods', { verb: 'deletecollection' }],
  ])('%s %s needs a right to a resource', (method, url, right) =>
    expect(rights(method, url)).toEqual([
      { version: 'v1', group: '', resource: 'pods', namespace: 'shop', name: '', subresource: '', ...right },
    ]),
  );

  it('without a resource needs a right to its path', () =>
    expect(rights('GET', '/metrics?a=b')).toEqual([{ verb: 'get', path: '/metrics' }]));

  it('as another user needs the right to impersonate', () => {
    const headers = { 'impersonate-user': ['anna'], 'impersonate-group': ['a', 'b'], 'impersonate-uid': ['7'] };
    expect(rights('GET', '/api/v1/nodes', headers)).toEqual([
      { verb: 'impersonate', group: '', resource: 'users', name: 'anna' },
      { verb: 'impersonate', group: '', resource: 'groups', name: 'a' },
      { verb: 'impersonate', group: '', resource: 'groups', name: 'b' },
      { verb: 'impersonate', group: 'authentication.k8s.io', version: 'v1', resource: 'uids', name: '7' },
    ]);
  });

  it('that everyone may make needs no role', () => {
    const everyone = defineEveryone();
    for (const url of ['/api', '/apis/apps/v1', '/openapi/v2', '/version', '/healthz', '/livez']) {
      expect(askedBy({ method: 'GET', url, headers: {} }, '').every(everyone), url).toBe(true);
    }
    for (const url of ['/metrics', '/api/v1/pods', '/logs']) {
      expect(askedBy({ method: 'GET', url, headers: {} }, '').some(everyone), url).toBe(false);
    }
  });
});

it('a proxy passes on all values of headers, except headers of the connection', () => {
  const raw = [
    'Impersonate-Group',
    'a',
    'Impersonate-Group',
    'b',
    'Connection',
    'x-own, close',
    'X-Own',
    '1',
    'TE',
    'x',
  ];
  expect(passedOn(readHeaders([...raw, 'Host', 'h', 'Accept', 'y']), 'host')).toEqual({
    'impersonate-group': ['a', 'b'],
    accept: ['y'],
  });
});
