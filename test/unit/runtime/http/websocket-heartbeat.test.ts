/** Pings clients over WebSocket, and cuts off clients without an answer. */
import { afterAll, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../../../support/eventually.js';
import { startTestApi } from '../../../support/test-api.js';
import { widgets, widgetsPath } from '../../../support/widgets.js';

vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
const api = await startTestApi([widgets]);
const listening = await api.server.listen({ host: '127.0.0.1', port: 0 });
afterAll(async () => {
  vi.useRealTimers();
  await listening.close(() => api.close());
});

const interval = 30_000;
/** Timers that a server has without any WebSocket. */
const others = vi.getTimerCount();

async function open(autoPong: boolean) {
  const socket = new WebSocket(`${listening.url.replace('http', 'ws')}${widgetsPath}?watch=true`, { autoPong });
  let pings = 0;
  socket.on('ping', () => {
    pings++;
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  return { socket, closed, pings: () => pings };
}

it('cuts off silent clients, and no others', async () => {
  const [silent, living] = await Promise.all([open(false), open(true)]);
  vi.advanceTimersByTime(interval);
  await eventually(() => expect([silent.pings(), living.pings()]).toEqual([1, 1]));
  // The answer of the other client is on its way.
  await new Promise((resolve) => setTimeout(resolve, 100));
  vi.advanceTimersByTime(interval);
  expect(await silent.closed).toBe(1006);
  await eventually(() => expect(living.pings()).toBe(2));
  await new Promise((resolve) => setTimeout(resolve, 100));
  vi.advanceTimersByTime(interval);
  await eventually(() => expect(living.pings()).toBe(3));
  expect(living.socket.readyState).toBe(WebSocket.OPEN);
  living.socket.close();
  await living.closed;
  await eventually(() => expect(api.store.statistics.watches).toBe(0));
  expect(vi.getTimerCount()).toBe(others);
});
