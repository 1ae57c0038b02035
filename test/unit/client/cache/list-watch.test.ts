import { expect, it } from 'vitest';
import { listWatch } from '../../../../client/cache/list-watch.js';
import { ApiError, ConnectionError, type ListWatchOptions } from '../../../../client/index.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { bookmark, type ScriptedCollection, scriptedCollection, thing } from '../../../support/scripted-collection.js';

const status = (code: number, reason: string): ApiError =>
  new ApiError(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, reason, code });
const expired = status(410, 'Expired');
const broken = new ConnectionError('a watch broke off', 'by the test');
const endOfState = { 'platform.io/initial-events-end': 'true' };

/** Follows in the background, by a clock that does not advance. */
function following({ client }: ScriptedCollection, options: ListWatchOptions = {}) {
  const clock = new FakeClock();
  const stop = new AbortController();
  const told: string[] = [];
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const ended = (async () => {
    for await (const one of listWatch(client, { signal: stop.signal, clock, onError, ...options })) {
      const what = 'object' in one ? one.object.metadata.name : 'revision' in one ? one.revision : '';
      told.push(`${one.type} ${what}`.trim());
    }
  })();
  return {
    told,
    errors,
    ended,
    /** Advances the time, once every client waits. */
    pass: async (ms: number): Promise<void> => {
      await clock.advance(0);
      await clock.advance(ms);
    },
    stop: async (): Promise<void> => {
      stop.abort();
      await ended;
    },
  };
}

it('continues after a break from the last revision, without a list', async () => {
  const collection = scriptedCollection([thing('a', '5')], '5', [
    { events: [{ type: 'ADDED', object: thing('b', '7') }, bookmark('9')], rest: broken },
    { rest: 'silence' },
  ]);
  const follower = following(collection);
  await follower.pass(1000);
  expect(follower.told).toEqual(['begin', 'object a', 'listed 5', 'object b', 'reached 9']);
  expect(collection.watches.map(({ resourceVersion }) => resourceVersion)).toEqual(['5', '9']);
  expect(collection.lists).toBe(1);
  expect(follower.errors).toEqual([broken]);
  await follower.stop();
});

it('lists again when the history is gone', async () => {
  const collection = scriptedCollection([thing('a', '5')], '5', [{ rest: expired }, { rest: 'silence' }]);
  const follower = following(collection);
  await follower.pass(1000);
  expect(follower.told).toEqual(['begin', 'object a', 'listed 5', 'begin', 'object a', 'listed 5']);
  await follower.stop();
});

it('finds a half-open connection within two heartbeats, and not before', async () => {
  const collection = scriptedCollection([], '5', [{ events: [bookmark('6')], rest: 'silence' }]);
  const follower = following(collection, { heartbeatMs: 1000 });
  await follower.pass(1999);
  expect(collection.watches).toHaveLength(1);
  expect(follower.errors).toEqual([]);
  await follower.pass(1);
  expect(follower.errors.map(String)).toEqual([expect.stringContaining('nothing came for 2000 ms')]);
  await follower.pass(750);
  expect(collection.watches.map(({ resourceVersion }) => resourceVersion)).toEqual(['5', '6']);
  await follower.stop();
});

it('gives up a list that does not answer, like a watch', async () => {
  const { client } = scriptedCollection([], '5', [{ rest: 'silence' }]);
  let lists = 0;
  const list: typeof client.list = () => (lists++ === 0 ? new Promise(() => {}) : client.list());
  const follower = following({ client: { ...client, list }, watches: [], lists: 0 }, { heartbeatMs: 1000 });
  await follower.pass(2800);
  expect(follower.told).toEqual(['begin', 'begin', 'listed 5']);
  await follower.stop();
});

it('does not count the time of the reader', async () => {
  const collection = scriptedCollection([], '5', [{ events: [bookmark('6'), bookmark('7')], rest: 'silence' }]);
  const clock = new FakeClock();
  const stop = new AbortController();
  const errors: unknown[] = [];
  const reading = listWatch(collection.client, {
    signal: stop.signal,
    clock,
    heartbeatMs: 1000,
    onError: (error) => void errors.push(error),
  });
  for (const type of ['begin', 'listed', 'reached', 'reached']) {
    expect((await reading.next()).value).toMatchObject({ type });
    await clock.advance(10_000);
  }
  expect(errors).toEqual([]);
  stop.abort();
});

it('waits ever longer for a server that breaks off every watch, with a random part of half the time', async () => {
  const collection = scriptedCollection([], '5', [{ rest: broken }]);
  const follower = following(collection, { retryDelayMs: 100, maxRetryDelayMs: 1000 });
  const times: number[] = [];
  for (let ms = 0; ms < 6000; ms += 10) {
    await follower.pass(10);
    while (times.length < collection.watches.length) times.push(ms);
  }
  const pauses = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  for (const [i, pause] of pauses.entries()) {
    const meant = Math.min(100 * 2 ** i, 1000);
    expect(pause).toBeGreaterThanOrEqual(meant / 2 - 10);
    expect(pause).toBeLessThanOrEqual(meant * 1.5 + 20);
  }
  expect(pauses.length).toBeGreaterThan(5);
  await follower.stop();
});

it('reads the state from a watch if the server offers that', async () => {
  const collection = scriptedCollection([], '5', [
    { events: [{ type: 'ADDED', object: thing('a', '3') }], rest: broken },
    {
      events: [
        { type: 'ADDED', object: thing('b', '4') },
        { type: 'ADDED', object: thing('a', '3') },
        bookmark('5', endOfState),
        { type: 'MODIFIED', object: thing('a', '6') },
      ],
      rest: broken,
    },
    { rest: 'silence' },
  ]);
  const follower = following(collection, { stream: true });
  await follower.pass(3000);
  expect(follower.told).toEqual(['begin', 'object a', 'begin', 'object b', 'object a', 'listed 5', 'object a']);
  const state = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true };
  expect(collection.watches).toEqual([state, state, { resourceVersion: '6', allowWatchBookmarks: true }]);
  expect(collection.lists).toBe(0);
  await follower.stop();
});

it('lists if the server does not send its state in a watch, and does not try that again', async () => {
  const collection = scriptedCollection([thing('a', '5')], '5', [
    { rest: status(422, 'Invalid') },
    { rest: expired },
    { rest: 'silence' },
  ]);
  const follower = following(collection, { stream: true });
  await follower.pass(3000);
  expect(follower.told).toEqual(['begin', 'begin', 'object a', 'listed 5', 'begin', 'object a', 'listed 5']);
  expect(follower.errors).toEqual([expired]);
  await follower.stop();
});

it('does not treat a state without its end mark as complete', async () => {
  const collection = scriptedCollection([], '5', [
    { events: [{ type: 'ADDED', object: thing('a', '3') }] },
    { events: [bookmark('5', endOfState)], rest: 'silence' },
  ]);
  const follower = following(collection, { stream: true });
  await follower.pass(3000);
  expect(follower.told).toEqual(['begin', 'object a', 'begin', 'listed 5']);
  await follower.stop();
});

it('throws errors that do not go away', async () => {
  const follower = following(scriptedCollection([], '5', [{ rest: status(403, 'Forbidden') }]));
  await expect(follower.ended).rejects.toMatchObject({ code: 403 });
});
