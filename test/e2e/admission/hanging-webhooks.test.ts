/**
 * Webhooks that accept connections and never answer. They do not delay other requests, and after a while not even their
 * own.
 */
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import { type HookBench, startHookBench } from '../../support/hook-bench.js';
import { listenLocally } from '../../support/local-server.js';

const hooks = 20;
const creates = 100;

let bench: HookBench;
const sockets = new Set<Socket>();
let most = 0;
const silent = createServer((socket) => {
  sockets.add(socket);
  most = Math.max(most, sockets.size);
  socket.on('error', () => {});
  socket.on('close', () => sockets.delete(socket));
  socket.resume();
});
const warnings: string[] = [];
const note = ({ message }: Error): void => void warnings.push(message);

beforeAll(async () => {
  process.on('warning', note);
  bench = await startHookBench();
  const port = await listenLocally(silent);
  const url = `https://127.0.0.1:${port}`;
  for (let i = 0; i < hooks; i++) {
    const clientConfig = { url: `${url}/hook-${i}`, caBundle: bench.webhook.caBundle };
    const more = { clientConfig, timeoutSeconds: 5, failurePolicy: 'Ignore' };
    await bench.configure('validating', `silent-${i}`, bench.hook(`silent-${i}`, more));
  }
});
afterAll(async () => {
  process.off('warning', note);
  await bench.stop();
  for (const socket of sockets) socket.destroy();
  silent.close();
});

const createAll = (round: string): Promise<readonly number[]> =>
  Promise.all(Array.from({ length: creates }, async (_, i) => (await bench.create(`${round}-${i}`)).code));

/** Returns the durations of other requests during the work, in milliseconds, the shortest first. */
async function othersDuring(work: Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const began = performance.now();
    await fetch(`${bench.running.url}/version`);
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await over;
  return times.sort((a, b) => a - b);
}

it('do not delay others, and the server stops waiting for them after repeated timeouts', async () => {
  const first = createAll('first');
  const others = await othersDuring(first);
  expect(new Set(await first)).toEqual(new Set([201]));
  // The clients share the thread with the server: their own work is among the slowest of a hundred.
  expect(others[Math.floor(others.length * 0.95)]).toBeLessThan(100);
  expect(most).toBeLessThanOrEqual(64);
  const metrics = await (await fetch(`${bench.running.url}/metrics`)).text();
  expect(metrics.match(/^kindforge_webhook_circuit_state\{target="https:.*\/hook-\d+"\} 1$/gm)).toHaveLength(hooks);
  await expect
    .poll(async () => {
      const { body } = await bench.ask('GET', '/api/v1/namespaces/default/events');
      const events = objectsAt(body, 'items').filter(({ reason }) => reason === 'WebhookCircuitOpen');
      const told = events.map((event) => stringAt(objectAt(event, 'involvedObject'), 'name'));
      return new Set(told).size;
    })
    .toBe(hooks);
  const began = performance.now();
  expect(new Set(await createAll('second'))).toEqual(new Set([201]));
  // Before that, the server waited 5 s for each.
  expect(performance.now() - began).toBeLessThan(4000);
  expect(warnings).toEqual([]);
});
