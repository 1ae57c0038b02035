import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createResourceClient } from '../../../client/index.js';
import { runControllers } from '../../../controllers/kit/index.js';
import { defineWebhookEvents, type WebhookChange } from '../../../controllers/webhook-events.js';
import { events } from '../../../generated/core/v1/index.js';
import { type ListeningServer, startServing } from '../../support/serving.js';

let server: ListeningServer;
let change: (change: WebhookChange) => void = () => {};
const problems: string[] = [];
let stop = async (): Promise<void> => {};

beforeAll(async () => {
  server = await startServing({ naming: 'kubernetes', controllers: 'none' });
  const controller = defineWebhookEvents((onChange) => {
    change = onChange;
    return () => {
      change = () => {};
    };
  });
  const client = server.client();
  const onProblem = (_: string, problem: string): void => void problems.push(problem);
  const running = runControllers([{ controller, client }], { client, onProblem });
  stop = running.stop;
  while (running.states.get('webhook-events') !== 'running') await sleep(10);
}, 300_000);
afterAll(async () => {
  await stop();
  await server.stop();
});
afterEach(() => {
  problems.length = 0;
});

const configuration = (name: string) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  name,
  uid: `uid-of-${name}`,
});

const opened = (...subjects: WebhookChange['subjects']): WebhookChange => ({
  state: 'open',
  message: 'https://hook is silent',
  subjects,
});

const client = () => createResourceClient(events, server.client()).in('default');

async function eventsAbout(name: string) {
  const { items } = await client().list();
  return items.filter(({ involvedObject }) => involvedObject.name === name);
}

it('counts a repeated opening, and reports the closing separately', async () => {
  const subject = configuration('guard');
  for (let count = 1; count <= 3; count++) {
    change(opened(subject, { ...subject }));
    await expect.poll(() => eventsAbout('guard')).toMatchObject([{ count }]);
  }
  change({ state: 'closed', message: 'https://hook answers again', subjects: [subject] });
  await expect.poll(() => eventsAbout('guard')).toHaveLength(2);
  expect((await eventsAbout('guard')).sort((a, b) => (b.count ?? 0) - (a.count ?? 0))).toMatchObject([
    {
      metadata: { namespace: 'default' },
      involvedObject: subject,
      reason: 'WebhookCircuitOpen',
      type: 'Warning',
      message: 'https://hook is silent',
      count: 3,
      source: { component: 'apiserver' },
    },
    { involvedObject: subject, reason: 'WebhookCircuitClosed', type: 'Normal', count: 1 },
  ]);
});

it('writes one event about each configuration that names the target', async () => {
  change(opened(configuration('one'), configuration('two')));
  for (const name of ['one', 'two']) await expect.poll(() => eventsAbout(name)).toMatchObject([{ count: 1 }]);
});

it('writes about the Service of the server if only options name the target', async () => {
  change(opened());
  await expect
    .poll(() => eventsAbout('kubernetes'))
    .toMatchObject([{ involvedObject: { kind: 'Service', namespace: 'default' }, reason: 'WebhookCircuitOpen' }]);
});

it('reports an event that cannot be written once, and continues', async () => {
  change(opened({ ...configuration('not/a/name') }));
  await expect.poll(() => problems).toEqual([expect.stringContaining('event about ValidatingWebhookConfiguration')]);
  change(opened(configuration('later')));
  await expect.poll(() => eventsAbout('later')).toHaveLength(1);
});

it('follows nothing once it is stopped', async () => {
  await stop();
  change(opened(configuration('too-late')));
  expect(await eventsAbout('too-late')).toEqual([]);
});
