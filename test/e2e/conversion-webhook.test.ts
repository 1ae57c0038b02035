/** Versions of custom resources that a webhook converts: reads, writes, lists, watches, and invalid answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isArray, isObject, objectAt } from '../../runtime/objects/guards.js';
import { askLater } from '../support/ask.js';
import {
  type Answerer,
  type ConversionWebhook,
  heater,
  heaterDefinition,
  heaters,
  honest,
  startConversionWebhook,
} from '../support/conversion-webhook.js';
import { type ListeningServer, startServing } from '../support/serving.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let webhook: ConversionWebhook;
let running: ListeningServer;

const ask = askLater(() => running);

beforeAll(async () => {
  webhook = await startConversionWebhook();
});
afterAll(() => webhook.close());

beforeEach(() => {
  webhook.answerer = honest;
  webhook.reviews = [];
});

describe.each(['v1', 'v1beta1'])('a definition with a webhook for reviews of %s', (reviewVersion) => {
  beforeAll(async () => {
    running = await startServing({ naming: 'kubernetes', controllers: 'none' });
    expect((await ask('POST', definitions, heaterDefinition(webhook, ['v7', reviewVersion]))).code).toBe(201);
    for (let tries = 0; tries < 1000; tries++) {
      const answer = await fetch(running.url + heaters('v1'));
      if (answer.status === 200) break;
      await sleep(20);
    }
  });
  afterAll(() => running.stop());

  it('is written and read in both versions', async () => {
    expect(await ask('POST', heaters('v2'), heater('hall', { power: { watts: 7 } }))).toMatchObject({
      code: 201,
      body: { apiVersion: 'home.example.com/v2', spec: { power: { watts: 7 } } },
    });
    expect(webhook.reviews[0]).toMatchObject({
      apiVersion: `apiextensions.k8s.io/${reviewVersion}`,
      kind: 'ConversionReview',
      request: { desiredAPIVersion: 'home.example.com/v1', objects: [{ apiVersion: 'home.example.com/v2' }] },
    });
    expect((await ask('GET', `${heaters('v1')}/hall`)).body.spec).toEqual({ watts: 7 });
    expect((await ask('GET', `${heaters('v2')}/hall`)).body.spec).toEqual({ power: { watts: 7 } });
    const patched = await ask('PATCH', `${heaters('v2')}/hall`, { spec: { power: { watts: 8 } } });
    expect(patched.body).toMatchObject({ spec: { power: { watts: 8 } }, metadata: { generation: 2 } });
    expect((await ask('GET', `${heaters('v1')}/hall`)).body.spec).toEqual({ watts: 8 });
  });

  it('is listed with one call, without converting the same objects again', async () => {
    const all = [1, 2, 3].map((watts) => ask('POST', heaters('v1'), heater(`list-${watts}`, { watts }, 'v1')));
    await Promise.all(all);
    webhook.reviews = [];
    const listed = await ask('GET', heaters('v2'));
    expect(listed.body.items).toHaveLength(4);
    expect(webhook.reviews).toHaveLength(1);
    expect(JSON.stringify(listed.body)).toContain('"spec":{"power":{"watts":2}}');
    await ask('GET', heaters('v2'));
    expect(webhook.reviews).toHaveLength(1);
  });

  it('is watched in order', async () => {
    const ending = new AbortController();
    const from = running.store.revision;
    const answer = await fetch(`${running.url}${heaters('v2')}?watch=1&resourceVersion=${from}&timeoutSeconds=3`, {
      signal: ending.signal,
    });
    for (const watts of [1, 2]) await ask('PATCH', `${heaters('v1')}/list-1`, { spec: { watts: watts * 10 } });
    await ask('DELETE', `${heaters('v1')}/list-1`);
    const events = (await answer.text())
      .trim()
      .split('\n')
      .map((line): JsonObject => JSON.parse(line));
    expect(events.map(({ type, object }) => [type, isObject(object) && object.spec])).toEqual([
      ['MODIFIED', { power: { watts: 10 } }],
      ['MODIFIED', { power: { watts: 20 } }],
      ['DELETED', { power: { watts: 20 } }],
    ]);
  });

  it.each<[string, Answerer, string]>([
    ['no response', (_response, { apiVersion, kind }) => ({ apiVersion, kind }), 'no response provided'],
    [
      'another kind',
      (response) => ({ apiVersion: 'example.com/v1', kind: 'Other', response }),
      'expected webhook response of',
    ],
    ['the response to another', (response, review) => honest({ ...response, uid: 'x' }, review), 'got "x"'],
    [
      'a refusal',
      (response, review) => honest({ ...response, result: { status: 'Failed', message: 'not today' } }, review),
      'not today',
    ],
    [
      'too few objects',
      (response, review) => honest({ ...response, convertedObjects: [] }, review),
      'returned 0 objects, expected 1',
    ],
    ['another version', changed({ apiVersion: 'home.example.com/v1' }), 'invalid groupVersion'],
    ['another kind of object', changed({ kind: 'Other' }), 'invalid kind'],
    ['another name', changed({ metadata: { name: 'other' } }), 'must have the same name'],
    ['no metadata', changed({ metadata: null }), 'missing metadata'],
  ])('is refused if the webhook answers with %s', async (what, answers, expected) => {
    const name = `bad-${what.replaceAll(' ', '-')}`;
    await ask('POST', heaters('v1'), heater(name, { watts: 1 }, 'v1'));
    webhook.answerer = answers;
    const refused = await ask('GET', `${heaters('v2')}/${name}`);
    expect(refused.code).toBe(500);
    expect(refused.body.message).toContain('conversion webhook for home.example.com/v1, Kind=Heater');
    expect(refused.body.message).toContain(expected);
    webhook.answerer = honest;
    expect((await ask('GET', `${heaters('v2')}/${name}`)).code).toBe(200);
  });

  it('keeps metadata except for labels and annotations', async () => {
    await ask('POST', heaters('v1'), heater('meta', { watts: 1 }, 'v1'));
    webhook.answerer = (response, review) => {
      const [object] = isArray(response.convertedObjects) ? response.convertedObjects.filter(isObject) : [];
      const metadata = { ...objectAt(object, 'metadata'), labels: { a: 'b' }, finalizers: ['example.com/x'] };
      return honest({ ...response, convertedObjects: [{ ...object, metadata }] }, review);
    };
    const { body } = await ask('GET', `${heaters('v2')}/meta`);
    expect(body.metadata).toMatchObject({ labels: { a: 'b' } });
    expect(body.metadata).not.toHaveProperty('finalizers');
  });

  /** Makes the webhook change the spec of each converted object. */
  const changeSpecs = (change: (spec: JsonObject, apiVersion: JsonObject['apiVersion']) => JsonObject): void => {
    webhook.answerer = (response, review) => {
      const objects = isArray(response.convertedObjects) ? response.convertedObjects.filter(isObject) : [];
      const convertedObjects = objects.map((object) => ({
        ...object,
        spec: change(objectAt(object, 'spec') ?? {}, object.apiVersion),
      }));
      return honest({ ...response, convertedObjects }, review);
    };
  };

  it('is read without nulls of a webhook, and can be written again', async () => {
    changeSpecs((spec) => ({ ...spec, watts: null, power: null, other: null }));
    const name = `nulls-${reviewVersion}`;
    expect((await ask('POST', heaters('v2'), heater(name, {}))).code).toBe(201);
    expect((await ask('GET', `${heaters('v2')}/${name}`)).body.spec).toEqual({});
    for (const dry of ['', '?dryRun=All']) {
      const patched = await ask('PATCH', `${heaters('v2')}/${name}${dry}`, { metadata: { labels: { a: 'b' } } });
      expect(patched).toMatchObject({ code: 200, body: { spec: {} } });
    }
  });

  it('answers dry runs with the object that it would store, without fields that the conversion drops', async () => {
    changeSpecs((spec, apiVersion) => (apiVersion === 'home.example.com/v1' ? {} : spec));
    const [dry, real] = [`dry-${reviewVersion}`, `real-${reviewVersion}`];
    const power = { power: { watts: 5 } };
    expect((await ask('POST', `${heaters('v2')}?dryRun=All`, heater(dry, power))).body.spec).toEqual({});
    expect((await ask('POST', heaters('v2'), heater(real, power))).body.spec).toEqual({});
    for (const query of ['?dryRun=All', '']) {
      const patched = await ask('PATCH', `${heaters('v2')}/${real}${query}`, { spec: power });
      expect(patched.body.spec).toEqual({});
      const { body } = await ask('GET', `${heaters('v2')}/${real}`);
      const put = await ask('PUT', `${heaters('v2')}/${real}${query}`, { ...body, spec: power });
      expect(put).toMatchObject({ code: 200, body: { spec: {} } });
    }
  });

  it('refuses a dry run if its conversion fails, as it refuses the write', async () => {
    webhook.answerer = (response, review) =>
      honest({ ...response, result: { status: 'Failed', message: 'not today' } }, review);
    for (const query of ['?dryRun=All', '']) {
      const refused = await ask('POST', `${heaters('v2')}${query}`, heater('refused', {}));
      expect(refused).toMatchObject({ code: 500, body: { message: expect.stringContaining('not today') } });
    }
    expect((await ask('POST', `${heaters('v1')}?dryRun=All`, heater('refused', {}, 'v1'))).code).toBe(201);
  });

  it('is called at a new address after a change, without its old connections and circuit', async () => {
    const circuits = async (): Promise<readonly string[]> =>
      (await (await fetch(`${running.url}/metrics`)).text()).match(/^kindforge_webhook_circuit_state.* /gm) ?? [];
    const path = `${definitions}/heaters.home.example.com`;
    const change = (url: string) =>
      ask('PATCH', path, { spec: { conversion: { webhook: { clientConfig: { url } } } } });
    expect(await circuits()).toHaveLength(1);
    const elsewhere = webhook.url.replace('/convert', '/elsewhere');
    expect((await change(elsewhere)).code).toBe(200);
    await expect.poll(circuits).toEqual([]);
    expect((await ask('GET', `${heaters('v2')}/hall`)).code).toBe(200);
    expect(await circuits()).toEqual([expect.stringContaining('/elsewhere"')]);
  });

  it('is deleted with its objects', async () => {
    await ask('DELETE', `${definitions}/heaters.home.example.com`);
    for (let tries = 0; tries < 1000; tries++) {
      const answer = await fetch(`${running.url}${definitions}/heaters.home.example.com`);
      if (answer.status === 404) return;
      await sleep(20);
    }
    throw new Error('the definition is still there');
  });
});

/** Returns an answer with every object changed. */
function changed(change: JsonObject): Answerer {
  return (response, review) => {
    const objects = isArray(response.convertedObjects) ? response.convertedObjects.filter(isObject) : [];
    return honest({ ...response, convertedObjects: objects.map((object) => ({ ...object, ...change })) }, review);
  };
}
