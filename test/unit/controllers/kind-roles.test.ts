import { expect, it } from 'vitest';
import { servingForTests } from '../../support/serving.js';

const running = servingForTests({ naming: 'kubernetes', controllers: 'kind-roles,clusterrole-aggregation' });

async function ask(method: string, path: string, body?: object) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
  const answer = await fetch(`${running().url}/apis/${path}`, { method, ...init });
  return { code: answer.status, body: await answer.json() };
}

const definitions = 'apiextensions.k8s.io/v1/customresourcedefinitions';
const roles = 'rbac.authorization.k8s.io/v1/clusterroles';

const define = (plural: string, annotations: object = {}, group = 'shop.example.com') => {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }];
  const kind = plural.slice(0, 1).toUpperCase() + plural.slice(1, -1);
  const spec = { group, scope: 'Namespaced', names: { plural, kind }, versions };
  return ask('POST', definitions, { metadata: { name: `${plural}.${group}`, annotations }, spec });
};
const namesOf = async (plural: string): Promise<readonly string[]> => {
  const { items } = (await ask('GET', `${roles}?labelSelector=kindforge.dev/roles-of-kind`)).body;
  const names: readonly string[] = items.map((item: { metadata: { name: string } }) => item.metadata.name);
  return names.filter((name) => name.includes(`:${plural}.`)).map((name) => name.split(':').at(-1) ?? '');
};
const rulesOf = async (name: string): Promise<string> =>
  JSON.stringify((await ask('GET', `${roles}/${name}`)).body.rules);

it('come and go with a definition, and with them the rights of the roles of people', async () => {
  expect((await define('widgets')).code).toBe(201);
  await expect.poll(() => namesOf('widgets')).toEqual(['edit', 'view']);
  await expect.poll(() => rulesOf('view')).toContain('"resources":["widgets","widgets/status"]');
  await expect.poll(() => rulesOf('admin')).toContain('"resources":["widgets"]');
  await ask('DELETE', `${definitions}/widgets.shop.example.com`);
  await expect.poll(() => namesOf('widgets')).toEqual([]);
  await expect.poll(() => rulesOf('view')).not.toContain('widgets');
  await expect.poll(() => rulesOf('admin')).not.toContain('widgets');
});

it('follow the annotations of a definition', async () => {
  await define('keys', { 'kindforge.dev/read': 'edit', 'kindforge.dev/write': 'admin' });
  await expect.poll(() => namesOf('keys')).toEqual(['admin', 'edit']);
  const annotations = { 'kindforge.dev/read': 'none', 'kindforge.dev/write': null };
  await ask('PATCH', `${definitions}/keys.shop.example.com`, { metadata: { annotations } });
  await expect.poll(() => namesOf('keys')).toEqual(['edit']);
  await expect.poll(() => rulesOf('kindforge:keys.shop.example.com:edit')).toContain('"create"');
});

it('are restored', async () => {
  await define('tools');
  await expect.poll(() => namesOf('tools')).toEqual(['edit', 'view']);
  const name = 'kindforge:tools.shop.example.com:view';
  const right = await rulesOf(name);
  await ask('PATCH', `${roles}/${name}`, { rules: [] });
  await expect.poll(() => rulesOf(name)).toBe(right);
  await ask('DELETE', `${roles}/${name}`);
  await expect.poll(() => rulesOf(name)).toBe(right);
});

it('give no rights on a kind that is not established', async () => {
  await define('gadgets', {}, 'one.example.com');
  await expect.poll(() => namesOf('gadgets')).toEqual(['edit', 'view']);
  const schema = { openAPIV3Schema: { type: 'object' } };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  // Its kind is taken, so the definition is not established.
  const spec = { group: 'one.example.com', scope: 'Namespaced', names: { plural: 'others', kind: 'Gadget' }, versions };
  await ask('POST', definitions, { metadata: { name: 'others.one.example.com' }, spec });
  await define('lasts');
  await expect.poll(() => namesOf('lasts')).toEqual(['edit', 'view']);
  expect(await namesOf('others')).toEqual([]);
});
