import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { type ListeningServer, startServing } from '../../support/serving.js';

let running: ListeningServer;
beforeAll(async () => {
  running = await startServing({ naming: 'kubernetes' });
}, 300_000);
afterAll(() => running.stop());

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

async function ask(method: string, path: string, body?: JsonObject): Promise<JsonObject> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
  const answer = await fetch(`${running.url}${path}`, { method, ...init });
  const read: unknown = await answer.json();
  return isObject(read) ? read : {};
}

const rule = (resource: string): JsonObject => ({ apiGroups: ['example.com'], resources: [resource], verbs: ['get'] });
const part = (name: string, resource: string, labels: JsonObject): JsonObject => ({
  metadata: { name, labels },
  rules: [rule(resource)],
});
const rulesOf = async (name: string): Promise<unknown> => (await ask('GET', `${roles}/${name}`)).rules ?? [];

it('gathers new, changed and removed parts by name, each rule once', async () => {
  await ask('POST', roles, {
    metadata: { name: 'whole', labels: { tier: 'second' } },
    aggregationRule: {
      clusterRoleSelectors: [
        { matchLabels: { part: 'yes' } },
        { matchExpressions: [{ key: 'part', operator: 'Exists' }] },
      ],
    },
  });
  await ask('POST', roles, {
    metadata: { name: 'whole-of-whole' },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { tier: 'second' } }] },
  });
  await ask('POST', roles, part('b', 'bees', { part: 'yes' }));
  await ask('POST', roles, part('a', 'ants', { part: 'yes' }));
  await ask('POST', roles, part('c', 'ants', { part: 'other' }));
  await expect.poll(() => rulesOf('whole')).toEqual([rule('ants'), rule('bees')]);
  await expect.poll(() => rulesOf('whole-of-whole')).toEqual([rule('ants'), rule('bees')]);

  await ask('PATCH', `${roles}/b`, { metadata: { labels: { part: null } } });
  await ask('PATCH', `${roles}/a`, { rules: [rule('apes')] });
  await expect.poll(() => rulesOf('whole')).toEqual([rule('apes'), rule('ants')]);
  await ask('DELETE', `${roles}/a`);
  await ask('DELETE', `${roles}/c`);
  await expect.poll(() => rulesOf('whole-of-whole')).toEqual([]);
}, 60_000);

it('does not write a correct role', async () => {
  const { metadata } = await ask('GET', `${roles}/edit`);
  const resourceVersion = isObject(metadata) ? metadata.resourceVersion : undefined;
  await ask('POST', roles, part('unrelated', 'things', {}));
  await ask('POST', roles, {
    metadata: { name: 'marker' },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { mark: 'x' } }] },
  });
  await ask('POST', roles, part('marked', 'marks', { mark: 'x' }));
  await expect.poll(() => rulesOf('marker')).toEqual([rule('marks')]);
  expect((await ask('GET', `${roles}/edit`)).metadata).toMatchObject({ resourceVersion });
}, 60_000);

it('removes what others write into an aggregated role', async () => {
  const before = await rulesOf('view');
  await ask('PATCH', `${roles}/view`, { rules: [rule('others')] });
  await expect.poll(() => rulesOf('view')).toEqual(before);
}, 60_000);
