/**
 * Measures decisions by roles and bindings: `npx tsx bench/authorization.ts [--bindings 1000] [--decisions
 * 200000]`. Prints nanoseconds for each decision, those about one user among many, and those about one user with all of
 * the bindings.
 */
import { parseArgs } from 'node:util';
import { defineAdministrators, defineInOrder, defineRbac } from '../plugins/index.js';
import type { AccessAttributes, Authorizer, JsonObject, Store } from '../runtime/contract/index.js';
import { Followers } from '../runtime/follow.js';
import { platformNaming } from '../runtime/objects/naming.js';
import { memoryBackend, openStore } from '../runtime/storage/index.js';

const { values } = parseArgs({
  options: { bindings: { type: 'string', default: '1000' }, decisions: { type: 'string', default: '200000' } },
});
const bindings = Number(values.bindings);
const decisions = Number(values.decisions);
const readAttributes = () => ({ labels: {}, fields: {} });

async function put(store: Store, plural: string, namespace: string, name: string, object: JsonObject): Promise<void> {
  const text = JSON.stringify({ metadata: { resourceVersion: '', name, namespace }, ...object });
  const revisionAt = text.indexOf('""', text.indexOf('resourceVersion')) + 1;
  const key = `rbac.authorization.platform.io/${plural}/${namespace === '' ? '' : `${namespace}/`}${name}`;
  await store.commit({ key, expected: 0, next: { text, revisionAt, attributes: readAttributes() } });
}

/** A store in which each binding is for a user of its own, or all are for one, in ten namespaces. */
async function filled(userOf: (i: number) => string): Promise<Authorizer> {
  const store = await openStore({ backend: memoryBackend(), readAttributes });
  const rules = [
    { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods', 'services', 'configmaps'] },
    { verbs: ['*'], apiGroups: ['apps'], resources: ['deployments', 'deployments/scale'] },
  ];
  const paths = [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/version', '/api', '/api/*', '/apis', '/apis/*'] }];
  await put(store, 'clusterroles', '', 'role', { rules });
  await put(store, 'clusterroles', '', 'paths', { rules: paths });
  const subjects = [{ kind: 'Group', name: 'system:authenticated' }];
  await put(store, 'clusterrolebindings', '', 'paths', { roleRef: { kind: 'ClusterRole', name: 'paths' }, subjects });
  for (let i = 0; i < bindings; i++) {
    const roleRef = { kind: 'ClusterRole', name: 'role' };
    await put(store, 'rolebindings', `n${i % 10}`, `b${i}`, { roleRef, subjects: [{ kind: 'User', name: userOf(i) }] });
  }
  const { follow } = new Followers({ store, onError: console.error });
  return defineInOrder([defineAdministrators(), defineRbac({ follow, names: platformNaming }).authorizer]);
}

/** Nanoseconds for each decision, best of five rounds. */
function measure(authorizer: Authorizer, attributes: AccessAttributes): string {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5; attempt++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < decisions; i++) void authorizer.decide(attributes);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / decisions);
  }
  return `${best.toFixed(0).padStart(8)} ns`;
}

const groups = ['devs', 'testers', 'system:authenticated'];
const user = { name: 'u7', uid: '', groups, extra: {} };
const root = { ...user, groups: ['system:masters', ...groups] };
const pod = { verb: 'get', group: '', resource: 'pods', subresource: '', namespace: 'n7', name: 'a' };

for (const [who, userOf] of [
  ['one user among many', (i: number) => `u${i}`],
  ['one user with all', () => 'u7'],
] as const) {
  const authorizer = await filled(userOf);
  console.log(`${bindings} bindings, ${who}`);
  console.log(`  allowed                  ${measure(authorizer, { ...pod, user })}`);
  console.log(`  refused                  ${measure(authorizer, { ...pod, user, resource: 'secrets' })}`);
  console.log(`  a path                   ${measure(authorizer, { user, verb: 'get', path: '/apis/apps/v1' })}`);
  console.log(`  an administrator         ${measure(authorizer, { ...pod, user: root })}`);
}
