/** Metrics of webhooks: calls, their results, and failed conditions. */
import { afterAll, beforeEach, expect, it } from 'vitest';
import { patching } from '../../support/admission-webhook.js';
import { startHookBench } from '../../support/hook-bench.js';

const bench = await startHookBench({ featureGates: 'AdmissionWebhookMatchConditions=true' });
afterAll(() => bench.stop());
beforeEach(() => bench.clear());

/** Returns the lines about one webhook, without the sums and buckets of durations. */
async function countsOf(name: string): Promise<string[]> {
  const text = await (await fetch(`${bench.running.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.includes(`name="${name}.hooks.example.com"`));
  return lines
    .filter((line) => !/_(bucket|sum)\{/.test(line))
    .map((line) =>
      line.replace('apiserver_admission_', '').replace(`name="${name}.hooks.example.com",`, '').replace('webhook_', ''),
    )
    .sort();
}

it('a call that admits is counted with its duration', async () => {
  await bench.configure('validating', 'yes', bench.hook('yes'));
  await bench.create('a');
  expect(await countsOf('yes')).toEqual([
    'admission_duration_seconds_count{operation="CREATE",rejected="false",type="validating"} 1',
    'request_total{code="200",operation="CREATE",rejected="false",type="validating"} 1',
  ]);
});

it('a call that refuses is counted with its code, within limits', async () => {
  bench.webhook.behaviours.set('/no', () => ({ allowed: false, status: { code: 418 } }));
  await bench.configure('mutating', 'no', bench.hook('no'));
  await bench.create('b');
  expect(await countsOf('no')).toEqual([
    'admission_duration_seconds_count{operation="CREATE",rejected="true",type="admit"} 1',
    'rejection_count{error_type="no_error",operation="CREATE",rejection_code="418",type="admit"} 1',
    'request_total{code="418",operation="CREATE",rejected="true",type="admit"} 1',
  ]);
});

it('a call that fails is counted with the code of its answer, or without a code', async () => {
  bench.webhook.behaviours.set('/fails', (_, response) => void response.writeHead(429).end());
  await bench.configure('validating', 'fails', bench.hook('fails'));
  await bench.create('c');
  expect(await countsOf('fails')).toContain(
    'rejection_count{error_type="calling_webhook_error",operation="CREATE",rejection_code="429",type="validating"} 1',
  );
  bench.webhook.behaviours.set('/lax', (_, response) => void response.destroy());
  await bench.configure('validating', 'lax', bench.hook('lax', { failurePolicy: 'Ignore' }));
  await bench.ask('DELETE', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/fails');
  expect((await bench.create('c')).code).toBe(201);
  expect(await countsOf('lax')).toEqual([
    'admission_duration_seconds_count{operation="CREATE",rejected="false",type="validating"} 1',
    'fail_open_count{type="validating"} 1',
    'request_total{code="503",operation="CREATE",rejected="false",type="validating"} 1',
  ]);
});

it('a call with a patch that cannot be applied is counted as an error of the server', async () => {
  bench.webhook.behaviours.set('/odd', () => patching({ op: 'remove', path: '/nothing' }));
  await bench.configure('mutating', 'odd', bench.hook('odd'));
  await bench.create('d');
  expect(await countsOf('odd')).toContain(
    'rejection_count{error_type="apiserver_internal_error",operation="CREATE",rejection_code="0",type="admit"} 1',
  );
});

it('failed conditions are counted, and the webhook is not called', async () => {
  const matchConditions = ['object.data.a == "1"', 'object.data.b == "1"'].map((expression, i) => ({
    name: `c${i}`,
    expression,
  }));
  await bench.configure('mutating', 'when', bench.hook('when', { matchConditions }));
  await bench.create('e');
  expect(await countsOf('when')).toEqual(['admission_match_condition_evaluation_errors_total{type="mutating"} 2']);
});
