/** A cache learns from the version of the server whether it may request a state in a watch. */
import { expect, it } from 'vitest';
import { createResourceClient, openCache, type Transport } from '../../../client/index.js';

const things = {
  group: 'example.com',
  version: 'v1',
  plural: 'things',
  kind: 'Thing',
  scope: 'Cluster',
  subresources: [],
} as const;

/** Simulates a server of a version; `asked` has the requests, without their queries, and whether they stream. */
function play(version: object | undefined) {
  const asked: string[] = [];
  const list = { metadata: { resourceVersion: '1' }, items: [] };
  const end = {
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } } },
  };
  const transport: Transport = {
    async send({ path, signal }) {
      const streams = path.includes('sendInitialEvents=true');
      asked.push(`${path.split('?')[0]}${path.includes('watch=true') ? ` watch${streams ? ' with state' : ''}` : ''}`);
      const isVersion = path === '/version';
      return {
        status: isVersion && version === undefined ? 403 : 200,
        header: () => '',
        text: async () => JSON.stringify(isVersion ? version : list),
        async *chunks() {
          if (streams) yield new TextEncoder().encode(`${JSON.stringify(end)}\n`);
          await new Promise((done) => signal?.addEventListener('abort', done));
        },
      };
    },
  };
  return { asked, client: createResourceClient(things, { transport }) };
}

const place = '/apis/example.com/v1/things';
const listed = ['/version', place, `${place} watch`];
const streamed = ['/version', `${place} watch with state`];

it.each([
  [{ minor: '27', gitVersion: 'v1.27.0+kindforge.0.1.0' }, listed],
  [{ minor: '36', gitVersion: 'v1.36.0+kindforge.0.1.0' }, listed],
  [{ minor: '27', gitVersion: 'v1.27.0+kindforge.0.1.0.WatchList' }, streamed],
  [{ minor: '27+', gitVersion: 'v1.27.3' }, listed],
  [{ minor: '34', gitVersion: 'v1.34.0' }, streamed],
  [{}, listed],
  [undefined, listed],
])('a server of version %j gets %j', async (version, requests) => {
  const { asked, client } = play(version);
  const cache = openCache(client);
  await cache.synced;
  await new Promise((done) => setTimeout(done));
  expect(asked).toEqual(requests);
  await cache.close();
});

it('the version is requested once for each client', async () => {
  const { asked, client } = play({ minor: '34', gitVersion: 'v1.34.0' });
  for (let i = 0; i < 2; i++) {
    const cache = openCache(client);
    await cache.synced;
    await cache.close();
  }
  expect(asked.filter((path) => path === '/version')).toHaveLength(1);
});
