/** Requests hold the seats of their priority level, wait in its queues, and are refused if too many do. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ListeningServer, type StartOptions, startServer } from '../../../../server/index.js';

const group = 'flowcontrol.apiserver.k8s.io';

/** Requests to `/slow` that have no answer yet. */
let held: { readonly user: string; readonly answer: () => void }[] = [];

const options: StartOptions = {
  naming: 'kubernetes',
  controllers: [],
  authentication: { anonymous: 'administrator' },
  authorization: { modes: ['AlwaysAllow'] },
  routes: (app) => {
    app.get('/slow', ({ context: { user } }) => {
      return new Promise<string>((resolve) => {
        held.push({ user: user?.name ?? '', answer: () => resolve('done\n') });
      });
    });
  },
};

/** The total seats. Levels of the server's own get most of them by their shares. */
const limits = { requests: 20, mutatingRequests: 10 };

let server: ListeningServer;

const ask = (path: string, user = '', init: RequestInit = {}) =>
  fetch(server.url + path, {
    ...init,
    headers: { ...(user === '' ? {} : { 'impersonate-user': user }), ...init.headers },
  });

const moment = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Resolves once so many requests to `/slow` have come. */
async function whenHeld(count: number): Promise<void> {
  while (held.length < count) await moment();
}

/** Answers the first of these requests, once there is one. */
async function release(): Promise<string> {
  await whenHeld(1);
  const [first, ...rest] = held;
  held = rest;
  first?.answer();
  return first?.user ?? '';
}

const writeOf = (method: string, plural: string, name: string, body: unknown) =>
  ask(`/apis/${group}/v1beta3/${plural}${method === 'POST' ? '' : `/${name}`}`, '', {
    method,
    headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    body: JSON.stringify(body),
  });

/** Makes a level with one seat. */
async function makeLevel(name: string, limitResponse: unknown): Promise<void> {
  const limited = { nominalConcurrencyShares: 1, limitResponse, borrowingLimitPercent: 0 };
  const answer = await writeOf('POST', 'prioritylevelconfigurations', name, {
    metadata: { name },
    spec: { type: 'Limited', limited },
  });
  expect(answer.status).toBe(201);
}

/** Sends users with these name prefixes to a level, or all users for `*`. */
async function makeSchema(name: string, level: string, users: readonly string[]): Promise<void> {
  const answer = await writeOf('POST', 'flowschemas', name, {
    metadata: { name },
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence: 50,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: users.map((user) => ({ kind: 'User', user: { name: user } })),
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        },
      ],
    },
  });
  expect(answer.status).toBe(201);
}

async function metric(line: RegExp): Promise<string[]> {
  const text = await (await ask('/metrics')).text();
  return text.split('\n').filter((one) => !one.startsWith('#') && line.test(one));
}

afterEach(() => {
  for (const { answer } of held.splice(0)) answer();
});

describe('levels', () => {
  beforeAll(async () => {
    server = await startServer({ ...options, limits });
    await makeLevel('refusing', { type: 'Reject' });
    await makeSchema('refusing', 'refusing', ['reject-a', 'reject-b']);
    const queuing = { queues: 1, handSize: 1, queueLengthLimit: 2 };
    await makeLevel('short', { type: 'Queue', queuing });
    await makeSchema('short', 'short', ['short']);
    await makeLevel('fair', { type: 'Queue', queuing: { queues: 64, handSize: 2, queueLengthLimit: 50 } });
    await makeSchema('fair', 'fair', ['flood', 'other']);
  });
  afterAll(() => server.stop());

  it('that refuse answer 429 to requests without a seat', async () => {
    const first = ask('/slow', 'reject-a');
    await whenHeld(1);
    const second = await ask('/slow', 'reject-b');
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await second.json()).toMatchObject({
      kind: 'Status',
      reason: 'TooManyRequests',
      message: 'Too many requests, please try again later.',
      details: { retryAfterSeconds: 1 },
      code: 429,
    });
    expect(second.headers.get('x-kubernetes-pf-flowschema-uid')).toMatch(/-/);
    expect(second.headers.get('x-kubernetes-pf-prioritylevel-uid')).toMatch(/-/);
    await release();
    expect((await first).status).toBe(200);
    const third = ask('/slow', 'reject-b');
    await release();
    expect((await third).status).toBe(200);
    expect(await metric(/rejected_requests_total.*refusing/)).toEqual([
      'apiserver_flowcontrol_rejected_requests_total{flow_schema="refusing",priority_level="refusing",reason="concurrency-limit"} 1',
    ]);
  });

  it('that queue let requests wait, as many as their queues hold', async () => {
    const answers = [ask('/slow', 'short')];
    await whenHeld(1);
    answers.push(ask('/slow', 'short'), ask('/slow', 'short'));
    await moment();
    expect(held.length).toBe(1);
    expect(await metric(/current_inqueue_requests\{.*"short"|current_executing_requests\{.*"short"/)).toEqual([
      'apiserver_flowcontrol_current_executing_requests{flow_schema="short",priority_level="short"} 1',
      'apiserver_flowcontrol_current_inqueue_requests{flow_schema="short",priority_level="short"} 2',
    ]);
    expect((await ask('/slow', 'short')).status).toBe(429);
    for (const _ of answers) await release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('show waiting requests to administrators', async () => {
    const answers = [ask('/slow', 'short')];
    await whenHeld(1);
    answers.push(ask('/slow', 'short'));
    await moment();
    const dump = async (name: string) => (await ask(`/debug/api_priority_and_fairness/${name}`)).text();
    expect(await dump('dump_priority_levels')).toContain('\nshort, 1, false, 1, 1, 1, 1\n');
    expect(await dump('dump_queues')).toMatch(/\nshort, 0, 1, 1, [\d.]+\n/);
    expect(await dump('dump_requests')).toMatch(/\nshort, short, 0, 0, short, [\d.]+, 1, short, get, \/slow\n/);
    expect((await ask('/debug/api_priority_and_fairness/nothing')).status).toBe(404);
    for (const _ of answers) await release();
    await Promise.all(answers);
  });

  it('serve a user before others who have more requests waiting', async () => {
    const flood = [ask('/slow', 'flood')];
    await whenHeld(1);
    for (let i = 0; i < 8; i++) flood.push(ask('/slow', 'flood'));
    await moment();
    const other = ask('/slow', 'other');
    await moment();
    // The executed request, and at most one of each of the flood's two queues come before it.
    const served = [await release(), await release(), await release(), await release()];
    expect(served).toContain('other');
    expect((await other).status).toBe(200);
    for (let i = 0; i < 6; i++) await release();
    await Promise.all(flood);
  });

  it('remove requests from their queues when their clients go', async () => {
    const first = ask('/slow', 'short');
    await whenHeld(1);
    const gone = new AbortController();
    const leaving = [1, 2].map(() => ask('/slow', 'short', { signal: gone.signal }).catch(() => 'gone'));
    await moment();
    gone.abort();
    expect(await Promise.all(leaving)).toEqual(['gone', 'gone']);
    await moment();
    const later = ask('/slow', 'short');
    await release();
    await release();
    expect([(await first).status, (await later).status]).toEqual([200, 200]);
    expect(held).toEqual([]);
    expect((await metric(/rejected_requests_total.*short.*cancelled/))[0]).toMatch(/ 2$/);
  });

  it('release watches once they have begun', async () => {
    const watches = [];
    for (let i = 0; i < 3; i++) {
      const watch = await ask('/api/v1/namespaces?watch=true', 'reject-a');
      expect(watch.status).toBe(200);
      watches.push(watch);
    }
    expect((await ask('/api/v1/namespaces', 'reject-a')).status).toBe(200);
    for (const { body } of watches) await body?.cancel();
  });

  it('do not delay administrators', async () => {
    const answers = Array.from({ length: 40 }, () => ask('/slow'));
    await whenHeld(40);
    for (const _ of answers) await release();
    expect((await Promise.all(answers)).every(({ status }) => status === 200)).toBe(true);
  });

  it('and flow schemas take effect when they are written', async () => {
    const first = ask('/slow', 'reject-a');
    await whenHeld(1);
    expect((await ask('/slow', 'reject-b')).status).toBe(429);
    await writeOf('PATCH', 'flowschemas', 'refusing', {
      spec: { priorityLevelConfiguration: { name: 'workload-low' } },
    });
    const second = ask('/slow', 'reject-b');
    await whenHeld(2);
    await writeOf('PATCH', 'flowschemas', 'refusing', { spec: { priorityLevelConfiguration: { name: 'refusing' } } });
    const limitResponse = { type: 'Queue', queuing: { queues: 1, handSize: 1, queueLengthLimit: 5 } };
    await writeOf('PATCH', 'prioritylevelconfigurations', 'refusing', { spec: { limited: { limitResponse } } });
    const third = ask('/slow', 'reject-b');
    await moment();
    expect(held.length).toBe(2);
    for (let i = 0; i < 3; i++) await release();
    expect((await Promise.all([first, second, third])).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe('a request', () => {
  beforeAll(async () => {
    server = await startServer({ ...options, limits: { ...limits, requestTimeoutMs: 800 } });
    await makeLevel('short', { type: 'Queue', queuing: { queues: 1, handSize: 1, queueLengthLimit: 2 } });
    await makeSchema('short', 'short', ['short']);
  });
  afterAll(() => server.stop());

  it('is refused after a quarter of the time limit of requests', async () => {
    const first = ask('/slow', 'short');
    await whenHeld(1);
    const second = await ask('/slow', 'short');
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await metric(/rejected_requests_total.*time-out/))[0]).toMatch(/ 1$/);
    await release();
    expect((await first).status).toBe(200);
  });

  it('is not executed if its own timeout has passed while it waited', async () => {
    const first = ask('/slow', 'short');
    await whenHeld(1);
    const late = await ask('/api/v1/namespaces?timeout=50ms', 'short', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"metadata":{"name":"late"}}',
    });
    expect(late.status).toBe(504);
    await release();
    await first;
    const next = ask('/slow', 'short');
    await release();
    await next;
    expect((await ask('/api/v1/namespaces/late')).status).toBe(404);
  });
});

describe('without fairness', () => {
  afterEach(() => server.stop());

  it('limits the number of requests in progress, for all users together', async () => {
    server = await startServer({ ...options, limits: { fairness: false, requests: 2, mutatingRequests: 10 } });
    const answers = [ask('/slow', 'a'), ask('/slow', 'b')];
    await whenHeld(2);
    const third = await ask('/slow', 'c');
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '1']);
    expect(third.headers.get('x-kubernetes-pf-flowschema-uid')).toBeNull();
    const write = await ask('/api/v1/namespaces', 'c', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"metadata":{"name":"written"}}',
    });
    expect(write.status).toBe(201);
    const watch = await ask('/api/v1/namespaces?watch=true', 'c');
    expect(watch.status).toBe(200);
    await watch.body?.cancel();
    const administrator = ask('/slow');
    await whenHeld(3);
    for (let i = 0; i < 3; i++) await release();
    expect((await Promise.all([...answers, administrator])).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('0 means no limit', async () => {
    server = await startServer({ ...options, limits: { fairness: false, requests: 0, mutatingRequests: 1 } });
    const answers = Array.from({ length: 30 }, () => ask('/slow', 'a'));
    await whenHeld(30);
    for (const _ of answers) await release();
    expect((await Promise.all(answers)).every(({ status }) => status === 200)).toBe(true);
  });
});
