import { describe, expect, it } from 'vitest';
import type { ServerDecision } from '../../../../server/access/ask-server.js';
import { askedUser, type Question, readQuestion } from '../../../../server/access/question.js';
import { why, whyLines } from '../../../../server/access/why.js';
import { ask, policy } from './policies.js';

const explain = (question: Question, name: string, groups: readonly string[] = [], decision?: ServerDecision) =>
  why(policy, askedUser(name, groups), question, decision);

describe('an explanation of an allowed request', () => {
  it('names a rule, its role and a binding', () => {
    const answer = explain(ask('get', 'pods'), 'anna');
    expect(answer).toMatchObject({ allowed: true, by: 'roles', nearest: [] });
    expect(answer.grants).toEqual([
      {
        subject: { kind: 'User', name: 'anna' },
        binding: { kind: 'RoleBinding', name: 'clerks', namespace: 'shop' },
        role: { kind: 'Role', name: 'clerk', namespace: 'shop' },
        rule: 2,
        text: 'get on pods',
        from: [],
      },
    ]);
  });

  it('names the part that gives an aggregated role the rule', () => {
    const [grant] = explain(ask('get', 'pods', { subresource: 'log' }), 'joe', ['lookers']).grants;
    expect(grant).toMatchObject({ role: { name: 'view' }, from: [{ kind: 'ClusterRole', name: 'view-logs' }] });
  });

  it('names a group, a service account, or the group of administrators', () => {
    expect(explain(ask('get', 'secrets', { name: 's1' }), 'joe', ['devs'])).toMatchObject({ by: 'roles' });
    expect(explain(ask('get', 'secrets'), 'system:serviceaccount:shop:bot')).toMatchObject({ by: 'roles' });
    expect(explain(ask('get', 'x'), 'joe', ['system:masters'])).toMatchObject({ allowed: true, by: 'administrators' });
  });

  it('may name another authorizer, and so may a refusal', () => {
    const said = (allowed: boolean): ServerDecision => ({ allowed, reason: 'so there', evaluationError: '' });
    const yes = explain(ask('delete', 'pods'), 'anna', [], said(true));
    expect(yes).toMatchObject({ allowed: true, by: 'another authorizer', grants: [] });
    const no = explain(ask('get', 'pods'), 'anna', [], said(false));
    expect(no).toMatchObject({ allowed: false, by: 'another authorizer' });
    expect([...whyLines(no)]).toEqual(
      expect.arrayContaining([
        'denied: user anna may not get pods in namespace shop',
        'roles allow it, but another authorizer denies it',
        'the server says: so there',
      ]),
    );
  });
});

describe('a request that is denied lists as nearest', () => {
  const anna = 'RoleBinding shop/clerks, which gives User anna, ServiceAccount shop/bot Role shop/clerk,';
  const none = 'no binding gives user';
  it.each<[string, Question, string, readonly string[], readonly string[]]>([
    [
      'a rule for other verbs',
      ask('delete', 'secrets'),
      'anna',
      [],
      [
        'RoleBinding shop/gone, which gives User anna Role shop/gone, has no effect: Role shop/gone does not exist',
        `${anna} is for get, list only, not delete (rule 1)`,
        `${none} anna a role that allows delete secrets in namespace shop: ClusterRole root`,
      ],
    ],
    [
      'a binding in another namespace',
      ask('list', 'secrets', { namespace: 'back' }),
      'anna',
      [],
      [
        `${anna} allows it in namespace shop only`,
        `${none} anna a role that allows list secrets in namespace back: ClusterRole root`,
      ],
    ],
    [
      'a rule for other names',
      ask('get', 'secrets', { name: 's2' }),
      'joe',
      ['devs'],
      [
        'RoleBinding shop/ones, which gives Group devs Role shop/one, is for the names s1, s0 only (rule 1)',
        `${none} joe a role that allows get secrets "s2" in namespace shop: Role shop/clerk`,
      ],
    ],
    [
      'a rule for another group',
      ask('get', 'pods', { group: 'apps' }),
      'ben',
      ['lookers'],
      [
        'ClusterRoleBinding lookers, which gives Group lookers ClusterRole view, is for the API groups "", not apps (rule 1)',
        `${none} ben a role that allows get pods.apps in namespace shop: ClusterRole root`,
      ],
    ],
    [
      'a rule for the resource without its subresource',
      ask('get', 'pods', { subresource: 'log' }),
      'system:serviceaccount:shop:bot',
      [],
      [
        `${anna} is for the resources pods, not pods/log (rule 2)`,
        `${none} system:serviceaccount:shop:bot a role that allows get pods/log in namespace shop: ClusterRole view, ClusterRole view-logs`,
      ],
    ],
    [
      'a role with the path',
      { verb: 'get', path: '/metrics' },
      'mallory',
      [],
      [
        'RoleBinding shop/tricked, which gives User mallory ClusterRole scraper, allows it in namespace shop only',
        `${none} mallory a role that allows get /metrics: ClusterRole scraper`,
      ],
    ],
  ])('%s', (_, question, name, groups, nearest) =>
    expect(explain(question, name, groups)).toMatchObject({ allowed: false, by: 'nobody', nearest }),
  );
});

describe('a user', () => {
  it.each([
    ['anna', [], ['system:authenticated']],
    ['anna', ['devs'], ['devs', 'system:authenticated']],
    ['system:anonymous', [], ['system:unauthenticated']],
    [
      'system:serviceaccount:shop:bot',
      [],
      ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
    ],
    ['system:serviceaccount:shop:bot', ['devs'], ['devs', 'system:authenticated']],
  ])('%s in %j has the groups of the impersonated user', (name, named, groups) =>
    expect(askedUser(name, named).groups).toEqual(groups),
  );
});

describe('the words of a question', () => {
  const resource = (group: string, plural: string, kind: string, scope: 'Cluster' | 'Namespaced', short: string) => ({
    group,
    version: 'v1',
    plural,
    kind,
    scope,
    subresources: [],
    verbs: [],
    shortNames: [short],
  });
  const known = [
    resource('', 'pods', 'Pod', 'Namespaced', 'po'),
    resource('', 'nodes', 'Node', 'Cluster', 'no'),
    resource('', 'namespaces', 'Namespace', 'Cluster', 'ns'),
    resource('', 'events', 'Event', 'Namespaced', 'ev'),
    resource('events.k8s.io', 'events', 'Event', 'Namespaced', 'ev'),
    resource('apps', 'deployments', 'Deployment', 'Namespaced', 'deploy'),
  ];
  const read = (verb: string, typed: string, more: object = {}) =>
    readQuestion({ verb, resource: typed, namespace: 'shop', allNamespaces: false, ...more }, known);

  it.each([
    ['po', { resource: 'pods', group: '', namespace: 'shop' }],
    ['Pod', { resource: 'pods' }],
    ['pods/log', { resource: 'pods', subresource: 'log' }],
    ['deploy', { resource: 'deployments', group: 'apps' }],
    ['deployments.apps/scale', { resource: 'deployments', group: 'apps', subresource: 'scale' }],
    ['events', { resource: 'events', group: '' }],
    ['events.events.k8s.io', { resource: 'events', group: 'events.k8s.io' }],
    ['events.events', { resource: 'events', group: 'events.k8s.io' }],
    ['no', { resource: 'nodes', namespace: '' }],
    ['widgets.example.com', { resource: 'widgets', group: 'example.com', namespace: 'shop' }],
    ['*', { resource: '*', group: '' }],
  ])('accept %s', (typed, question) => expect(read('get', typed).question).toMatchObject(question));

  it('accept a path', () => expect(read('GET', '/metrics').question).toEqual({ verb: 'get', path: '/metrics' }));

  it('accept a single namespace for a request in it', () => {
    expect(read('get', 'ns', { name: 'back' }).question).toMatchObject({ namespace: 'back' });
    expect(read('list', 'ns', { name: 'back' }).question).toMatchObject({ namespace: '' });
  });

  it('are questioned if they look like mistakes', () => {
    expect(read('gte', 'pdos').remarks).toEqual([
      'gte is not a usual verb; did you mean `get`?',
      'the server has no resource pdos; did you mean `pods`? It is used as written',
    ]);
    expect(read('use', 'po').remarks).toEqual([]);
  });

  it('mean all namespaces if the resource has some', () => {
    expect(read('get', 'po', { allNamespaces: true })).toMatchObject({ everywhere: true, question: { namespace: '' } });
    expect(read('get', 'no', { allNamespaces: true })).toMatchObject({ everywhere: false });
  });
});
