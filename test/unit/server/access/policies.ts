/** Roles and bindings for tests of questions about rights. */
import { readBinding } from '../../../../plugins/index.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { AccessPolicy } from '../../../../server/access/policy.js';
import type { Question } from '../../../../server/access/question.js';

const rule = (verbs: string, resources: string, more: JsonObject = {}): JsonObject => ({
  verbs: verbs.split(' '),
  apiGroups: [''],
  resources: resources.split(' '),
  ...more,
});

const role = (name: string, namespace: string, rules: JsonObject[], more: JsonObject = {}): JsonObject => ({
  metadata: { name, ...(namespace === '' ? {} : { namespace }), ...(more.metadata as JsonObject | undefined) },
  rules,
  ...(more.aggregationRule === undefined ? {} : { aggregationRule: more.aggregationRule }),
});

const binding = (name: string, namespace: string, kind: string, to: string, ...subjects: JsonObject[]): JsonObject => ({
  metadata: { name, ...(namespace === '' ? {} : { namespace }) },
  roleRef: { kind, name: to },
  subjects,
});

const user = (name: string): JsonObject => ({ kind: 'User', name });
const group = (name: string): JsonObject => ({ kind: 'Group', name });

/**
 * Anna is a clerk of the shop, the group devs may read one secret there, lookers may read all pods, roots may do
 * everything.
 */
export const policy = new AccessPolicy(
  [
    role('clerk', 'shop', [rule('get list', 'configmaps secrets'), rule('get', 'pods')]),
    role('one', 'shop', [rule('get update create', 'secrets', { resourceNames: ['s1', 's0'] })]),
    role('root', '', [rule('*', '*', { apiGroups: ['*'] }), { verbs: ['*'], nonResourceURLs: ['*'] }]),
    role('view', '', [rule('get list', 'pods pods/log')], {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'view' } }] },
    }),
    role('view-logs', '', [rule('get list', 'pods pods/log')], { metadata: { labels: { part: 'view' } } }),
    role('view-nothing', '', [rule('get', 'nodes')], { metadata: { labels: { part: 'view' } } }),
    role('scraper', '', [{ verbs: ['get'], nonResourceURLs: ['/metrics', '/debug/*'] }]),
    role('node-reader', '', [rule('get', 'nodes')]),
  ],
  [
    binding('clerks', 'shop', 'Role', 'clerk', user('anna'), { kind: 'ServiceAccount', name: 'bot' }),
    binding('ones', 'shop', 'Role', 'one', group('devs')),
    binding('gone', 'shop', 'Role', 'gone', user('anna')),
    binding('admins', '', 'ClusterRole', 'root', group('roots')),
    binding('lookers', '', 'ClusterRole', 'view', group('lookers')),
    binding('scrapers', '', 'ClusterRole', 'scraper', user('prom')),
    binding('nodes', 'shop', 'ClusterRole', 'node-reader', user('nora')),
    binding('tricked', 'shop', 'ClusterRole', 'scraper', user('mallory')),
    binding('backs', 'back', 'ClusterRole', 'view', user('ben')),
  ].map(readBinding),
);

/** Makes a question about a resource of the core group, in the namespace `shop` unless `more` says otherwise. */
export const ask = (verb: string, resource: string, more: object = {}): Question => ({
  verb,
  group: '',
  resource,
  subresource: '',
  name: '',
  namespace: 'shop',
  ...more,
});
