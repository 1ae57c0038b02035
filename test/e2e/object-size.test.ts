/** No write stores an object above the limit. The server answers a 413 with size and limit, and changes nothing. */
import { beforeAll, describe, expect, it } from 'vitest';
import { send as request } from '../support/ask.js';
import { servingForTests } from '../support/serving.js';

const limit = 16 * 1024;
const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const namespaces = '/api/v1/namespaces';
const leases = '/apis/coordination.platform.io/v1/namespaces/default/leases';
const large = 'x'.repeat(limit);
const some = 'y'.repeat(9_000);
const json = 'application/json';
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

const map = (name: string, data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
const lease = (name: string, annotations: object) => ({
  apiVersion: 'coordination.platform.io/v1',
  kind: 'Lease',
  metadata: { name, annotations },
});
const pod = { metadata: { name: 'pod' }, spec: { containers: [{ name: 'a', image: 'b' }] } };

type Asked = readonly [method: string, path: string, type: string, body: unknown];

/** Each makes an object too large. Updates change the objects of `beforeAll`. */
const ways: readonly (readonly [way: string, ...Asked])[] = [
  ['create', 'POST', maps, json, map('new', { a: large })],
  ['create from YAML', 'POST', maps, 'application/yaml', map('new', { a: large })],
  ['create of many bytes in few characters', 'POST', maps, json, map('new', { a: '€'.repeat(limit / 3) })],
  ['create by update', 'PUT', `${leases}/new`, json, lease('new', { a: large })],
  ['update', 'PUT', `${maps}/a`, json, map('a', { a: large })],
  ['merge patch', 'PATCH', `${maps}/a`, merge, { data: { b: some } }],
  ['strategic merge patch', 'PATCH', `${maps}/a`, 'application/strategic-merge-patch+json', { data: { b: some } }],
  [
    'JSON patch',
    'PATCH',
    `${maps}/a`,
    'application/json-patch+json',
    [{ op: 'copy', from: '/data/a', path: '/data/b' }],
  ],
  ['apply', 'PATCH', `${maps}/a?fieldManager=m`, apply, map('a', { b: some })],
  ['apply that creates', 'PATCH', `${maps}/new?fieldManager=m`, apply, map('new', { b: large })],
  ['labels of many', 'PATCH', `${maps}/a`, merge, { metadata: { labels: manyNames(200) } }],
  ['finalizers', 'PATCH', `${maps}/a`, merge, { metadata: { finalizers: Object.keys(manyNames(200)) } }],
  [
    'annotations and their managed fields',
    'PATCH',
    `${maps}/small`,
    merge,
    { metadata: { annotations: manyNames(280) } },
  ],
  ['status', 'PATCH', `${pods}/pod/status`, merge, { status: { message: large } }],
  ['status by update', 'PUT', `${pods}/pod/status`, json, { ...pod, status: { message: large } }],
  ['scope of the cluster', 'POST', namespaces, json, { metadata: { name: 'new', annotations: { a: large } } }],
];

function manyNames(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`example.com/some-name-${index}`, '']));
}

describe('above the limit of stored objects', () => {
  const server = servingForTests({ maxObjectBytes: String(limit) });
  beforeAll(async () => {
    expect((await send('POST', maps, json, map('a', { a: some }))).status).toBe(201);
    expect((await send('POST', maps, json, map('small', { a: '' }))).status).toBe(201);
    expect((await send('POST', pods, json, pod)).status).toBe(201);
  });

  async function send(method: string, path: string, type: string, body?: unknown) {
    const answer = await request(server(), method, path, { type, body });
    return { status: answer.status, body: await answer.json() };
  }
  const state = () =>
    Promise.all([maps, pods, namespaces, leases].map(async (path) => (await send('GET', path, json)).body.items));

  it.each(ways)(
    '%s is a 413 that names size and limit, and changes nothing',
    async (_way, method, path, type, body) => {
      const before = await state();
      expect(await send(method, path, type, body)).toMatchObject({
        status: 413,
        body: {
          kind: 'Status',
          reason: 'RequestEntityTooLarge',
          message: expect.stringMatching(
            /^Request entity too large: the object has \d{5,} bytes as it would be stored, and the limit is 16384$/,
          ),
        },
      });
      expect(await state()).toEqual(before);
    },
  );

  it('managed fields of many managers reach the limit', async () => {
    await send('POST', maps, json, map('managed', {}));
    const applied = async (index: number) =>
      send('PATCH', `${maps}/managed?fieldManager=${'m'.repeat(100)}${index}`, apply, map('managed', { [index]: '' }));
    let last = await applied(0);
    for (let index = 1; last.status === 200 && index < 200; index++) last = await applied(index);
    expect(last.status).toBe(413);
    const { body } = await send('GET', `${maps}/managed`, json);
    expect(JSON.stringify(body).length).toBeLessThanOrEqual(limit);
  });

  it('is the deletion mark of an object, which is never refused', async () => {
    const name = 'held';
    const { body: made } = await send('POST', maps, json, map(name, { a: '' }, { finalizers: ['example.com/held'] }));
    const room = limit - JSON.stringify(made).length - String(made.metadata.resourceVersion).length;
    let filled = await send('PATCH', `${maps}/${name}`, merge, { data: { a: 'x'.repeat(room) } });
    for (let less = 1; filled.status === 413 && less < 300; less++)
      filled = await send('PATCH', `${maps}/${name}`, merge, { data: { a: 'x'.repeat(room - less) } });
    expect(filled.status).toBe(200);
    const marked = await send('DELETE', `${maps}/${name}`, json);
    expect(marked.status).toBe(200);
    expect(JSON.stringify(marked.body).length).toBeGreaterThan(limit);
    // Removing the finalizer makes the object smaller, and ends the deletion.
    expect((await send('PATCH', `${maps}/${name}`, merge, { metadata: { finalizers: null } })).status).toBe(200);
    expect((await send('GET', `${maps}/${name}`, json)).status).toBe(404);
  });
});
