import { expect, it } from 'vitest';
import type { Transport } from '../../../client/index.js';
import { createSkimmingClient } from '../../../client/resource/skimming-client.js';

const things = {
  group: '',
  version: 'v1',
  plural: 'things',
  kind: 'Thing',
  scope: 'Namespaced',
  subresources: [],
} as const;

/** Answers every request with a text, and records the paths. */
function answering(body: string) {
  const paths: string[] = [];
  const transport: Transport = {
    send: async ({ path }) => {
      paths.push(path);
      const chunks = async function* () {
        yield new TextEncoder().encode(body);
      };
      return { status: 200, header: () => '', text: async () => body, chunks };
    },
  };
  return { transport, paths };
}

const item = (name: string): string => `{"metadata":{"name":"${name}","uid":"${name}-uid"}}`;
const list = (metadata: string, ...items: string[]): string =>
  `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":${metadata},"items":[${items.join(',')}]}`;

it('reads a list if one of its items may matter, and otherwise its metadata only', async () => {
  const { transport } = answering(list('{"resourceVersion":"7","continue":"more"}', item('a'), item('b')));
  const listOf = (wanted: string) =>
    createSkimmingClient(things, { transport }, (json) => json.includes(wanted)).list({ limit: 2 });
  expect((await listOf('b-uid')).items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  expect(await listOf('c-uid')).toMatchObject({ metadata: { resourceVersion: '7', continue: 'more' }, items: [] });
});

it('reads lists of other shapes completely', async () => {
  const shapes = [
    `{"items":[${item('a')}],"metadata":{"resourceVersion":"7"}}`,
    '{"kind":"PartialObjectMetadataList","metadata":{"resourceVersion":"7"},"items":null}',
  ];
  for (const shape of shapes) {
    const { transport } = answering(shape);
    const { metadata, items } = await createSkimmingClient(things, { transport }, () => false).list();
    expect(metadata.resourceVersion).toBe('7');
    expect(items).toHaveLength(shape.includes('null') ? 0 : 1);
  }
});

it('reports the events that may matter, and every bookmark', async () => {
  const event = (type: string, object: string): string => `{"type":"${type}","object":${object}}\n`;
  const bookmark = event('BOOKMARK', '{"metadata":{"resourceVersion":"9"}}');
  const all = event('ADDED', item('a')) + event('MODIFIED', item('b')) + event('DELETED', item('a')) + bookmark;
  const { transport, paths } = answering(all);
  const client = createSkimmingClient(things, { transport }, (json) => json.includes('"a-uid"'));
  const told: string[] = [];
  for await (const { type, object } of client.watch({ resourceVersion: '5', allowWatchBookmarks: true }))
    told.push(`${type} ${object.metadata.name ?? ''}`);
  expect(told).toEqual(['ADDED a', 'DELETED a', 'BOOKMARK ']);
  expect(paths).toEqual(['/api/v1/things?resourceVersion=5&watch=true&allowWatchBookmarks=true']);
});
