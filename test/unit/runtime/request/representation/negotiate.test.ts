/** The form of an answer, by Accept: metadata of any kind in protobuf, 404 before 406, and watches. */
import { beforeAll, describe, expect, it } from 'vitest';
import { requestOf } from '../../../../support/api-requests.js';
import { suiteApi } from '../../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../../support/widgets.js';

const api = await suiteApi([widgets]);
beforeAll(async () => {
  await api.send('POST', widgetsPath, widget('a'));
});

const protobuf = 'application/vnd.platform.protobuf';
const as = (kind: string, type = 'application/json', version = 'v1'): string =>
  `${type};as=${kind};g=meta.platform.io;v=${version}`;
const get = (path: string, accept: string) => api.send('GET', `${widgetsPath}${path}`, undefined, { accept });

describe('a kind without a protobuf form', () => {
  it.each([
    ['/a', as('PartialObjectMetadata', protobuf), 200, protobuf],
    ['/a', as('PartialObjectMetadata', protobuf, 'v1beta1'), 200, protobuf],
    ['', as('PartialObjectMetadataList', protobuf), 200, protobuf],
    ['', `${as('PartialObjectMetadataList', protobuf)},application/json`, 200, protobuf],
    ['/a', protobuf, 406, protobuf],
    ['/a', `${protobuf},application/json`, 200, 'application/json'],
    ['/a', as('Table', protobuf), 406, 'application/json'],
    ['/a', `${as('Table', protobuf)},${as('Table')}`, 200, 'application/json'],
  ])('at %j, asked for %s: %i in %s', async (path, accept, code, contentType) => {
    expect(await get(path, accept)).toMatchObject({ code, contentType });
  });

  it('shows its metadata in watches', async () => {
    const headers = { accept: `${as('PartialObjectMetadata', protobuf)};stream=watch` };
    const path = `${widgetsPath}?watch=true&timeoutSeconds=1`;
    const answer = await api.server.handle(requestOf({ path, headers }));
    expect(answer).toMatchObject({ code: 200, contentType: `${protobuf};stream=watch` });
  });
});

describe('a missing object, or a form that does not exist', () => {
  it.each([as('PartialObjectMetadataList'), as('PartialObjectMetadata'), as('Table')])(
    'is a 404 before its form matters: %s',
    async (accept) => {
      expect((await get('/none', accept)).code).toBe(404);
      expect((await get('?resourceVersion=x', accept)).code).toBe(400);
    },
  );

  it('is a 406 if the object exists, but not in that form', async () => {
    const one = await get('/a', as('PartialObjectMetadataList'));
    expect(one).toMatchObject({ code: 406, body: { message: expect.stringMatching(/is not a list/) } });
    const many = await get('', as('PartialObjectMetadata'));
    expect(many).toMatchObject({ code: 406, body: { message: expect.stringMatching(/is a list/) } });
  });

  it('is a 406 if no accepted form can be sent', async () => {
    expect((await get('/none', 'text/plain')).code).toBe(406);
    expect((await get('/none', as('Nothing'))).code).toBe(406);
  });
});

it('a watch as a list of metadata shows whole objects', async () => {
  const watched = await api.watch(`${widgetsPath}?watch=true`, { accept: as('PartialObjectMetadataList') });
  await expect.poll(() => watched.events.length).toBeGreaterThan(0);
  expect(watched.events[0]).toMatchObject({ type: 'ADDED', object: { kind: 'Widget', metadata: { name: 'a' } } });
  watched.stop();
});
