import { afterAll, afterEach, expect, it } from 'vitest';
import { eventRecorder } from '../../../client/index.js';
import type { Event } from '../../../generated/core/v1/index.js';
import { startTestServer } from '../../../testing/index.js';

const server = await startTestServer({ frozenAt: '2026-05-01T12:00:00Z' });
afterAll(() => server.dispose());
afterEach(() => server.reset());

const { clock } = server;
const eventsIn = (namespace: string, count: number) =>
  server.until<Event>({ resource: 'events', namespace }, (all) => all.length === count);
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'door', namespace: 'default', uid: 'u1' } };

it('records an event about an object, and counts it up when it happens again', async () => {
  const record = eventRecorder(server.client, { component: 'maker', clock });
  await record(map, { reason: 'Made', message: 'made a door' });
  await clock.advance(5000);
  await record(map, { reason: 'Made', message: 'made a door' });
  const [event] = await eventsIn('default', 1);
  expect(event).toMatchObject({
    involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'door', namespace: 'default', uid: 'u1' },
    reason: 'Made',
    message: 'made a door',
    type: 'Normal',
    source: { component: 'maker' },
    count: 2,
    firstTimestamp: '2026-05-01T12:00:00Z',
    lastTimestamp: '2026-05-01T12:00:05Z',
  });
  await record(map, { reason: 'Made', message: 'made a door', type: 'Warning' });
  await eventsIn('default', 2);
});

it('records an event again if the one before has expired', async () => {
  const record = eventRecorder(server.client, { component: 'maker', clock });
  await record(map, { reason: 'Made', message: 'made a door' });
  await server.reset();
  await eventsIn('default', 0);
  await record(map, { reason: 'Made', message: 'made a door' });
  expect((await eventsIn('default', 1))[0]?.count).toBe(1);
});

it('drops events about an object after 25 of them, except one in five minutes', async () => {
  const record = eventRecorder(server.client, { component: 'maker', clock });
  for (let i = 0; i < 40; i++) await record(map, { reason: 'Made', message: `made door ${i}` });
  await record({ ...map, metadata: { ...map.metadata, uid: 'u2' } }, { reason: 'Made', message: 'made another' });
  await eventsIn('default', 26);
  await clock.advance(300_000);
  for (let i = 0; i < 2; i++) await record(map, { reason: 'Late', message: `late door ${i}` });
  await eventsIn('default', 27);
});

it('puts events about cluster-scoped objects into the namespace default', async () => {
  const record = eventRecorder(server.client, { component: 'maker', clock });
  await record({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } }, { reason: 'Seen', message: 'seen' });
  await eventsIn('default', 1);
});

it('counts an event of another recorder, and shortens the longest name', async () => {
  const longest = { ...map, metadata: { ...map.metadata, name: 'a'.repeat(253) } };
  for (let i = 0; i < 2; i++)
    await eventRecorder(server.client, { component: 'maker', clock })(longest, { reason: 'Made', message: 'made' });
  expect((await eventsIn('default', 1))[0]?.count).toBe(2);
  await eventRecorder(server.client, { component: 'other', clock })(longest, { reason: 'Made', message: 'made' });
  await eventsIn('default', 2);
});
