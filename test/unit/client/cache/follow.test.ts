import { expect, it } from 'vitest';
import { type ApiObjectLike, type Change, follow, type ListOptions } from '../../../../client/index.js';

const object = (name: string, resourceVersion: string, namespace?: string): ApiObjectLike => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, resourceVersion, annotations: { large: 'x' }, ...(namespace === undefined ? {} : { namespace }) },
});

const chunks: Readonly<Record<string, readonly ApiObjectLike[]>> = {
  '': [object('a', '1'), object('b', '2', 'ns')],
  second: [object('c', '3')],
};

it('lists in chunks, reports removed objects, and keeps only the chosen parts of objects', async () => {
  const asked: ListOptions[] = [];
  const stop = new AbortController();
  const state = new Map([
    ['a', object('a', '1')],
    ['gone', object('gone', '1')],
  ]);
  const client = {
    list: async (options: ListOptions = {}) => {
      asked.push({ limit: options.limit ?? 0, continue: options.continue ?? '' });
      const next = options.continue === undefined ? { continue: 'second' } : {};
      const items = [...(chunks[options.continue ?? ''] ?? [])];
      return { apiVersion: 'v1', kind: 'ThingList', metadata: { resourceVersion: '9', ...next }, items };
    },
    watch: async function* (options: { resourceVersion?: string } = {}) {
      expect(options.resourceVersion).toBe('9');
      yield { type: 'DELETED' as const, object: object('b', '10', 'ns') };
      stop.abort();
    },
  };
  const keep = ({ metadata: { annotations: _annotations, ...metadata }, ...rest }: ApiObjectLike): ApiObjectLike => ({
    ...rest,
    metadata,
  });
  const told: string[] = [];
  const tell = (change: Change<ApiObjectLike>): string =>
    change.type === 'synced' ? 'synced' : `${change.type} ${change.object.metadata.name}`;
  for await (const change of follow(client, { signal: stop.signal, limit: 2, keep, state })) told.push(tell(change));
  expect(asked).toEqual([
    { limit: 2, continue: '' },
    { limit: 2, continue: 'second' },
  ]);
  expect(told).toEqual(['added b', 'added c', 'removed gone', 'synced', 'removed b']);
  expect([...state.keys()]).toEqual(['a', 'c']);
  expect(state.get('c')?.metadata).toEqual({ name: 'c', resourceVersion: '3' });
});
