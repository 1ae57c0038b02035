import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { defineConverter } from '../../../../runtime/server/index.js';
import { loadModules } from '../../../../server/load-definitions.js';
import { answerReview } from '../../../../server/webhooks/webhook-review.js';
import { root } from '../../../support/shared.js';

const { modules } = await loadModules(`${root}/examples/conversion/schemas`);
const convert = defineConverter({ modules, naming: kubernetesNaming });

const answer = (body: JsonValue | string) =>
  answerReview(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), convert);

const review = (objects: JsonValue, more: JsonObject = {}, envelope: JsonObject = {}): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  ...envelope,
  request: { uid: 'u1', desiredAPIVersion: 'kitchen.example.com/v1', objects, ...more },
});

const timer = (version: string, spec: JsonObject, metadata: JsonObject = { name: 'egg' }): JsonObject => ({
  apiVersion: `kitchen.example.com/${version}`,
  kind: 'Timer',
  metadata,
  spec,
});

describe('a review', () => {
  it('returns all objects in the requested version, in order', async () => {
    const objects = [
      timer('v2', { type: 'kitchen', seconds: 120 }),
      timer('v1', { minutes: 3, tone: 'high' }),
      timer('v2', { type: 'kitchen', bells: ['a', 'b'] }),
    ];
    const { code, body } = await answer(review(objects));
    expect(code).toBe(200);
    expect(body).toMatchObject({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' });
    expect(body.response).toEqual({
      uid: 'u1',
      result: { status: 'Success' },
      convertedObjects: [
        timer('v1', { minutes: 2, tone: 'low' }),
        timer('v1', { minutes: 3, tone: 'high' }),
        timer('v1', { bell: 'a', tone: 'low' }, { name: 'egg', annotations: { 'kitchen.example.com/bells': '["b"]' } }),
      ],
    });
  });

  it.each(['apiextensions.platform.io/v1', 'apiextensions.k8s.io/v1beta1'])(
    'is answered as %s if it has that version',
    async (apiVersion) => {
      const { body } = await answer(review([], {}, { apiVersion }));
      expect(body).toMatchObject({ apiVersion, response: { uid: 'u1', convertedObjects: [] } });
    },
  );

  it('keeps metadata unchanged, except labels and annotations', async () => {
    const metadata = {
      name: 'egg',
      namespace: 'home',
      uid: 'x',
      generation: 3,
      creationTimestamp: null,
      managedFields: [{ manager: 'a', odd: true }],
      labels: { a: 'b' },
      annotations: { 'kitchen.example.com/bells': '["b"]', own: 'x' },
    };
    const asked = review([timer('v1', { bell: 'a' }, metadata)], { desiredAPIVersion: 'kitchen.example.com/v2' });
    const { body } = await answer(asked);
    expect(body.response).toMatchObject({ result: { status: 'Success' } });
    expect(Object(body.response).convertedObjects).toEqual([
      timer('v2', { bells: ['a', 'b'], type: 'kitchen' }, { ...metadata, annotations: { own: 'x' } }),
    ]);
  });

  it('keeps integers of 64 bits', async () => {
    const text = JSON.stringify(review([timer('v1', {}, { name: 'egg', generation: 7 })])).replace(
      '"generation":7',
      '"generation":9007199254740993',
    );
    const { body } = await answer(text);
    expect(Object(body.response).convertedObjects[0].metadata.generation).toBe(9_007_199_254_740_993n);
  });

  it.each<[string, JsonValue, JsonObject, string]>([
    [
      'an unknown kind',
      { apiVersion: 'a/v1', kind: 'B', metadata: { name: 'c' } },
      {},
      'objects[0] (c): unknown kind B of a/v1',
    ],
    [
      'a version that there is not',
      timer('v1', {}, { name: 'c', namespace: 'n' }),
      { desiredAPIVersion: 'kitchen.example.com/v9' },
      'objects[0] (n/c): Timer of kitchen.example.com/v1 cannot be converted to kitchen.example.com/v9, only to: kitchen.example.com/v2, kitchen.example.com/v1',
    ],
    ['a wrong type', timer('v1', { minutes: 'x' }), {}, 'objects[0] (egg): json: cannot unmarshal string'],
    ['no object', 'text', {}, 'objects[0] is not an object'],
  ])('fails as a whole with %s', async (_what, object, more, message) => {
    const { code, body, problem } = await answer(review([object, timer('v1', {})], more));
    expect(code).toBe(200);
    expect(body.response).toEqual({
      uid: 'u1',
      result: { status: 'Failed', message: expect.stringContaining(message) },
    });
    expect(problem).toContain(message);
  });

  it.each<[JsonValue | string, string]>([
    ['', 'the body is not JSON'],
    ['{', 'the body is not JSON'],
    ['[]', 'the body is not a ConversionReview'],
    [{ kind: 'Pod', apiVersion: 'v1' }, 'the body is Pod of v1, not a ConversionReview'],
    [{}, 'the body is (no kind) of (no apiVersion), not'],
    [review([], {}, { apiVersion: 'apiextensions.k8s.io/v2' }), 'not a ConversionReview'],
    [{ ...review([]), request: null }, 'the review has no request with a uid'],
    [review([], { uid: '' }), 'the review has no request with a uid'],
    [review([], { desiredAPIVersion: 7 }), 'the request has no desiredAPIVersion'],
    [review(null), 'the request has no list of objects'],
  ])('is refused: %j', async (body, message) => {
    const refused = await answer(body);
    expect(refused).toMatchObject({
      code: 400,
      body: { kind: 'Status', status: 'Failure', code: 400, reason: 'BadRequest' },
    });
    expect(refused.body.message).toContain(message);
  });
});
