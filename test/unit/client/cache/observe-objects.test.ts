import { expect, it } from 'vitest';
import {
  ApiError,
  type ApiObjectLike,
  ConnectionError,
  type LiveObjects,
  observeObjects,
  type WatchOptions,
} from '../../../../client/index.js';
import { eventually } from '../../../support/eventually.js';
import { thing } from '../../../support/scripted-collection.js';

/** Makes a collection, in which a test can send events to watches or end them with errors. */
function drivenCollection() {
  const refusals: Error[] = [];
  const lists: (() => Promise<void>)[] = [];
  const watches: { send(object: ApiObjectLike): void; fail(error: Error): void; readonly signal: AbortSignal }[] = [];
  const client = {
    asked: [] as string[],
    streamsLists: async () => false,
    list: async () => {
      await lists.shift()?.();
      return { apiVersion: 'v1', kind: 'ThingList', metadata: { resourceVersion: '1' }, items: [thing('a', '1')] };
    },
    watch: async function* ({ signal = new AbortController().signal, onOpen }: WatchOptions = {}) {
      const waiting: (ApiObjectLike | Error)[] = [];
      let wake = (): void => {};
      const tell = (told: ApiObjectLike | Error): void => {
        waiting.push(told);
        wake();
      };
      const refusal = refusals.shift();
      if (refusal) throw refusal;
      watches.push({ send: tell, fail: tell, signal });
      onOpen?.();
      while (!signal.aborted) {
        const told = waiting.shift();
        if (told instanceof Error) throw told;
        if (told) yield { type: 'ADDED', object: told } as const;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    in: (namespace: string) => {
      client.asked.push(namespace);
      return { ...client };
    },
  };
  return { client, watches, refusals, nextList: (act: () => Promise<void>) => void lists.push(act) };
}

const seenBy = (store: ReturnType<typeof observeObjects<ApiObjectLike>>) => {
  const seen: LiveObjects<ApiObjectLike>[] = [];
  const stop = store.subscribe((live) => seen.push(live));
  return { seen, stop, last: () => show(store.getSnapshot()) };
};
const show = ({ objects, ready, error }: LiveObjects<ApiObjectLike>): string =>
  `${ready ? 'ready' : 'waiting'}: ${objects.map(({ metadata }) => metadata.name).join()} ${error?.message ?? ''}`
    .trim()
    .replace('  ', ' ');

it('shows the whole state, then each change, in the order of the keys', async () => {
  const { client, watches } = drivenCollection();
  const { seen, stop } = seenBy(observeObjects(client));
  await eventually(() => expect(watches).toHaveLength(1));
  watches[0]?.send(thing('c', '2'));
  watches[0]?.send(thing('b', '3'));
  await eventually(() => expect(seen.map(show)).toContain('ready: a,b,c'));
  expect(seen.map(show).slice(0, 2)).toEqual(['waiting:', 'ready: a']);
  stop();
});

it('shares one watch among all subscribers, and ends it with the last of them', async () => {
  const { client, watches } = drivenCollection();
  expect(observeObjects(client, { namespace: 'x' })).not.toBe(observeObjects(client));
  const one = seenBy(observeObjects(client, { namespace: 'x', labelSelector: 'a=b' }));
  const two = seenBy(observeObjects(client, { labelSelector: 'a=b', namespace: 'x' }));
  await eventually(() => expect(two.last()).toBe('ready: a'));
  expect(client.asked).toEqual(['x']);
  expect(watches).toHaveLength(1);
  one.stop();
  expect(watches[0]?.signal.aborted).toBe(false);
  two.stop();
  expect(watches[0]?.signal.aborted).toBe(true);
  expect(two.last()).toBe('waiting:');
  const again = seenBy(observeObjects(client, { namespace: 'x', labelSelector: 'a=b' }));
  await eventually(() => expect(again.last()).toBe('ready: a'));
  again.stop();
});

it('keeps the objects while the connection is broken, and reports the reason once, until the watch is back', async () => {
  const { client, watches, refusals } = drivenCollection();
  const { seen, stop, last } = seenBy(observeObjects(client));
  await eventually(() => expect(last()).toBe('ready: a'));
  const { objects } = seen.at(-1) ?? {};
  refusals.push(new ConnectionError('no answer', 'gone for lunch'));
  watches[0]?.fail(new ConnectionError('no answer', 'gone for lunch'));
  await eventually(() => expect(last()).toBe('ready: a no answer: gone for lunch'));
  await eventually(() => expect(last()).toBe('ready: a'));
  expect(seen.at(-1)?.objects).toBe(objects);
  expect(seen.filter(({ error }) => error)).toHaveLength(1);
  watches[1]?.send(thing('b', '2'));
  await eventually(() => expect(last()).toBe('ready: a,b'));
  stop();
});

it('reports why the server refuses, and tries again', async () => {
  const { client, nextList } = drivenCollection();
  const refuse = (): Promise<void> =>
    Promise.reject(new ApiError(403, { kind: 'Status', apiVersion: 'v1', metadata: {}, message: 'no', code: 403 }));
  nextList(refuse);
  const { seen, stop, last } = seenBy(observeObjects(client));
  await eventually(() => expect(last()).toBe('ready: a'));
  expect(seen.map(show)).toEqual(expect.arrayContaining(['waiting:', 'waiting: no', 'ready: a']));
  stop();
});

it('reads the state again after a 410, and reports no error', async () => {
  const { client, watches } = drivenCollection();
  const { seen, stop, last } = seenBy(observeObjects(client));
  await eventually(() => expect(last()).toBe('ready: a'));
  const gone = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    reason: 'Expired',
    message: 'too old',
    code: 410,
  } as const;
  watches[0]?.fail(new ApiError(410, gone));
  await eventually(() => expect(watches).toHaveLength(2));
  expect(seen.map(show)).toEqual(['waiting:', 'ready: a']);
  stop();
});
