/**
 * Compares names, types, stability, labels and buckets of metrics with those of the reference. `left-out-metrics.json`
 * lists the exceptions, each with its reason. The list may only shrink.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allMetrics, type Metric } from '../../runtime/metrics/index.js';
import { printNumber } from '../../runtime/metrics/metric.js';
import { emulate } from '../../runtime/objects/release.js';
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
const metricsOf = (release: '1.27' | 'latest'): ReadonlyMap<string, Metric> =>
  new Map(
    allMetrics
      .filter((metric) => emulate(release).has(metric))
      .map((metric) => [metric.name.replace(/^platform_/, 'kubernetes_'), metric]),
  );
const ours = metricsOf('1.27');
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

interface Exceptions {
  /** Families that are left out, besides the ones that 1.27 leaves out. */
  readonly absent: Readonly<Record<string, string>>;
  /** Families with the stability, buckets or labels of 1.27. */
  readonly differing: Readonly<Record<string, string>>;
}

const later: Exceptions = JSON.parse(readFileSync(join(root, 'test/conformance/left-out-metrics-1.36.json'), 'utf8'));
const laterFacts: readonly Fact[] = hasShared
  ? JSON.parse(readFileSync(shared('reference/metrics-1.36.json'), 'utf8'))
  : [];

describe.skipIf(!hasShared)('metrics of 1.36 (skipped where the facts are not beside the checkout)', () => {
  const latest = metricsOf('latest');
  const absent = { ...leftOut, ...later.absent };
  const names = new Set(laterFacts.map(({ name }) => name));

  it('are there or left out for a reason, and not both', () => {
    expect(laterFacts.filter(({ name }) => !latest.has(name) && !(name in absent))).toEqual([]);
    expect(Object.keys(later.absent).filter((name) => !names.has(name) || latest.has(name))).toEqual([]);
    expect(Object.keys(later.absent).length).toBeLessThanOrEqual(45);
  });

  it('are as in the facts, or named as differing', () => {
    const differing = laterFacts.flatMap((fact) => {
      const metric = latest.get(fact.name);
      if (!metric) return [];
      const { type, stability, buckets, groupsFrom } = metric;
      const labels = groupsFrom === undefined ? metric.labels : ['group', 'resource'];
      const bounds = buckets && [...buckets, Number.POSITIVE_INFINITY].map((bound) => printNumber(bound));
      const own = { name: fact.name, type, stability, labels, ...(bounds ? { buckets: bounds } : {}) };
      return isDeepStrictEqual(own, fact) ? [] : [fact.name];
    });
    expect(differing.sort()).toEqual(Object.keys(later.differing).sort());
  });

  it('are not there under earlier releases, and the reverse', () => {
    const of127 = new Set(facts.map(({ name }) => name));
    expect([...latest.keys()].filter((name) => !ours.has(name) && of127.has(name))).toEqual([]);
    expect([...ours.keys()].filter((name) => !latest.has(name) && names.has(name))).toEqual([]);
  });

  it('are served with true values', async () => {
    const running = await startReference({ current: true });
    try {
      const ask = (path: string) => fetch(`${running.url}${path}`, { headers: { authorization: 'Bearer admintoken' } });
      await ask('/apis/apps/v1/deployments');
      const families = parseExposition(await (await ask('/metrics')).text());
      const samplesOf = (name: string) => families.get(name)?.samples ?? [];
      expect([...latest.keys()].filter((name) => !families.has(name))).toEqual([]);
      expect([...ours.keys()].filter((name) => !latest.has(name) && families.has(name))).toEqual([]);
      expect(samplesOf('version_info').map(({ labels }) => labels)).toEqual([
        { binary: '1.36', component: 'kube', emulation: '1.36', min_compat: '1.35' },
      ]);
      const valueAt = (family: string, wanted: Readonly<Record<string, string>>) =>
        samplesOf(family).find(({ labels }) => isDeepStrictEqual(labels, wanted))?.value;
      expect(valueAt('apiserver_storage_list_total', { group: 'apps', resource: 'deployments' })).toBeGreaterThan(0);
      expect(valueAt('apiserver_resource_objects', { group: '', resource: 'namespaces' })).toBeGreaterThan(3);
      expect(valueAt('authorization_attempts_total', { result: 'allowed' })).toBeGreaterThan(1);
    } finally {
      await running.stop();
    }
  });
});
