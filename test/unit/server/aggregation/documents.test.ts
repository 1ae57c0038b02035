/** The documents of another server: read again if they change, and kept if they cannot be read. */
import { expect, it } from 'vitest';
import { Documents } from '../../../../server/aggregation/documents.js';
import type { PoolAnswer } from '../../../../server/webhooks/pool.js';

const answer = (code: number, body: object = {}): PoolAnswer => ({
  ok: true,
  code,
  contentType: 'application/json',
  text: JSON.stringify(body),
  asksAgain: false,
});

const indexWith = (hash: string): PoolAnswer =>
  answer(200, { paths: { 'apis/zoo/v1': { serverRelativeURL: `/openapi/v3/apis/zoo/v1?hash=${hash}` } } });

const swaggerWith = (name: string): PoolAnswer =>
  answer(200, { swagger: '2.0', definitions: {}, paths: { [`/apis/zoo/v1/${name}`]: {} } });

/** Answers the two paths, and counts reads of the larger document. */
function serving(index: PoolAnswer, swagger: PoolAnswer) {
  const seen = { reads: 0 };
  const get = async (path: string): Promise<PoolAnswer> => {
    if (path === '/openapi/v3') return index;
    seen.reads++;
    return swagger;
  };
  return { seen, get };
}

const pathsOf = ({ openApiV2 }: Documents): readonly string[] => Object.keys(openApiV2?.paths ?? {});

it('reads the large document only if the hash of the version has changed', async () => {
  const documents = new Documents('zoo', 'v1');
  const first = serving(indexWith('A1'), swaggerWith('cats'));
  expect(await documents.readOpenApi(first.get)).toBe(true);
  expect(await documents.readOpenApi(first.get)).toBe(false);
  expect([first.seen.reads, documents.openApiV3, pathsOf(documents)]).toEqual([1, 'A1', ['/apis/zoo/v1/cats']]);
  expect(await documents.readOpenApi(serving(indexWith('B2'), swaggerWith('dogs')).get)).toBe(true);
  expect([documents.openApiV3, pathsOf(documents)]).toEqual(['B2', ['/apis/zoo/v1/dogs']]);
});

it('compares the large document itself if the server has no OpenAPI v3', async () => {
  const documents = new Documents('zoo', 'v1');
  expect(await documents.readOpenApi(serving(answer(404), swaggerWith('cats')).get)).toBe(true);
  expect(await documents.readOpenApi(serving(answer(404), swaggerWith('cats')).get)).toBe(false);
  expect(await documents.readOpenApi(serving(answer(404), swaggerWith('dogs')).get)).toBe(true);
  expect([documents.openApiV3, pathsOf(documents)]).toEqual([undefined, ['/apis/zoo/v1/dogs']]);
});

it.each([
  ['the index cannot be read', { ok: false, problem: 'EOF' }, swaggerWith('dogs')],
  ['the index is refused', answer(503), swaggerWith('dogs')],
  ['the large document is refused', indexWith('B2'), answer(429)],
] as const)('keeps the last documents while %s', async (_when, index, swagger) => {
  const documents = new Documents('zoo', 'v1');
  await documents.readOpenApi(serving(indexWith('A1'), swaggerWith('cats')).get);
  expect(await documents.readOpenApi(serving(index, swagger).get)).toBe(false);
  expect([documents.openApiV3, pathsOf(documents)]).toEqual(['A1', ['/apis/zoo/v1/cats']]);
  expect(await documents.readOpenApi(serving(indexWith('B2'), swaggerWith('dogs')).get)).toBe(true);
});

it('reports whether the resources have changed, and refuses other texts', () => {
  const documents = new Documents('zoo', 'v1');
  const resource = (name: string) => ({ name, kind: name, namespaced: true, verbs: ['get'] });
  const listOf = (...resources: readonly unknown[]): string =>
    JSON.stringify({ kind: 'APIResourceList', groupVersion: 'zoo/v1', resources });
  const list = (name: string): string => listOf(resource(name));
  expect([documents.takeList(list('cats')), documents.takeList(list('cats'))]).toEqual([true, false]);
  expect(documents.takeList(list('dogs'))).toBe(true);
  const others = [
    '{"kind":"Status"}',
    '<html>',
    '{"kind":"APIResourceList","resources":[]}',
    '{"kind":"APIResourceList","groupVersion":"zoo/v2","resources":[]}',
    '{"kind":"APIResourceList","groupVersion":"zoo/v1"}',
    listOf(resource('cats'), 'junk'),
    listOf({ ...resource('cats'), verbs: null }),
    listOf({ ...resource('cats'), namespaced: 'yes' }),
    listOf({ ...resource('cats'), name: '' }),
  ];
  expect(others.map((text) => documents.takeList(text))).toEqual(others.map(() => undefined));
  expect(documents.resources).toEqual([resource('dogs')]);
});
