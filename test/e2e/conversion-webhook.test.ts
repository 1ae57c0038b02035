/** Versions of custom resources that a webhook converts: reads, writes, lists, watches, and answers that are none. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Running } from '../../bin/serve/run-serve.js';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { makeServerCertificate } from '../support/certificates.js';
import { startServing } from '../support/serving.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const collection = (version: string): string => `/apis/home.example.com/${version}/namespaces/default/heaters`;

/** v1 has `spec.watts`, v2 `spec.power.watts`. */
const version = (name: string, storage: boolean, spec: JsonObject): JsonObject => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } } },
});
const integer = { type: 'integer' };
const versions = [
  version('v1', true, { watts: integer }),
  version('v2', false, { power: { type: 'object', properties: { watts: integer } } }),
];

const definition = (url: string, caBundle: string, reviews: string[]): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'heaters.home.example.com' },
  spec: {
    group: 'home.example.com',
    scope: 'Namespaced',
    names: { plural: 'heaters', kind: 'Heater' },
    versions,
    conversion: {
      strategy: 'Webhook',
      webhook: { clientConfig: { url, caBundle }, conversionReviewVersions: reviews },
    },
  },
});

const heater = (name: string, spec: JsonObject, apiVersion = 'home.example.com/v2'): JsonObject => ({
  apiVersion,
  kind: 'Heater',
  metadata: { name },
  spec,
});

/** What the webhook does to an object. */
function convert(object: JsonObject, apiVersion: string): JsonObject {
  const spec = objectAt(object, 'spec') ?? {};
  const watts = spec.watts ?? objectAt(spec, 'power')?.watts;
  if (object.apiVersion === apiVersion) return object;
  const converted = apiVersion.endsWith('/v1') ? { watts: watts ?? 0 } : { power: { watts: watts ?? 0 } };
  return { ...object, apiVersion, spec: converted };
}

type Answerer = (response: JsonObject, review: JsonObject) => JsonValue;
const honest: Answerer = (response, { apiVersion, kind }) => ({ apiVersion, kind, response });

let server: Server;
let running: Running;
let certificate: { readonly cert: string; readonly key: string };
let url = '';
let answerer = honest;
let reviews: JsonObject[] = [];

async function ask(method: string, path: string, body?: JsonValue): Promise<{ code: number; body: JsonObject }> {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await fetch(running.listening.url + path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': contentType }, body: JSON.stringify(body) }),
  });
  return { code: answer.status, body: JSON.parse(await answer.text()) };
}

beforeAll(async () => {
  certificate = await makeServerCertificate();
  server = createServer(certificate, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const review: JsonObject = JSON.parse(Buffer.concat(chunks).toString());
    reviews.push(review);
    const asked = objectAt(review, 'request');
    const objects = isArray(asked?.objects) ? asked.objects.filter(isObject) : [];
    const convertedObjects = objects.map((object) => convert(object, stringAt(asked, 'desiredAPIVersion')));
    const answer = { uid: asked?.uid ?? '', result: { status: 'Success' }, convertedObjects };
    response.end(JSON.stringify(answerer(answer, review)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  url = `https://localhost:${typeof address === 'object' ? address?.port : ''}/convert`;
});
afterAll(() => server.close());

beforeEach(() => {
  answerer = honest;
  reviews = [];
});

describe.each(['v1', 'v1beta1'])('a definition whose webhook speaks reviews of %s', (reviewVersion) => {
  beforeAll(async () => {
    running = await startServing({ naming: 'kubernetes', controllers: 'none' });
    const bundle = Buffer.from(certificate.cert).toString('base64');
    expect((await ask('POST', definitions, definition(url, bundle, ['v7', reviewVersion]))).code).toBe(201);
    for (let tries = 0; tries < 1000; tries++) {
      const answer = await fetch(running.listening.url + collection('v1'));
      if (answer.status === 200) break;
      await sleep(20);
    }
  });
  afterAll(() => running.stop());

  it('is written and read in both versions', async () => {
    const created = await ask('POST', collection('v2'), heater('hall', { power: { watts: 7 } }));
    expect(created).toMatchObject({
      code: 201,
      body: { apiVersion: 'home.example.com/v2', spec: { power: { watts: 7 } } },
    });
    expect(reviews[0]).toMatchObject({
      apiVersion: `apiextensions.k8s.io/${reviewVersion}`,
      kind: 'ConversionReview',
      request: { desiredAPIVersion: 'home.example.com/v1', objects: [{ apiVersion: 'home.example.com/v2' }] },
    });
    expect((await ask('GET', `${collection('v1')}/hall`)).body.spec).toEqual({ watts: 7 });
    expect((await ask('GET', `${collection('v2')}/hall`)).body.spec).toEqual({ power: { watts: 7 } });
    const patched = await ask('PATCH', `${collection('v2')}/hall`, { spec: { power: { watts: 8 } } });
    expect(patched.body).toMatchObject({ spec: { power: { watts: 8 } }, metadata: { generation: 2 } });
    expect((await ask('GET', `${collection('v1')}/hall`)).body.spec).toEqual({ watts: 8 });
  });

  it('is listed with one call, and not asked again for what has been converted', async () => {
    const all = [1, 2, 3].map((watts) =>
      ask('POST', collection('v1'), heater(`list-${watts}`, { watts }, 'home.example.com/v1')),
    );
    await Promise.all(all);
    reviews = [];
    const listed = await ask('GET', collection('v2'));
    expect(listed.body.items).toHaveLength(4);
    expect(reviews).toHaveLength(1);
    expect(JSON.stringify(listed.body)).toContain('"spec":{"power":{"watts":2}}');
    await ask('GET', collection('v2'));
    expect(reviews).toHaveLength(1);
  });

  it('is watched in order', async () => {
    const ending = new AbortController();
    const from = running.storage.store.revision;
    const answer = await fetch(
      `${running.listening.url}${collection('v2')}?watch=1&resourceVersion=${from}&timeoutSeconds=3`,
      {
        signal: ending.signal,
      },
    );
    for (const watts of [1, 2]) await ask('PATCH', `${collection('v1')}/list-1`, { spec: { watts: watts * 10 } });
    await ask('DELETE', `${collection('v1')}/list-1`);
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
  ])('is refused where the webhook answers with %s', async (what, answers, expected) => {
    const name = `bad-${what.replaceAll(' ', '-')}`;
    await ask('POST', collection('v1'), heater(name, { watts: 1 }, 'home.example.com/v1'));
    answerer = answers;
    const refused = await ask('GET', `${collection('v2')}/${name}`);
    expect(refused.code).toBe(500);
    expect(refused.body.message).toContain('conversion webhook for home.example.com/v1, Kind=Heater');
    expect(refused.body.message).toContain(expected);
    answerer = honest;
    expect((await ask('GET', `${collection('v2')}/${name}`)).code).toBe(200);
  });

  it('keeps metadata but for labels and annotations', async () => {
    await ask('POST', collection('v1'), heater('meta', { watts: 1 }, 'home.example.com/v1'));
    answerer = (response, review) => {
      const [object] = isArray(response.convertedObjects) ? response.convertedObjects.filter(isObject) : [];
      const metadata = { ...objectAt(object, 'metadata'), labels: { a: 'b' }, finalizers: ['example.com/x'] };
      return honest({ ...response, convertedObjects: [{ ...object, metadata }] }, review);
    };
    const { body } = await ask('GET', `${collection('v2')}/meta`);
    expect(body.metadata).toMatchObject({ labels: { a: 'b' } });
    expect(body.metadata).not.toHaveProperty('finalizers');
  });

  it('goes with its objects', async () => {
    await ask('DELETE', `${definitions}/heaters.home.example.com`);
    for (let tries = 0; tries < 1000; tries++) {
      const answer = await fetch(`${running.listening.url}${definitions}/heaters.home.example.com`);
      if (answer.status === 404) return;
      await sleep(20);
    }
    throw new Error('the definition is still there');
  });
});

/** Answers with every object changed. */
function changed(change: JsonObject): Answerer {
  return (response, review) => {
    const objects = isArray(response.convertedObjects) ? response.convertedObjects.filter(isObject) : [];
    return honest({ ...response, convertedObjects: objects.map((object) => ({ ...object, ...change })) }, review);
  };
}
