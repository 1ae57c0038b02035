/** Faults: each has its effect, in process and over the network, as often as configured, and again in a replay. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApiError, ConnectionError, isConflict, isConnectionError, isGone } from '../../../../client/index.js';
import { createClient } from '../../../../generated/index.js';
import { type FaultRule, startTestServer, type TestServer } from '../../../../testing/index.js';
import { send } from '../../../support/ask.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());
afterEach(() => server.reset());

/** Makes clients that do not retry. */
const here = () => createClient({ ...server.client, retry: { retries: 0 } }).core.v1.configMaps.in('default');
const there = () =>
  createClient({ baseUrl: server.url, token: server.token, retry: { retries: 0 } }).core.v1.configMaps.in('default');
const one = { metadata: { name: 'one' } };
const path = '/api/v1/namespaces/default/configmaps';
const ask = (method: string, at: string, body?: object, headers = {}) =>
  send(server, method, at, { body, headers, token: server.token });

describe.each([
  ['in process', here],
  ['over the network', there],
])('%s', (_, configMaps) => {
  it.each([
    [409, 'Conflict'],
    [410, 'Expired'],
    [429, 'TooManyRequests'],
    [500, 'InternalError'],
    [503, 'ServiceUnavailable'],
    [504, 'Timeout'],
  ] as const)('a request is refused with %i', async (status, reason) => {
    server.faults.add({ verb: 'create', resource: 'configmaps', fault: { status } });
    await expect(configMaps().create(one)).rejects.toMatchObject({ code: status, reason });
    expect((await configMaps().list()).items).toEqual([]);
  });

  it('a request is carried out although its client gets another answer', async () => {
    server.faults.add({ verb: 'create', fault: { status: 504, applied: true } });
    await expect(configMaps().create(one)).rejects.toMatchObject({ code: 504 });
    expect((await configMaps().list()).items).toHaveLength(1);
  });

  it('a connection breaks off', async () => {
    server.faults.add({ verb: 'get', fault: { dropped: true }, times: 1 });
    const error = await configMaps()
      .get('one')
      .catch((thrown: unknown) => thrown);
    expect(isConnectionError(error)).toBe(true);
  });

  it('a watch breaks off, stays silent, or ends as its history is gone', async () => {
    const start = async (rule: FaultRule['fault']) => {
      server.faults.clear();
      server.faults.add({ fault: rule });
      const { metadata } = await configMaps().list();
      const ending = new AbortController();
      const options = { resourceVersion: metadata.resourceVersion ?? '', signal: ending.signal };
      return { events: configMaps().watch(options), ending };
    };
    const dropped = await start({ watch: 'drop' });
    expect(isConnectionError(await dropped.events.next().catch((thrown: unknown) => thrown))).toBe(true);

    const later = await start({ watch: 'drop', afterEvents: 1 });
    const first = later.events.next();
    await configMaps().create(one);
    expect((await first).value?.object.metadata.name).toBe('one');
    await configMaps().delete('one');
    expect(isConnectionError(await later.events.next().catch((thrown: unknown) => thrown))).toBe(true);

    const expired = await start({ watch: 'expire' });
    expect(isGone(await expired.events.next().catch((thrown: unknown) => thrown))).toBe(true);

    const open = await start({ watch: 'half-open' });
    const never = open.events.next();
    await configMaps().create(one);
    await server.until({ resource: 'configmaps', namespace: 'default', name: 'one' }, () => true);
    expect(await Promise.race([never, new Promise((resolve) => setTimeout(resolve, 50, 'silent'))])).toBe('silent');
    open.ending.abort();
    await never.catch(() => {});
  });
});

it('429 and 503 have a time for a retry', async () => {
  server.faults.add({ resource: 'configmaps', fault: { status: 429, retryAfterSeconds: 7 }, nth: 1 });
  server.faults.add({ resource: 'configmaps', fault: { status: 503, message: 'not now' } });
  const first = await ask('GET', path);
  expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7']);
  expect(await first.json()).toMatchObject({ details: { kind: 'configmaps', retryAfterSeconds: 7 } });
  const second = await ask('GET', path);
  expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await second.json()).toMatchObject({ message: 'not now', reason: 'ServiceUnavailable' });
});

it('the client of the SDK retries, and succeeds', async () => {
  server.faults.add({ verb: 'list', resource: 'configmaps', fault: { status: 429, retryAfterSeconds: 0 }, times: 2 });
  const client = createClient(server.client).core.v1.configMaps.in('default');
  expect((await client.list()).items).toEqual([]);
  expect(server.faults.recording.faults).toHaveLength(2);
});

it('slow answers come late by the clock of the server', async () => {
  await server.clock.freeze();
  server.faults.add({ resource: 'configmaps', fault: { slowMs: 60_000 } });
  let answered = false;
  const slow = here()
    .list()
    .then(() => {
      answered = true;
    });
  await server.clock.advance(59_000);
  expect(answered).toBe(false);
  await server.clock.advance(1000);
  await slow;
});

it('bookmarks get lost, and nothing else', async () => {
  const told = async () => {
    const types: string[] = [];
    const ending = new AbortController();
    const watching = (async () => {
      const options = { allowWatchBookmarks: true, signal: ending.signal };
      for await (const { type } of here().watch(options)) types.push(type);
    })().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 20));
    await server.clock.advance(61_000);
    await here().create(one);
    await expect.poll(() => types).toContain('ADDED');
    await here().delete('one');
    await expect.poll(() => types).toContain('DELETED');
    ending.abort();
    await watching;
    return types;
  };
  // The first one ends the initial state.
  expect(await told()).toEqual(['BOOKMARK', 'BOOKMARK', 'ADDED', 'DELETED']);
  server.faults.add({ fault: { watch: 'no-bookmarks' } });
  expect(await told()).toEqual(['ADDED', 'DELETED']);
});

describe('a rule', () => {
  const codes = async (requests: readonly (readonly [string, string])[]) => {
    const found: number[] = [];
    for (const [method, at] of requests) {
      const answer = await ask(
        method,
        at,
        method === 'POST' ? { ...one, apiVersion: 'v1', kind: 'ConfigMap' } : undefined,
      );
      await answer.arrayBuffer();
      found.push(answer.status);
    }
    return found;
  };
  const requests = [
    ['GET', path],
    ['POST', path],
    ['GET', `${path}/one`],
    ['GET', '/api/v1/namespaces/default/secrets'],
    ['GET', '/apis/apps/v1/namespaces/default/deployments'],
    ['GET', '/version'],
    ['DELETE', `${path}/one`],
  ] as const;

  it.each([
    [{ verb: 'list' }, [0, 3, 4]],
    [{ verb: ['create', 'delete'] }, [1, 6]],
    [{ resource: 'configmaps' }, [0, 1, 2, 6]],
    [{ resource: 'deployments.apps' }, [4]],
    [{ resource: 'deployments.other' }, []],
    [{ resource: 'configmaps/status' }, []],
    [{ name: 'one' }, [2, 6]],
    [{ namespace: 'default', verb: 'list' }, [0, 3, 4]],
    [{ userAgent: 'nobody' }, []],
    [{ nth: [2, 5] }, [1, 4]],
    [{ times: 3 }, [0, 1, 2]],
  ] as const)('of %j affects these requests', async (selector, hit) => {
    server.faults.add({ ...selector, fault: { status: 500 } });
    expect((await codes(requests)).flatMap((code, at) => (code === 500 ? [at] : []))).toEqual(hit);
  });

  it('that comes first decides, and can be removed', async () => {
    const takeBack = server.faults.add({ resource: 'configmaps', fault: { status: 500 } });
    server.faults.add({ resource: 'configmaps', fault: { status: 503 } });
    expect(await codes([['GET', path]])).toEqual([500]);
    takeBack();
    expect(await codes([['GET', path]])).toEqual([503]);
  });

  it('that is invalid is refused', () => {
    expect(() => server.faults.add({ probability: 2, fault: { status: 500 } })).toThrow(
      'probability 2: must be from 0 to 1',
    );
    expect(() => server.faults.add({ verb: 'get', fault: { watch: 'drop' } })).toThrow(
      'the fault drop is about watches',
    );
  });

  it.each<[string, object, string]>([
    ['no fault', { verb: 'get' }, 'a rule needs a fault'],
    ['an unknown key', { verbs: 'get', fault: { status: 500 } }, 'a rule has no verbs; it has verb, '],
    ['an unknown verb', { verb: ['get', 'apply'], fault: { status: 500 } }, 'verb "apply" is unknown; use get, '],
    ['a fault of no kind', { fault: {} }, 'a fault must be one of status, slowMs, dropped, watch, not {}'],
    ['a fault of two kinds', { fault: { status: 500, slowMs: 1 } }, 'a fault must be one of '],
    ['an unknown key of a fault', { fault: { slowMs: 1, applied: true } }, 'this fault has no applied; it has slowMs'],
    ['an unknown status', { fault: { status: 418 } }, 'status 418 is unknown; use 409, 410, 429, 500, 503, 504'],
    [
      'an unknown fate',
      { fault: { watch: 'end' } },
      'watch "end" is unknown; use drop, half-open, no-bookmarks, expire',
    ],
    ['a time before now', { fault: { status: 429, retryAfterSeconds: -1 } }, 'retryAfterSeconds -1: must be a finite '],
    ['a negative delay', { fault: { slowMs: -1 } }, 'slowMs -1: must be a finite number from 0'],
    ['half an event', { fault: { watch: 'drop', afterEvents: 0.5 } }, 'afterEvents 0.5: must be a whole number from 0'],
    ['no times', { times: 0, fault: { status: 500 } }, 'times 0: must be a whole number from 1'],
    ['the zeroth', { nth: [1, 0], fault: { status: 500 } }, 'nth 0: must be a whole number from 1'],
    ['a drop that is none', { fault: { dropped: false } }, 'dropped false: must be true'],
  ])('is refused with the valid values: %s', (_what, rule, message) =>
    expect(() => Reflect.apply(server.faults.add, server.faults, [rule])).toThrow(message),
  );
});

describe('chance', () => {
  const rule: FaultRule = { verb: 'get', probability: 0.3, fault: { status: 500 } };
  const names = Array.from({ length: 200 }, (_, at) => `one-${at}`);
  const failing = async (tested: TestServer, order = names) => {
    const client = createClient({ ...tested.client, retry: { retries: 0 } }).core.v1.configMaps.in('default');
    const outcomes = await Promise.all(
      order.map(async (name) => {
        const error = await client.get(name).catch((thrown: unknown) => thrown);
        return String(error).includes('not found') ? [] : [name];
      }),
    );
    return outcomes.flat().sort();
  };

  it('hits the same requests with the same seed in any order, and about as many as configured', async () => {
    await using first = await startTestServer({ faults: { seed: 7 } });
    await using second = await startTestServer({ faults: { seed: 7 } });
    await using other = await startTestServer({ faults: { seed: 8 } });
    for (const each of [first, second, other]) each.faults.add(rule);
    const hit = await failing(first);
    expect(hit.length).toBeGreaterThan(35);
    expect(hit.length).toBeLessThan(85);
    expect(await failing(second, [...names].reverse())).toEqual(hit);
    expect(await failing(other)).not.toEqual(hit);
  });

  it('is recorded, and replayed without its rules', async () => {
    await using first = await startTestServer();
    first.faults.add(rule);
    const hit = await failing(first);
    const recording = JSON.parse(JSON.stringify(first.faults.recording));
    await using second = await startTestServer({ faults: recording });
    expect(await failing(second, [...names].reverse())).toEqual(hit);
    second.faults.clear();
    expect(await failing(second)).toEqual([]);
    second.faults.replay(recording);
    expect(await failing(second)).toEqual(hit);
  });
});

describe('a recording', () => {
  const notFound = (tested: TestServer) =>
    createClient({ ...tested.client, retry: { retries: 0 } })
      .core.v1.configMaps.in('default')
      .get('absent')
      .catch((error: unknown) => (error instanceof ApiError ? error.code : undefined));
  const asked = async (tested: TestServer) => [await notFound(tested), await notFound(tested), await notFound(tested)];

  it('means the same requests, whatever came before its rules, and again after each reset', async () => {
    await using first = await startTestServer();
    const before = await notFound(first);
    first.faults.add({ verb: 'get', times: 1, fault: { status: 500 } });
    const codes = [before, await notFound(first), await notFound(first)];
    expect(codes).toEqual([404, 500, 404]);
    await using second = await startTestServer({ faults: JSON.parse(JSON.stringify(first.faults.recording)) });
    expect(await asked(second)).toEqual(codes);
    await second.reset();
    expect(await asked(second)).toEqual(codes);
    second.faults.clear();
    expect(await asked(second)).toEqual([404, 404, 404]);
  });
});

describe('answers that come later', () => {
  it.each(['reset', 'dispose'] as const)('break off at %s, and their requests are not carried out', async (end) => {
    await using tested = await startTestServer({ frozenAt: '2030-01-01T00:00:00Z' });
    tested.faults.add({ verb: 'create', fault: { slowMs: 1000 } });
    const inProcess = createClient(tested.client).core.v1.configMaps.in('default');
    const network = createClient({ baseUrl: tested.url, token: tested.token }).core.v1.configMaps.in('default');
    const late = [inProcess.create({ metadata: { name: 'late' } }), network.create({ metadata: { name: 'later' } })];
    const outcomes = Promise.allSettled(late);
    await expect.poll(() => tested.faults.recording.faults.length).toBe(2);
    await tested[end]();
    const brokenOff = { status: 'rejected', reason: expect.any(ConnectionError) };
    expect(await outcomes).toEqual([brokenOff, brokenOff]);
    if (end === 'dispose') return;
    await tested.clock.advance(2000);
    const { items } = await inProcess.list({
      labelSelector: '!owner',
      fieldSelector: 'metadata.name!=kube-root-ca.crt',
    });
    expect(items).toEqual([]);
  });
});

it('the server itself and the waits of a test meet no faults', async () => {
  await using tested = await startTestServer({ controllers: ['serviceaccount'] });
  tested.faults.add({ fault: { status: 500 } });
  await tested.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
  await tested.until({ resource: 'serviceaccounts', namespace: 'a', name: 'default' }, () => true);
  await expect(createClient({ ...tested.client, retry: { retries: 0 } }).core.v1.namespaces.get('a')).rejects.toThrow();
});

it('controllers of a test meet them, and recognize a conflict', async () => {
  server.faults.add({ verb: 'update', fault: { status: 409 } });
  const created = await here().create(one);
  expect(
    isConflict(
      await here()
        .update(created)
        .catch((thrown: unknown) => thrown),
    ),
  ).toBe(true);
});
