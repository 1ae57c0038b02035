import { expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import { ask } from '../../support/ask.js';
import { servingForTests } from '../../support/serving.js';

const running = servingForTests({ naming: 'kubernetes' });

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

const send = async (method: string, path: string, body?: JsonObject): Promise<JsonObject> =>
  (await ask(running(), method, path, body)).body;

const rule = (resource: string): JsonObject => ({ apiGroups: ['example.com'], resources: [resource], verbs: ['get'] });
const part = (name: string, resource: string, labels: JsonObject): JsonObject => ({
  metadata: { name, labels },
  rules: [rule(resource)],
});
const rulesOf = async (name: string): Promise<unknown> => (await send('GET', `${roles}/${name}`)).rules ?? [];

it('gathers new, changed and removed parts by name, each rule once', async () => {
  await send('POST', roles, {
    metadata: { name: 'whole', labels: { tier: 'second' } },
    aggregationRule: {
      clusterRoleSelectors: [
        { matchLabels: { part: 'yes' } },
        { matchExpressions: [{ key: 'part', operator: 'Exists' }] },
      ],
    },
  });
  await send('POST', roles, {
    metadata: { name: 'whole-of-whole' },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { tier: 'second' } }] },
  });
  await send('POST', roles, part('b', 'bees', { part: 'yes' }));
  await send('POST', roles, part('a', 'ants', { part: 'yes' }));
  await send('POST', roles, part('c', 'ants', { part: 'other' }));
  await expect.poll(() => rulesOf('whole')).toEqual([rule('ants'), rule('bees')]);
  await expect.poll(() => rulesOf('whole-of-whole')).toEqual([rule('ants'), rule('bees')]);

  await send('PATCH', `${roles}/b`, { metadata: { labels: { part: null } } });
  await send('PATCH', `${roles}/a`, { rules: [rule('apes')] });
  await expect.poll(() => rulesOf('whole')).toEqual([rule('apes'), rule('ants')]);
  await send('DELETE', `${roles}/a`);
  await send('DELETE', `${roles}/c`);
  await expect.poll(() => rulesOf('whole-of-whole')).toEqual([]);
}, 60_000);

it('does not write a correct role', async () => {
  const resourceVersion = objectAt(await send('GET', `${roles}/edit`), 'metadata')?.resourceVersion;
  await send('POST', roles, part('unrelated', 'things', {}));
  await send('POST', roles, {
    metadata: { name: 'marker' },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { mark: 'x' } }] },
  });
  await send('POST', roles, part('marked', 'marks', { mark: 'x' }));
  await expect.poll(() => rulesOf('marker')).toEqual([rule('marks')]);
  expect((await send('GET', `${roles}/edit`)).metadata).toMatchObject({ resourceVersion });
}, 60_000);

it('removes what others write into an aggregated role', async () => {
  const before = await rulesOf('view');
  await send('PATCH', `${roles}/view`, { rules: [rule('others')] });
  await expect.poll(() => rulesOf('view')).toEqual(before);
}, 60_000);
