/** Calls to hosts that hang: the number of their connections, and the point at which calls end. */
import { createServer as createPlainServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mostLate, pauseMs } from '../../../../server/webhooks/circuit.js';
import { circuitSamples, OutgoingCalls, type Target } from '../../../../server/webhooks/outgoing-calls.js';
import { listenLocally } from '../../../support/local-server.js';

const closing: (() => void)[] = [];
const warnings: string[] = [];
const note = ({ message }: Error): void => void warnings.push(message);
beforeEach(() => {
  warnings.length = 0;
  process.on('warning', note);
});
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

/** Starts a host that accepts connections and answers nothing. Returns the most connections that it had at a time. */
async function startSilent(): Promise<{ origin: string; most: () => number }> {
  let most = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.resume();
  });
  return { origin: await listening(server), most: () => most };
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  const port = await listenLocally(server);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

/** Starts a host that answers after a while. Returns the most calls that it had at a time. */
async function startSlow(ms: number): Promise<{ origin: string; most: () => number; count: () => number }> {
  let [now, most, count] = [0, 0, 0];
  const server = createPlainServer((_request, response) => {
    count++;
    most = Math.max(most, ++now);
    setTimeout(() => {
      now--;
      response.end('{}');
    }, ms);
  });
  return { origin: await listening(server), most: () => most, count: () => count };
}

const call = (target: Target, timeoutMs = 10_000, isShortened = false) =>
  target.send({ path: '/', body: () => '{}', mostBytes: 1024, timeoutMs, isShortened });

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

it('a host that hangs gets a few connections, however many calls wait for it', async () => {
  const { origin, most } = await startSilent();
  const calls = new OutgoingCalls();
  const targets = times(20, () => calls.open(`${origin}/${Math.random()}`, { origin }));
  const answers = await Promise.all(targets.flatMap((target) => times(50, () => call(target, 300))));
  expect(new Set(answers.map((answer) => !answer.ok && answer.problem))).toEqual(
    new Set(['context deadline exceeded']),
  );
  expect(most()).toBeLessThanOrEqual(16);
});

it('a host that answers gets many calls at a time, up to a limit, and answers all', async () => {
  const { origin, most, count } = await startSlow(20);
  const calls = new OutgoingCalls();
  const targets = times(3, () => calls.open(`${origin}/${Math.random()}`, { origin }));
  const answers = await Promise.all(targets.flatMap((target) => times(200, () => call(target))));
  expect(answers.every(({ ok }) => ok)).toBe(true);
  expect(count()).toBe(600);
  expect(most()).toBeGreaterThan(32);
  expect(most()).toBeLessThanOrEqual(64);
});

it('a target that is late several times in a row is called again after a pause', async () => {
  const { origin } = await startSilent();
  const problems: string[] = [];
  let now = 0;
  const calls = new OutgoingCalls(
    (problem) => problems.push(problem),
    () => now,
  );
  const hook = calls.open(`${origin}/hook`, { origin });
  const other = calls.open(`${origin}/other`, { origin });
  const state = () => circuitSamples(calls).find(({ labels }) => labels.target === `${origin}/hook`)?.value;
  await Promise.all(times(20, () => call(hook, 1000)));
  expect(state()).toBe(1);
  expect(problems).toEqual([`${origin}/hook did not answer ${mostLate} calls in time, and is called again every 10 s`]);
  const began = performance.now();
  expect(await call(hook)).toEqual({
    ok: false,
    problem: 'it did not answer earlier calls in time, and is called again every 10 s',
  });
  expect(performance.now() - began).toBeLessThan(500);
  // Other targets of the host are called.
  expect(await call(other, 100)).toHaveProperty('problem', 'context deadline exceeded');
  now += pauseMs;
  const trial = call(hook, 200);
  expect(state()).toBe(0.5);
  expect(await call(hook)).toHaveProperty('problem', expect.stringContaining('earlier calls'));
  await trial;
});

it('calls that are made at once begin in several turns of the event loop', async () => {
  const calls = new OutgoingCalls();
  let begun = 0;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const made = times(200, () => `http://${Math.random()}.example.com`).map((origin) =>
    calls.open(origin, { origin }).run(
      { timeoutMs: 1000 },
      async () => {
        begun++;
        await turn();
        return { answer: true, isLate: false };
      },
      () => false,
    ),
  );
  const counts: number[] = [];
  for (let i = 0; i < 3; i++) {
    await turn();
    counts.push(begun);
  }
  expect(counts[0]).toBeLessThanOrEqual(64);
  expect(counts[1]).toBeLessThan(200);
  expect(new Set(await Promise.all(made))).toEqual(new Set([true]));
});

it('a change of a circuit names the objects that now name its target', async () => {
  const { origin } = await startSilent();
  const changes: unknown[] = [];
  const calls = new OutgoingCalls();
  const unfollow = calls.follow(({ state, target, subjects }) =>
    changes.push([state, target, subjects.map(({ name }) => name)]),
  );
  const open = (name: string): Target =>
    calls.open(`${origin}/hook`, { origin }, { apiVersion: 'v1', kind: 'Webhook', name });
  const [hook, twin, gone] = [open('a'), open('a'), open('b')];
  gone.close();
  twin.close();
  calls.open(`${origin}/hook`, { origin });
  await Promise.all(times(mostLate, () => call(hook, 1000)));
  expect(changes).toEqual([['open', `${origin}/hook`, ['a']]]);
  unfollow();
});

it('waiting calls are given up once their target is no longer called', async () => {
  const { origin } = await startSilent();
  const target = new OutgoingCalls().open(`${origin}/hook`, { origin });
  const began = performance.now();
  const long = times(200, () => call(target, 60_000));
  // The few calls that got a connection would take all of their time.
  await Promise.race([Promise.all(times(20, () => call(target, 1000))), Promise.all(long)]);
  await Promise.race(long);
  expect(performance.now() - began).toBeLessThan(15_000);
});

it('a time limit that the request shortens is not the fault of the target', async () => {
  const { origin } = await startSilent();
  const calls = new OutgoingCalls();
  const target = calls.open(`${origin}/hook`, { origin });
  await Promise.all(times(30, () => call(target, 1000, true)));
  expect(circuitSamples(calls)).toEqual([{ labels: { target: `${origin}/hook` }, value: 0 }]);
});

it('a circuit is removed with the last target of its name', async () => {
  const calls = new OutgoingCalls();
  const [one, two] = times(2, () => calls.open('https://a.example.com/hook', { origin: 'https://a.example.com' }));
  one?.close();
  one?.close();
  expect(circuitSamples(calls)).toHaveLength(1);
  two?.close();
  expect(circuitSamples(calls)).toEqual([]);
});

it('a call keeps its time while it waits for a handshake', async () => {
  const { origin } = await startSilent();
  const secure = origin.replace('http:', 'https:');
  const target = new OutgoingCalls().open(secure, { origin: secure });
  const began = performance.now();
  expect(await call(target, 200)).toEqual({ ok: false, problem: 'context deadline exceeded' });
  expect(performance.now() - began).toBeLessThan(2000);
});

it('makes one TLS context for all connections to a target', async () => {
  const tls = await import('node:tls');
  const spied = vi.spyOn(tls.default, 'createSecureContext');
  const { origin } = await startSilent();
  const secure = origin.replace('http:', 'https:');
  const target = new OutgoingCalls().open(secure, { origin: secure });
  await Promise.all(times(30, () => call(target, 300)));
  expect(spied.mock.calls.length).toBeLessThanOrEqual(1);
  spied.mockRestore();
});
