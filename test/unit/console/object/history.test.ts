import { describe, expect, test } from 'vitest';
import { ApiError, type DynamicObject, type ListOptions } from '../../../../client/index.js';
import {
  hasHistory,
  nameSelector,
  readHistory,
  readRevision,
  restored,
} from '../../../../packages/console/src/object/history.js';

const at = (resourceVersion: string, uid = 'u'): DynamicObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', uid, resourceVersion },
});

/** Makes a server with revisions of one object, which forgets revisions before `oldest`. */
function server(revisions: readonly DynamicObject[], oldest = 0) {
  const asked: ListOptions[] = [];
  const list = async (options: ListOptions) => {
    asked.push(options);
    const wanted = Number(options.resourceVersion);
    if (wanted < oldest) throw new ApiError(410, { kind: 'Status', apiVersion: 'v1', metadata: {}, reason: 'Expired' });
    const items = revisions.filter(({ metadata }) => Number(metadata.resourceVersion) <= wanted).slice(-1);
    return { apiVersion: 'v1', kind: 'ThingList', metadata: {}, items };
  };
  return { asked, list };
}

const versions = (history: { readonly revisions: readonly DynamicObject[] }) =>
  history.revisions.map(({ metadata }) => metadata.resourceVersion);

describe('readHistory', () => {
  test('reads each earlier revision until the object was created', async () => {
    const client = server([at('3'), at('7'), at('12')]);
    const history = await readHistory(client, at('12'));
    expect([versions(history), history.end]).toEqual([['12', '7', '3'], 'created']);
    expect(client.asked[0]).toEqual({
      fieldSelector: 'metadata.name=a',
      resourceVersion: '11',
      resourceVersionMatch: 'Exact',
    });
  });

  test('ends at revisions that the server has forgotten', async () => {
    const history = await readHistory(server([at('3'), at('7'), at('12')], 7), at('12'));
    expect([versions(history), history.end]).toEqual([['12', '7'], 'forgotten']);
  });

  test('does not treat a deleted object of the same name as a revision', async () => {
    const history = await readHistory(server([at('3', 'other'), at('7')]), at('7'));
    expect([versions(history), history.end]).toEqual([['7'], 'created']);
  });

  test('ends at the limit', async () => {
    const history = await readHistory(server([at('3'), at('7'), at('12')]), at('12'), { limit: 2 });
    expect([versions(history), history.end]).toEqual([['12', '7'], 'limit']);
  });

  test('sends no request if revisions are not numbers', async () => {
    const client = server([]);
    expect(await readHistory(client, at('abc'))).toMatchObject({ end: 'forgotten' });
    expect(client.asked).toEqual([]);
  });

  test('throws other refusals', async () => {
    const error = new ApiError(403, { kind: 'Status', apiVersion: 'v1', metadata: {}, reason: 'Forbidden' });
    await expect(readHistory({ list: () => Promise.reject(error) }, at('7'))).rejects.toBe(error);
  });
});

describe('readRevision', () => {
  test('reads the object at that time, or explains why it cannot', async () => {
    const client = server([at('2', 'other'), at('3'), at('7')], 2);
    expect(await readRevision(client, at('7'), '5')).toEqual(at('3'));
    expect(await readRevision(client, at('7'), '2')).toBe('created');
    expect(await readRevision(client, at('7'), '1')).toBe('forgotten');
  });
});

describe('hasHistory', () => {
  const refusing = { list: () => Promise.reject(new TypeError('no')) };

  test.each([
    ['an earlier revision', server([at('3'), at('7')]), true],
    ['a server that knows that there is none', server([at('7')]), true],
    ['a server that has forgotten', server([at('3'), at('7')], 7), false],
    ['a server that cannot say', refusing, false],
  ])('answers for %s', async (_, client, answer) => {
    expect(await hasHistory(client, at('7'))).toBe(answer);
  });
});

describe('restored', () => {
  const old = {
    ...at('3'),
    metadata: { ...at('3').metadata, labels: { a: '1' }, generation: 1, finalizers: ['gone/now'] },
    spec: { size: 1 },
    extra: true,
    status: { seen: 1 },
  };
  const present = {
    ...at('7'),
    metadata: { ...at('7').metadata, annotations: { note: 'new' }, generation: 2, ownerReferences: [] },
    spec: { size: 2 },
    status: { seen: 2 },
  };
  const metadata = { ...at('7').metadata, labels: { a: '1' }, generation: 2, ownerReferences: [] };

  test('restores the content, but keeps identity and ownership', () => {
    expect(restored(old, present, true)).toEqual({ ...old, metadata, status: { seen: 2 } });
  });

  test('restores the status if it is an ordinary field', () => {
    expect(restored(old, present, false)).toEqual({ ...old, metadata });
    expect(restored({ ...at('3'), spec: {} }, present, false)).not.toHaveProperty('status');
  });
});

test('nameSelector escapes characters that would end the value', () => {
  expect(nameSelector(String.raw`system:a,b=c\d`)).toBe(String.raw`metadata.name=system:a\,b\=c\\d`);
});
