/** Owners of fields in several versions with a conversion webhook, for definitions in files and posted ones. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../runtime/contract/index.js';
import { type Answer, askLater } from '../support/ask.js';
import {
  type ConversionWebhook,
  heater,
  heaterDefinition,
  heaters,
  heaterVersions,
  startConversionWebhook,
} from '../support/conversion-webhook.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ListeningServer, startServing } from '../support/serving.js';
import { specOwners } from '../support/spec-owners.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let webhook: ConversionWebhook;
let running: ListeningServer;

const ask = askLater(() => running);

const apply = (version: string, manager: string, name: string, spec: JsonObject, force = false): Promise<Answer> =>
  ask(
    'PATCH',
    `${heaters(version)}/${name}?fieldManager=${manager}&force=${force}`,
    heater(name, spec, version),
    'application/apply-patch+yaml',
  );

const merge = (version: string, name: string, spec: JsonObject): Promise<Answer> =>
  ask('PATCH', `${heaters(version)}/${name}?fieldManager=editor`, { spec }, 'application/merge-patch+json');

const versions = heaterVersions({ note: { type: 'string' } });
const folder = scratchFolder();

beforeAll(async () => {
  webhook = await startConversionWebhook();
});
afterAll(() => webhook.close());

describe.each([
  [
    'in a file',
    async () => {
      writeFileSync(join(folder, 'heaters.json'), JSON.stringify(heaterDefinition(webhook, ['v1'], versions)));
      running = await startServing({ naming: 'kubernetes', controllers: 'none', schemas: folder });
    },
  ],
  [
    'posted',
    async () => {
      running = await startServing({ naming: 'kubernetes', controllers: 'none' });
      await ask('POST', definitions, heaterDefinition(webhook, ['v1'], versions));
      while ((await ask('GET', heaters('v1'))).code !== 200) await sleep(20);
    },
  ],
])('with a definition %s', (_where, start) => {
  beforeAll(start);
  afterAll(() => running.stop());

  it('a write in one version is read in the other', async () => {
    webhook.reviews = [];
    expect((await ask('POST', heaters('v2'), heater('plain', { power: { watts: 3 } }))).code).toBe(201);
    expect((await ask('GET', `${heaters('v1')}/plain`)).body.spec).toEqual({ watts: 3 });
    expect(webhook.reviews.length).toBeGreaterThan(0);
  });

  it('a field applied in another version keeps its owner', async () => {
    expect((await apply('v1', 'anna', 'theirs', { watts: 1 })).code).toBe(201);
    const refused = await apply('v2', 'bert', 'theirs', { power: { watts: 2 } });
    expect(refused.code).toBe(409);
    expect(refused.body.message).toBe('Apply failed with 1 conflict: conflict with "anna": .spec.watts');
    expect((await apply('v2', 'bert', 'theirs', { power: { watts: 1 } })).code).toBe(200);
    expect((await apply('v2', 'cara', 'theirs', { note: 'hot' })).code).toBe(200);
    const taken = await apply('v2', 'bert', 'theirs', { power: { watts: 2 } }, true);
    expect(taken).toMatchObject({ code: 200, body: { spec: { power: { watts: 2 }, note: 'hot' } } });
    expect(specOwners(taken)).toEqual(['bert v2: {"f:power":{"f:watts":{}}}', 'cara v2: {"f:note":{}}']);
  });

  it('an applier that continues in another version gives up the fields that it no longer applies', async () => {
    expect((await apply('v1', 'anna', 'moving', { watts: 1, note: 'cold' })).code).toBe(201);
    const moved = await apply('v2', 'anna', 'moving', { power: { watts: 1 } });
    expect(moved.code).toBe(200);
    expect(moved.body.spec).toEqual({ power: { watts: 1 } });
    expect(specOwners(moved)).toEqual(['anna v2: {"f:power":{"f:watts":{}}}']);
    expect((await ask('GET', `${heaters('v1')}/moving`)).body.spec).toEqual({ watts: 1 });
  });

  it('an update in another version takes only the fields that it changes', async () => {
    expect((await apply('v1', 'anna', 'edited', { watts: 1, note: 'cold' })).code).toBe(201);
    const noted = await merge('v2', 'edited', { note: 'warm' });
    expect(specOwners(noted)).toEqual(['anna v1: {"f:watts":{}}', 'editor v2: {"f:note":{}}']);
    const heated = await merge('v2', 'edited', { power: { watts: 5 } });
    expect(specOwners(heated)).toEqual(['editor v2: {"f:note":{},"f:power":{"f:watts":{}}}']);
  });

  it('an apply that needs a conversion fails if there is none', async () => {
    expect((await apply('v1', 'anna', 'broken', { watts: 1 })).code).toBe(201);
    const { answerer } = webhook;
    webhook.answerer = (response, { apiVersion, kind }) => ({
      apiVersion,
      kind,
      response: { ...response, result: { status: 'Failed', message: 'not today' } },
    });
    const refused = await apply('v2', 'bert', 'broken', { power: { watts: 1 } });
    webhook.answerer = answerer;
    expect(refused.code).toBe(500);
    expect(refused.body.message).toContain('not today');
  });
});
