/**
 * Compares names, types, stability, labels and buckets of metrics with the reference. `left-out-metrics.json` lists the
 * exceptions, each with its reason. The list may only shrink.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allMetrics, type Metric } from '../../runtime/metrics/index.js';
import { metricIn, printNumber } from '../../runtime/metrics/metric.js';
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
      .map((metric) => [metric.name.replace(/^platform_/, 'kubernetes_'), metricIn(metric, emulate(release))]),
  );
const ours = metricsOf('1.27');
const served = facts.filter(({ name }) => !(name in leftOut));

/** The most metrics that may be left out: as many as today. */
const mostLeftOut = 45;

describe.skipIf(!hasShared)('metrics of 1.27 (skipped if the facts are not beside the checkout)', () => {
  it('are either served or left out for a reason', () => {
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

  it('that 1.27 does not have are named as our own', () => {
    const names = new Set(facts.map(({ name }) => name));
    const own = [...ours.keys()].filter((name) => !names.has(name));
    // Metrics of 1.27 that were not in use when the facts were recorded. The metrics about access are of later
    // releases.
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

/** Families that are left out in 1.36, besides the families that are left out in 1.27. */
const later: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'test/conformance/left-out-metrics-1.36.json'), 'utf8'),
);
const laterFacts: readonly Fact[] = hasShared
  ? JSON.parse(readFileSync(shared('reference/metrics-1.36.json'), 'utf8'))
  : [];

describe.skipIf(!hasShared)('metrics of 1.36 (skipped if the facts are not beside the checkout)', () => {
  const latest = metricsOf('latest');
  const absent = { ...leftOut, ...later };
  const names = new Set(laterFacts.map(({ name }) => name));

  it('are either served or left out for a reason', () => {
    expect(laterFacts.filter(({ name }) => !latest.has(name) && !(name in absent))).toEqual([]);
    expect(Object.keys(later).filter((name) => !names.has(name) || latest.has(name))).toEqual([]);
    expect(Object.keys(later).length).toBeLessThanOrEqual(25);
  });

  it('are as in the facts', () => {
    const differing = laterFacts.flatMap((fact) => {
      const metric = latest.get(fact.name);
      if (!metric) return [];
      const { type, stability, buckets, groupsFrom } = metric;
      const labels = groupsFrom === undefined ? metric.labels : ['group', 'resource'];
      const bounds = buckets && [...buckets, Number.POSITIVE_INFINITY].map((bound) => printNumber(bound));
      const own = { name: fact.name, type, stability, labels, ...(bounds ? { buckets: bounds } : {}) };
      return isDeepStrictEqual(own, fact) ? [] : [fact.name];
    });
    expect(differing).toEqual([]);
  });

  it('are not there under earlier releases, and the reverse', () => {
    const of127 = new Set(facts.map(({ name }) => name));
    expect([...latest.keys()].filter((name) => !ours.has(name) && of127.has(name))).toEqual([]);
    expect([...ours.keys()].filter((name) => !latest.has(name) && names.has(name))).toEqual([]);
  });

  it('are served with true values', async () => {
    const running = await startReference({ current: true });
    try {
      const ask = (path: string, init: RequestInit = {}) =>
        fetch(`${running.url}${path}`, { ...init, headers: { authorization: 'Bearer admintoken', ...init.headers } });
      const create = (path: string, object: object) =>
        ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(object) });
      await ask('/apis/apps/v1/deployments', { headers: { 'impersonate-user': 'anna' } });
      await ask('/apis/apps/v1/deployments');
      const taken = { metadata: { name: 'b' }, spec: { clusterIP: '10.0.0.9', ports: [{ port: 80 }] } };
      for (const name of ['a', 'b', 'c']) {
        const spec = name === 'a' ? { type: 'NodePort', ports: [{ port: 80 }] } : taken.spec;
        await create('/api/v1/namespaces/default/services', { metadata: { name }, spec });
      }
      const state = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      await (await ask(`/api/v1/namespaces?${state}&timeoutSeconds=1`)).text();
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
      expect(valueAt('apiserver_resource_size_estimate_bytes', { group: '', resource: 'namespaces' })).toBeGreaterThan(
        300,
      );
      expect(valueAt('authorization_attempts_total', { result: 'allowed' })).toBeGreaterThan(1);
      const counts = (family: string) =>
        samplesOf(family).flatMap(({ name, labels, value }) =>
          name === `${family}_count` || name === family ? [{ ...labels, value }] : [],
        );
      // One of the four is the server's own.
      const services = { group: '', resource: 'services', verb: 'create', value: 4 };
      expect(counts('apiserver_request_body_size_bytes')).toContainEqual(services);
      expect(counts('apiserver_impersonation_attempts_total')).toEqual([
        { decision: 'allowed', mode: 'user-info', value: 1 },
      ]);
      expect(counts('apiserver_impersonation_authorization_attempts_total')).toEqual([
        { decision: 'allowed', mode: 'user-info', value: 2 },
      ]);
      const addresses = 'kube_apiserver_clusterip_allocator_allocation';
      const block = { cidr: '10.0.0.0/24' };
      expect(counts(`${addresses}_total`)).toContainEqual({ ...block, scope: 'static', value: 2 });
      expect(counts(`${addresses}_errors_total`)).toEqual([{ ...block, scope: 'static', value: 1 }]);
      expect(counts(`${addresses}_duration_seconds`)).toContainEqual({ ...block, value: 1 });
      expect(counts('kube_apiserver_nodeport_allocator_allocation_total')).toEqual([{ scope: 'dynamic', value: 1 }]);
      const namespaces = { group: '', resource: 'namespaces', version: 'v1' };
      expect(counts('apiserver_watch_list_duration_seconds')).toEqual([{ ...namespaces, scope: 'cluster', value: 1 }]);
      expect(counts('apiserver_watch_events_total')).toContainEqual({ ...namespaces, value: 4 });
    } finally {
      await running.stop();
    }
  });
});
