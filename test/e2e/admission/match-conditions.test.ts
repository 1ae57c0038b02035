/**
 * Match conditions of webhooks: which webhooks the server calls, what it refuses, and what happens without the gate.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { patching } from '../../support/admission-webhook.js';
import { type HookBench, rule, startHookBench } from '../../support/hook-bench.js';

const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const condition = (expression: string): JsonObject => ({ name: 'c.example.com', expression });

let bench: HookBench;

describe('with the gate', () => {
  beforeAll(async () => {
    bench = await startHookBench({ featureGates: 'AdmissionWebhookMatchConditions=true' });
  });
  afterAll(() => bench.stop());
  beforeEach(() => bench.clear());

  it.each(['mutating', 'validating'] as const)('calls a %s webhook if its conditions hold', async (kind) => {
    const matchConditions = [condition('has(object.data) && !request.dryRun')];
    await bench.configure(kind, 'with-data', bench.hook('data', { matchConditions }));
    expect((await bench.create(`${kind}-plain`)).code).toBe(201);
    expect(bench.webhook.reviews).toEqual([]);
    expect((await bench.create(`${kind}-full`, { data: { a: '1' } })).code).toBe(201);
    expect(bench.webhook.reviews).toHaveLength(1);
  });

  it.each(['mutating', 'validating'] as const)(
    'a %s webhook with failing conditions refuses the request, or is skipped',
    async (kind) => {
      const matchConditions = [condition('object.data.a == "1"')];
      await bench.configure(kind, 'strict', bench.hook('strict', { matchConditions }));
      expect(await bench.create(`${kind}-broken`)).toMatchObject({
        code: 403,
        body: {
          reason: 'Forbidden',
          message: expect.stringMatching(
            /^configmaps "\w+-broken" is forbidden: expression 'object.data.a == "1"' res/,
          ),
        },
      });
      await bench.clear();
      await bench.configure(kind, 'lax', bench.hook('lax', { matchConditions, failurePolicy: 'Ignore' }));
      expect((await bench.create(`${kind}-broken`)).code).toBe(201);
      expect(bench.webhook.reviews).toEqual([]);
    },
  );

  it('a webhook sees the object as earlier webhooks have changed it', async () => {
    bench.webhook.behaviours.set('/first', () => patching({ op: 'add', path: '/data', value: { a: '1' } }));
    const matchConditions = [condition('has(object.data)')];
    await bench.configure('mutating', 'both', bench.hook('first'), bench.hook('second', { matchConditions }));
    expect((await bench.create('in-order')).code).toBe(201);
    expect(bench.webhook.reviews.map((each) => each.path)).toEqual(['/first', '/second']);
  });

  it('a configuration with a condition that no request could meet is refused', async () => {
    const conditions = [condition('object.data +'), condition('"text"'), condition('params.a == 1')];
    const webhooks = [bench.hook('bad', { matchConditions: conditions })];
    const { code, body } = await bench.ask('POST', path, { metadata: { name: 'bad' }, webhooks });
    expect(code).toBe(422);
    for (const field of ['[0].expression', '[1].expression', '[2].expression', '[1].name', '[2].name']) {
      expect(body.message).toContain(`webhooks[0].matchConditions${field}`);
    }
  });

  it('conditions are not evaluated if the rules do not match', async () => {
    const matchConditions = [condition('object.nothing == 1')];
    await bench.configure('validating', 'pods', bench.hook('pods', { rules: [rule('pods')], matchConditions }));
    expect((await bench.create('not-a-pod')).code).toBe(201);
  });
});

describe('without the gate', () => {
  beforeAll(async () => {
    bench = await startHookBench({ featureGates: 'AdmissionWebhookMatchConditions=false' });
  });
  afterAll(() => bench.stop());

  it('conditions are dropped, and the server calls the webhook for everything', async () => {
    const webhooks = [bench.hook('all', { matchConditions: [condition('false')] })];
    const { body } = await bench.ask('POST', path, { metadata: { name: 'all' }, webhooks });
    expect(body.webhooks).toMatchObject([{ name: 'all.hooks.example.com' }]);
    expect(JSON.stringify(body)).not.toContain('matchConditions":[');
    await bench.create('seen');
    expect(bench.webhook.reviews).toHaveLength(1);
  });
});
