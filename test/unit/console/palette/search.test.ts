/** The search of the palette: the kinds that it lists, and the objects that it finds. */
import { describe, expect, it } from 'vitest';
import { type DynamicApi, dynamicClient, fetchTransport, type ServedKind } from '../../../../client/index.js';
import { ObjectSearch, questionOf } from '../../../../packages/console/src/pages/palette/search.js';

const kindOf = (kind: string, more: Partial<ServedKind> = {}): ServedKind => ({
  ...{ group: '', version: 'v1', plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase(), kind },
  ...{ scope: 'Namespaced', subresources: [], verbs: ['list'], shortNames: [], categories: [], isPreferred: true },
  ...more,
});
const kinds = [
  kindOf('Pod', { shortNames: ['po'] }),
  kindOf('ConfigMap', { shortNames: ['cm'] }),
  kindOf('Review', { verbs: ['create'] }),
  ...['A', 'B', 'C'].map((kind) => kindOf(kind)),
];
const asked = (text: string, ...recent: readonly string[]): unknown => {
  const question = questionOf(
    text,
    kinds,
    recent.map((plural) => ['core', 'v1', plural, 'shop', 'x']),
  );
  return [question.kinds.map(({ kind }) => kind), question.text];
};

describe('the palette', () => {
  it('lists the kind that the text names, or else only kinds that the user has opened', () => {
    expect(asked('po web', 'configmaps')).toEqual([['Pod'], 'web']);
    expect(asked('ConfigMap  a b')).toEqual([['ConfigMap'], 'a b']);
    expect(asked('web')).toEqual([[], 'web']);
    expect(asked('web', 'configmaps', 'configmaps', 'gone', 'reviews')).toEqual([['ConfigMap'], 'web']);
    expect(asked('web', 'pods', 'as', 'bs', 'cs')).toEqual([['Pod', 'A', 'B'], 'web']);
  });

  /** Answers lists of metadata, and records the requests. */
  const server = (names: readonly string[]): { client: DynamicApi; paths: string[] } => {
    const paths: string[] = [];
    const fetch = async (request: string | URL | Request): Promise<Response> => {
      const url = new URL(request instanceof Request ? request.url : request);
      paths.push(`${url.pathname}${url.search}`);
      if (url.pathname.endsWith('/bs')) return new Response('{}', { status: 403 });
      const only = url.searchParams.get('fieldSelector')?.replace('metadata.name=', '');
      const all =
        only === undefined
          ? names.slice(0, Number(url.searchParams.get('limit')))
          : names.filter((one) => one === only);
      const items = all.map((name) => ({ metadata: { name, namespace: 'shop' } }));
      return Response.json({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata: {}, items });
    };
    const client = dynamicClient({ transport: fetchTransport({ baseUrl: 'http://server.test', fetch }) });
    const known = async (): Promise<{ kinds: ServedKind[]; failed: [] }> => ({ kinds, failed: [] });
    return { paths, client: Object.assign(client, { kinds: known, kind: async () => kinds[0] }) };
  };

  it('reads a limited number of names once, and finds the right ones', async () => {
    const { client, paths } = server(['web-1', 'other', 'web-2']);
    const search = new ObjectSearch(client);
    const pods = kinds.slice(0, 1);
    const names = async (text: string): Promise<unknown> =>
      (await search.find({ kinds: pods, text }, 5)).map(({ name, namespace }) => `${namespace}/${name}`);
    expect(await names('web')).toEqual(['shop/web-1', 'shop/web-2']);
    expect(await names('shop/other')).toEqual(['shop/other']);
    expect(await names('')).toEqual([]);
    expect(paths).toEqual(['/api/v1/pods?limit=500']);
  });

  it('requests the exact name if there are more names than it reads', async () => {
    const { client, paths } = server(Array.from({ length: 600 }, (_, i) => `pod-${i}`));
    const found = await new ObjectSearch(client).find({ kinds: kinds.slice(0, 1), text: 'pod-599' }, 5);
    expect(found.map(({ name }) => name)).toContain('pod-599');
    expect(paths).toHaveLength(2);
  });
});
