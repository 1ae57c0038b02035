/**
 * Webhooks that accept connections and never answer. They do not delay other requests, and after a while not even their
 * own.
 */
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import { type HookBench, rule, startHookBench } from '../../support/hook-bench.js';
import { listenLocally } from '../../support/local-server.js';

const hooks = 20;
const creates = 100;

let bench: HookBench;
const sockets = new Set<Socket>();
let most = 0;
/** If false, the server closes each connection at once. */
let isSilent = true;
const silent = createServer((socket) => {
  sockets.add(socket);
  most = Math.max(most, sockets.size);
  socket.on('error', () => {});
  socket.on('close', () => sockets.delete(socket));
  if (isSilent) socket.resume();
  else socket.destroy();
});
const warnings: string[] = [];
const note = ({ message }: Error): void => void warnings.push(message);
let port = 0;

beforeAll(async () => {
  process.on('warning', note);
  bench = await startHookBench();
  port = await listenLocally(silent);
});
afterAll(async () => {
  process.off('warning', note);
  await bench.stop();
  closeSockets();
  silent.close();
});

function closeSockets(): void {
  for (const socket of sockets) socket.destroy();
}

function hook(name: string, more: JsonObject): Promise<void> {
  const clientConfig = { url: `https://127.0.0.1:${port}/${name}`, caBundle: bench.webhook.caBundle };
  return bench.configure('validating', name, bench.hook(name, { clientConfig, failurePolicy: 'Ignore', ...more }));
}

async function hookAll(timeoutSeconds: number): Promise<void> {
  for (let i = 0; i < hooks; i++) await hook(`hook-${i}`, { timeoutSeconds });
}

const createSecret = async (name: string): Promise<number> =>
  (await bench.ask('POST', '/api/v1/namespaces/default/secrets', { metadata: { name } })).code;

/** Creates ConfigMaps, all at once. Resolves to the distinct codes of the answers. */
async function createAll(round: string, onEnd = (): void => {}): Promise<readonly number[]> {
  const codes = Array.from({ length: creates }, async (_, i) => {
    const { code } = await bench.create(`${round}-${i}`);
    onEnd();
    return code;
  });
  return [...new Set(await Promise.all(codes))];
}

it('do not delay other requests', async () => {
  await hookAll(30);
  let ended = 0;
  const waiting = createAll('waiting', () => ended++);
  await expect.poll(() => sockets.size).toBeGreaterThan(0);
  for (let i = 0; i < 20; i++) {
    expect((await fetch(`${bench.running.url}/version`)).status).toBe(200);
    expect(await createSecret(`other-${i}`)).toBe(201);
  }
  // The other requests overtook all that wait for the webhooks.
  expect(ended).toBe(0);
  isSilent = false;
  closeSockets();
  expect(await waiting).toEqual([201]);
  isSilent = true;
  await bench.clear();
});

it('are not called for a while after repeated timeouts', async () => {
  await hookAll(5);
  expect(await createAll('first')).toEqual([201]);
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
  // Another configuration does not make the server call these webhooks again.
  await hook('patient', { timeoutSeconds: 5, rules: [rule('secrets')] });
  let hasWaited = false;
  const waiting = createSecret('waiting').finally(() => {
    hasWaited = true;
  });
  await expect.poll(() => sockets.size).toBeGreaterThan(0);
  let late = 0;
  const countLate = (): void => {
    if (hasWaited) late++;
  };
  expect(await createAll('second', countLate)).toEqual([201]);
  // The others overtook a request that began to wait before them. The server may have tried each webhook once more.
  expect(late).toBeLessThanOrEqual(hooks);
  expect(await waiting).toBe(201);
  expect(warnings).toEqual([]);
});
