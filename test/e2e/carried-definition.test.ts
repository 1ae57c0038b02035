/** Moves a native definition to a running server as a CustomResourceDefinition, with a webhook for its conversions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../runtime/contract/index.js';
import {
  type ConversionWebhookOptions,
  printConversionWebhook,
  type RunningConversionWebhook,
  startConversionWebhook,
} from '../../server/webhooks/start-webhook.js';
import { askLater } from '../support/ask.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ListeningServer, startServing } from '../support/serving.js';
import { root } from '../support/shared.js';

const folder = scratchFolder();
const problems: string[] = [];
let webhook: RunningConversionWebhook;
let running: ListeningServer;

const options: ConversionWebhookOptions = {
  schemas: `${root}/examples/conversion/schemas`,
  naming: 'kubernetes',
  host: '127.0.0.1',
  port: 0,
  certificate: { folder, names: [] },
  maxBodyBytes: 1_000_000,
  graceMs: 1_000,
  onProblem: (problem) => problems.push(problem),
};

const ask = askLater(() => running);

beforeAll(async () => {
  webhook = await startConversionWebhook(options);
  running = await startServing({ naming: 'kubernetes', controllers: 'none' });
  const { text } = await printConversionWebhook({ ...options, what: 'crd', place: { url: webhook.url } });
  const posted = await ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', text, 'application/yaml');
  expect(posted.code).toBe(201);
  for (let tries = 0; tries < 1000 && (await ask('GET', at('v1'))).code !== 200; tries++) await sleep(20);
});
afterAll(async () => {
  await running.stop();
  await webhook.stop();
});

const at = (version: string, name = ''): string =>
  `/apis/kitchen.example.com/${version}/namespaces/default/timers${name === '' ? '' : `/${name}`}`;

const timer = (version: string, name: string, spec: JsonObject): string =>
  JSON.stringify({ apiVersion: `kitchen.example.com/${version}`, kind: 'Timer', metadata: { name }, spec });

it('objects are converted between versions', async () => {
  const spec = { minutes: 5, place: 'hall/2', host: 'bell.local', port: '80', bell: 'a', tone: 'high' };
  expect((await ask('POST', at('v1'), timer('v1', 'egg', spec))).code).toBe(201);
  const stored = {
    type: 'kitchen',
    seconds: 300,
    room: 'hall',
    floor: '2',
    address: 'bell.local:80',
    bells: ['a'],
    tone: 'high',
  };
  expect((await ask('GET', at('v2', 'egg'))).body.spec).toEqual(stored);
  const bells = JSON.stringify({ spec: { bells: ['a', 'b', 'c'] } });
  expect((await ask('PATCH', at('v2', 'egg'), bells, 'application/merge-patch+json')).code).toBe(200);
  const old = await ask('GET', at('v1', 'egg'));
  expect(old.body).toMatchObject({ spec, metadata: { annotations: { 'kitchen.example.com/bells': '["b","c"]' } } });
  const changed = JSON.stringify({ ...old.body, spec: { ...spec, minutes: 6 } });
  expect((await ask('PUT', at('v1', 'egg'), changed)).code).toBe(200);
  expect((await ask('GET', at('v2', 'egg'))).body.spec).toEqual({ ...stored, seconds: 360, bells: ['a', 'b', 'c'] });
});

it('owners are found in the other version', async () => {
  const apply = (version: string, manager: string, spec: JsonObject) =>
    ask(
      'PATCH',
      `${at(version, 'owned')}?fieldManager=${manager}`,
      timer(version, 'owned', spec),
      'application/apply-patch+yaml',
    );
  expect((await apply('v1', 'anna', { minutes: 1 })).code).toBe(201);
  const refused = await apply('v2', 'bert', { type: 'kitchen', seconds: 120 });
  expect([refused.code, refused.body.message]).toEqual([
    409,
    expect.stringContaining('conflict with "anna": .spec.minutes'),
  ]);
  expect((await apply('v2', 'bert', { type: 'kitchen', seconds: 60 })).code).toBe(200);
  expect(problems).toEqual([]);
});
