/** The results of authorization are counted, in the releases with metrics for them. */
import { expect, it } from 'vitest';
import type { AccessDecision } from '../../../../runtime/contract/index.js';
import { Metrics, metricTable } from '../../../../runtime/metrics/index.js';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { observeAuthorizer } from '../../../../runtime/server/observe-authorizer.js';

const attributes = { user: { name: 'ann', uid: '', groups: [], extra: {} }, verb: 'get', path: '/healthz' };

const results: readonly (AccessDecision['decision'] | Error)[] = ['allow', 'deny', 'no opinion', new Error('broken')];

async function countsOf(version: EmulatedVersion | undefined, wait: boolean) {
  const metrics = new Metrics({ release: '0.1', prefix: 'platform', api: emulate(version) });
  for (const result of results) {
    const decide = (): AccessDecision | Promise<AccessDecision> => {
      if (result instanceof Error) {
        if (wait) return Promise.reject(result);
        throw result;
      }
      return wait ? Promise.resolve({ decision: result }) : { decision: result };
    };
    const observed = observeAuthorizer({ name: 'Fixed', decide }, metrics);
    await (async () => observed.decide(attributes))().catch(() => undefined);
  }
  const { authorizations } = metricTable.access.metrics;
  return [...metrics.number(authorizations).all].map(({ labels, value }) => [...labels, value]);
}

it.each([false, true])('counts each result of the latest release, answered later: %s', async (wait) => {
  const once = ['allowed', 'denied', 'no-opinion', 'error'].map((result) => [result, 1]);
  expect(await countsOf('latest', wait)).toEqual(once);
});

it.each([undefined, '1.27'] as const)('counts nothing in %s, which has no such metrics', async (version) => {
  expect(await countsOf(version, false)).toEqual([]);
});
