/**
 * Compares names, types, stability, labels and buckets of metrics with those of the reference. `left-out-metrics.json`
 * lists the exceptions, each with its reason. The list may only shrink.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allMetrics, type Metric } from '../../runtime/metrics/index.js';
import { printNumber } from '../../runtime/metrics/metric.js';
import { type ParsedFamily, parseExposition } from '../support/exposition.js';
import { startReference } from '../support/reference-server.js';
import { hasShared, root, shared } from '../support/shared.js';

interface Fact {
  readonly name: string;
  readonly type: string;
  readonly stability: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly string[];
}

const leftOut: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'test/conformance/left-out-metrics.json'), 'utf8'),
);
const facts: readonly Fact[] = hasShared ? JSON.parse(readFileSync(shared('reference/metrics-1.27.json'), 'utf8')) : [];
const ours: ReadonlyMap<string, Metric> = new Map(
  allMetrics.map((metric) => [metric.name.replace(/^platform_/, 'kubernetes_'), metric]),
);
const served = facts.filter(({ name }) => !(name in leftOut));

/** As many as are left out today, at most. */
const mostLeftOut = 49;

describe.skipIf(!hasShared)('metrics of 1.27 (skipped where the facts are not beside the checkout)', () => {
  it('are there or left out for a reason, and not both', () => {
    expect(served.filter(({ name }) => !ours.has(name))).toEqual([]);
    const names = new Set(facts.map(({ name }) => name));
    expect(Object.keys(leftOut).filter((name) => !names.has(name) || ours.has(name))).toEqual([]);
    expect(Object.keys(leftOut).length).toBeLessThanOrEqual(mostLeftOut);
  });

  it.each(served)('$name', ({ name, type, stability, labels, buckets }) => {
    const metric = ours.get(name);
    expect(metric).toMatchObject({ type, stability, labels });
    const bounds = metric?.buckets && [...metric.buckets, Number.POSITIVE_INFINITY].map((bound) => printNumber(bound));
    expect(bounds).toEqual(buckets);
  });

  it('that are ours alone are named so', () => {
    const names = new Set(facts.map(({ name }) => name));
    const own = [...ours.keys()].filter((name) => !names.has(name));
    // Metrics that 1.27 has, and that were not in use when the facts were taken; those about access are of later releases.
    const unused =
      /^(apiserver_request_terminations_total|apiserver_flowcontrol_rejected_requests_total|apiserver_validating_admission_policy_|apiserver_admission_webhook_|apiserver_admission_admission_match_condition_|apiserver_envelope_encryption_|apiserver_storage_transformation_|apiserver_encryption_config_controller_|apiserver_authorization_|apiserver_authentication_|kubernetes_build_info|leader_election_master_status)/;
    expect(own.filter((name) => !/^(kindforge|nodejs|process)_/.test(name) && !unused.test(name))).toEqual([]);
  });

  describe('are served', () => {
    let running: Awaited<ReturnType<typeof startReference>>;
    let families: ReadonlyMap<string, ParsedFamily>;
    beforeAll(async () => {
      running = await startReference();
      const ask = (path: string, init: RequestInit = {}) =>
        fetch(`${running.url}${path}`, { ...init, headers: { authorization: 'Bearer admintoken', ...init.headers } });
      await ask('/api/v1/pods');
      await ask('/api/v1/namespaces/default/configmaps', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ metadata: { name: 'a' } }),
      });
      await ask('/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas');
      families = parseExposition(await (await ask('/metrics')).text());
    });
    afterAll(() => running.stop());

    it.each(served)('$name, with its labels', ({ name, type, labels }) => {
      const family = families.get(name);
      expect(family?.type).toBe(type);
      for (const sample of family?.samples ?? []) {
        const { le: _, ...own } = sample.labels;
        expect(Object.keys(own)).toEqual(labels);
      }
    });
  });
});
