/** Scale of custom resources, whatever value the definition's count fields have. */
import { beforeAll, expect, it, vi } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { ask } from '../../../support/ask.js';
import { servingForTests } from '../../../support/serving.js';

const running = servingForTests({ naming: 'kubernetes', controllers: 'none' });
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const farms = '/apis/example.com/v1/namespaces/default/farms';
const scalePaths = {
  specReplicasPath: '.spec.n',
  statusReplicasPath: '.status.n',
  labelSelectorPath: '.status.selector',
};

const send = (method: string, path: string, body?: JsonValue, type?: string) =>
  ask(running(), method, path, body, type);
const apply = 'application/apply-patch+yaml';
const farm = (name: string, spec: JsonValue): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Farm',
  metadata: { name },
  spec,
});
const scaleOf = (name: string, replicas: number): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name },
  spec: { replicas },
});

function definition(subresources: JsonObject): JsonObject {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { 'x-kubernetes-preserve-unknown-fields': true }, status: open },
    },
  };
  const versions = [{ name: 'v1', served: true, storage: true, schema, subresources }];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'farms.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'farms', kind: 'Farm' }, versions },
  };
}

beforeAll(async () => {
  await send('POST', definitions, definition({ status: {} }));
  await vi.waitUntil(async () => (await send('GET', farms)).code === 200, { timeout: 30_000 });
  // Objects that are stored before the definition has a scale may have any value there.
  for (const [name, spec] of Object.entries({ text: { n: '2' }, blocked: 'text', negative: { n: -1 } })) {
    expect((await send('POST', farms, farm(name, spec))).code).toBe(201);
  }
  await send('PATCH', `${definitions}/farms.example.com`, {
    spec: definition({ status: {}, scale: scalePaths }).spec ?? {},
  });
  await vi.waitUntil(async () => (await send('GET', `${farms}/text/scale`)).code !== 404, { timeout: 30_000 });
});

const wrong = '.spec.n: Invalid value: -1: should be a non-negative integer';

it('an invalid count is refused in every kind of write', async () => {
  expect((await send('POST', farms, farm('good', { n: 1 }))).code).toBe(201);
  const good = (await send('GET', `${farms}/good`)).body;
  const writes = [
    await send('POST', farms, farm('bad', { n: -1 })),
    await send('PUT', `${farms}/good`, { ...good, spec: { n: -1 } }),
    await send('PATCH', `${farms}/good`, { spec: { n: -1 } }),
    await send('PATCH', `${farms}/good?fieldManager=a&force=true`, farm('good', { n: -1 }), apply),
    await send('PATCH', `${farms}/good/scale`, { spec: { replicas: -1 } }),
  ];
  for (const { code, body } of writes) {
    expect(code).toBe(422);
    expect(body.message).toContain(wrong);
  }
  const status = await send('PATCH', `${farms}/good/status`, { status: { n: 1.5, selector: 7 } });
  expect(status.code).toBe(422);
  expect(status.body.message).toContain('.status.selector accessor error: 7 is of the type int64, expected string');
  expect((await send('GET', `${farms}/good/scale`)).body).toMatchObject({
    spec: { replicas: 1 },
    status: { replicas: 0 },
  });
});

it('an absent count is reported, and can be set', async () => {
  await send('POST', farms, farm('empty', {}));
  const { code, body } = await send('GET', `${farms}/empty/scale`);
  expect(code).toBe(422);
  expect(body.message).toBe('the spec replicas field ".spec.n" does not exist');
  expect(await send('PUT', `${farms}/empty/scale`, scaleOf('empty', 3))).toMatchObject({
    code: 200,
    body: { spec: { replicas: 3 } },
  });
  expect((await send('GET', `${farms}/empty`)).body.spec).toEqual({ n: 3 });
});

it.each([
  ['text', '.spec.n accessor error: 2 is of the type string, expected int64'],
  ['blocked', '.spec accessor error: text is of the type string, expected map[string]interface{}'],
])('a stored %s is reported without a server error, and stays', async (name, message) => {
  const answers = [
    await send('GET', `${farms}/${name}/scale`),
    await send('PUT', `${farms}/${name}/scale`, scaleOf(name, 3)),
    await send('PATCH', `${farms}/${name}/scale`, { spec: { replicas: 3 } }),
    await send('PATCH', `${farms}/${name}/scale?fieldManager=a`, scaleOf(name, 3), apply),
  ];
  for (const { code, body } of answers) expect({ code, message: body.message }).toEqual({ code: 422, message });
  expect(
    (
      await send(
        'PATCH',
        `${farms}/${name}`,
        [{ op: 'replace', path: '/spec', value: { n: 1 } }],
        'application/json-patch+json',
      )
    ).code,
  ).toBe(200);
  expect((await send('GET', `${farms}/${name}/scale`)).body.spec).toEqual({ replicas: 1 });
});
