import { expect, it } from 'vitest';
import { type ClientOptions, createResourceClient, type Transport } from '../../../../client/index.js';
import {
  type Controller,
  defineController,
  labelsChanged,
  type RunningControllers,
  requeueAfter,
  runControllers,
  watch,
} from '../../../../controllers/kit/index.js';
import { type ConfigMap, configMaps, events } from '../../../../generated/core/v1/index.js';
import { servingForTests } from '../../../support/serving.js';

const server = servingForTests({ controllers: 'none' });

const mapsIn = (namespace: string) => createResourceClient(configMaps, server().client()).in(namespace);
const problems: string[] = [];

/** Polls for up to 20 s, because machines may be busy. */
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 20_000 });

const run = (controllers: readonly Controller[], client: ClientOptions = server().client()): RunningControllers =>
  runControllers(
    controllers.map((controller) => ({ controller, client })),
    { client, onProblem: (name, problem) => void problems.push(`${name}: ${problem}`) },
  );

/** Makes a client that records the paths of its requests. */
function witnessed(): { readonly client: ClientOptions; readonly paths: string[] } {
  const paths: string[] = [];
  const { transport } = server().client();
  const witness: Transport = {
    send: (request) => {
      paths.push(request.path);
      if (!transport) throw new Error('no transport');
      return transport.send(request);
    },
  };
  return { client: { transport: witness }, paths };
}

it('reconciles existing, new and removed objects, in the current state', async () => {
  const seen: string[] = [];
  await mapsIn('default').create({ metadata: { name: 'first' } });
  const running = run([
    defineController({
      name: 'reader',
      watches: [watch(configMaps)],
      async reconcile(key, { cacheOf }) {
        seen.push(`${key} ${cacheOf(configMaps).get(key)?.data?.x ?? '-'}`);
      },
    }),
  ]);
  await soon(() => seen).toContain('default/first -');
  await mapsIn('default').patch('first', { data: { x: '1' } });
  await soon(() => seen).toContain('default/first 1');
  await mapsIn('default').delete('first');
  await soon(() => seen.at(-1)).toBe('default/first -');
  expect(running.states.get('reader')).toBe('running');
  await running.stop();
}, 60_000);

it('never has one key in flight twice, and retries a failed one', async () => {
  let underWay = 0;
  let most = 0;
  let runs = 0;
  const running = run([
    defineController({
      name: 'slow',
      watches: [watch(configMaps, { fieldSelector: 'metadata.name=slow', keysOf: () => ['one'] })],
      workers: 4,
      async reconcile() {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 5));
        underWay--;
        if (++runs < 4) throw new Error('not yet');
      },
    }),
  ]);
  await mapsIn('default').create({ metadata: { name: 'slow' } });
  for (let i = 0; i < 5; i++) await mapsIn('default').patch('slow', { data: { x: `${i}` } });
  await soon(() => runs).toBeGreaterThanOrEqual(4);
  expect(most).toBe(1);
  expect(problems).toContain('slow: one: not yet');
  await running.stop();
}, 60_000);

it('opens one watch for controllers that watch the same', async () => {
  const { client, paths } = witnessed();
  const seen: string[] = [];
  const reader = (name: string, metadataOnly: boolean) =>
    defineController({
      name,
      watches: [watch(configMaps, { metadataOnly, fieldSelector: 'metadata.name=shared' })],
      reconcile: async (key) => void seen.push(`${name} ${key}`),
    });
  const running = run([reader('a', false), reader('b', false), reader('c', true)], client);
  await mapsIn('default').create({ metadata: { name: 'shared' } });
  await soon(() => [...seen].sort()).toEqual(['a', 'b', 'c'].map((name) => `${name} default/shared`));
  expect(paths.filter((path) => path.includes('watch=true'))).toHaveLength(1);
  await running.stop();
}, 60_000);

it('sees only metadata if a controller asks for that', async () => {
  const known: (ConfigMap | undefined)[] = [];
  const running = run([
    defineController({
      name: 'metadata',
      watches: [watch(configMaps, { metadataOnly: true, fieldSelector: 'metadata.name=large' })],
      reconcile: async (key, { cacheOf }) => void known.push(cacheOf(configMaps).get(key)),
    }),
  ]);
  await mapsIn('default').create({ metadata: { name: 'large', labels: { a: 'b' } }, data: { x: 'y' } });
  await soon(() => known).toHaveLength(1);
  expect(known[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels: { a: 'b' } } });
  expect(known[0]?.metadata.managedFields).toBeUndefined();
  expect(known[0]?.data).toBeUndefined();
  await running.stop();
}, 60_000);

it('waits for keys in flight before it stops, and leaves nothing running', async () => {
  const told: string[] = [];
  let release = (): void => {};
  const running = run([
    defineController({
      name: 'held',
      watches: [watch(configMaps, { fieldSelector: 'metadata.name=held' })],
      async reconcile() {
        told.push('begun');
        await new Promise<void>((resolve) => (release = resolve));
        told.push('ended');
      },
      async beside({ signal }) {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        told.push('beside ended');
      },
    }),
  ]);
  await mapsIn('default').create({ metadata: { name: 'held' } });
  await soon(() => told).toEqual(['begun']);
  const stopped = running.stop().then(() => told.push('stopped'));
  await soon(() => told).toEqual(['begun', 'beside ended']);
  await new Promise((resolve) => setTimeout(resolve, 20));
  release();
  await stopped;
  expect(told).toEqual(['begun', 'beside ended', 'ended', 'stopped']);
  await mapsIn('default').create({ metadata: { name: 'held-too' } });
  expect(told).toHaveLength(4);
}, 60_000);

it('restarts a controller that cannot continue', async () => {
  let runs = 0;
  const fail = (): never => {
    throw new Error('broken');
  };
  const running = run([{ name: 'broken', run: async () => void (++runs === 1 && fail()) }]);
  await soon(() => runs).toBe(2);
  expect(problems).toContain('broken: starts again: broken');
  await running.stop();
});

it('repeats after the time that a reconcile asks for', async () => {
  let runs = 0;
  const running = run([
    defineController({
      name: 'again',
      watches: [watch(configMaps, { fieldSelector: 'metadata.name=again' })],
      reconcile: async () => (++runs < 3 ? requeueAfter(5) : undefined),
    }),
  ]);
  await mapsIn('default').create({ metadata: { name: 'again' } });
  await soon(() => runs).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(runs).toBe(3);
  await running.stop();
}, 60_000);

it('is called for changes that its predicate accepts, and no others', async () => {
  const seen: (string | undefined)[] = [];
  const running = run([
    defineController({
      name: 'labels',
      watches: [watch(configMaps, { fieldSelector: 'metadata.name=picked', when: labelsChanged })],
      reconcile: async (key, { cacheOf }) => void seen.push(cacheOf(configMaps).get(key)?.data?.x ?? '-'),
    }),
  ]);
  await mapsIn('default').create({ metadata: { name: 'picked' }, data: { x: '0' } });
  await soon(() => seen).toEqual(['0']);
  await mapsIn('default').patch('picked', { data: { x: '1' } });
  await mapsIn('default').patch('picked', { data: { x: '2' }, metadata: { labels: { a: 'b' } } });
  await soon(() => seen).toEqual(['0', '2']);
  await running.stop();
}, 60_000);

it('retries within its own limits', async () => {
  const at: number[] = [];
  const running = run([
    defineController({
      name: 'limited',
      watches: [watch(configMaps, { fieldSelector: 'metadata.name=limited' })],
      retries: { rate: { perSecond: 10, burst: 1 } },
      async reconcile() {
        at.push(performance.now());
        if (at.length < 3) throw new Error('not yet');
      },
    }),
  ]);
  await mapsIn('default').create({ metadata: { name: 'limited' } });
  await soon(() => at).toHaveLength(3);
  // The second attempt may begin late, so the third is compared with the first.
  expect((at[2] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(80);
  await running.stop();
}, 60_000);

it('ends requests of its clients without a signal when it stops for good', async () => {
  const { transport } = server().client();
  const asked: (AbortSignal | undefined)[] = [];
  const witness: Transport = {
    send: (request) => {
      if (request.method === 'PATCH') asked.push(request.signal);
      if (!transport) throw new Error('no transport');
      return transport.send(request);
    },
  };
  const own = new AbortController().signal;
  const running = run(
    [
      defineController({
        name: 'bound',
        watches: [watch(configMaps, { fieldSelector: 'metadata.name=bound' })],
        async reconcile(_key, { client, clientOf, signal }) {
          if (asked.length > 0) return;
          await clientOf(configMaps)
            .in('default')
            .patch('bound', { data: { x: '1' } });
          await createResourceClient(configMaps, client)
            .in('default')
            .patch('bound', { data: { x: '2' } });
          await clientOf(configMaps)
            .in('default')
            .patch('bound', { data: { x: '3' } }, { signal: own });
          expect(asked).toEqual([signal, signal, own]);
        },
      }),
    ],
    { transport: witness },
  );
  await mapsIn('default').create({ metadata: { name: 'bound' } });
  await soon(() => asked).toHaveLength(3);
  await running.stop();
  expect(asked[0]).toBeInstanceOf(AbortSignal);
  expect(asked).toEqual([asked[0], asked[0], own]);
}, 60_000);

it('records events in its name, and reports a refused one', async () => {
  const running = run([
    defineController({
      name: 'teller',
      component: 'teller-controller',
      watches: [watch(configMaps, { fieldSelector: 'metadata.name=told' })],
      async reconcile(key, { cacheOf, recordEvent }) {
        const map = cacheOf(configMaps).get(key);
        if (map === undefined) return;
        await recordEvent(map, { reason: 'Seen', message: 'seen once' });
        await recordEvent(
          { ...map, metadata: { ...map.metadata, namespace: 'nowhere' } },
          { reason: 'Lost', message: '' },
        );
      },
    }),
  ]);
  await mapsIn('default').create({ metadata: { name: 'told' } });
  await soon(() => problems).toContain('teller: event about ConfigMap told: namespaces "nowhere" not found');
  const seen = await createResourceClient(events, server().client()).list({ fieldSelector: 'reason=Seen' });
  const [event] = seen.items;
  expect(event).toMatchObject({ source: { component: 'teller-controller' }, involvedObject: { name: 'told' } });
  await running.stop();
}, 60_000);
