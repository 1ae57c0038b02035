/** Metrics count, are printed in both formats, and are hidden after a long deprecation. */
import { describe, expect, it } from 'vitest';
import {
  allMetrics,
  helpOf,
  isHidden,
  Metrics,
  metricTable,
  releaseBefore,
  storageObserverOf,
} from '../../../../runtime/metrics/index.js';
import { gauge, printNumber } from '../../../../runtime/metrics/metric.js';
import { prefersOpenMetrics } from '../../../../runtime/metrics/metrics.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { parseExposition } from '../../../support/exposition.js';

const newMetrics = (release = '0.1', showHiddenFor?: string): Metrics =>
  new Metrics({ release, prefix: 'platform', ...(showHiddenFor === undefined ? {} : { showHiddenFor }) });

describe('the bounds of buckets', () => {
  it.each([
    [1, '1', '1.0'],
    [0.005, '0.005', '0.005'],
    [1_000_000, '1e+06', '1e+06'],
    [604_800, '604800', '604800.0'],
    [1_048_576, '1.048576e+06', '1.048576e+06'],
    [0.0001, '0.0001', '0.0001'],
    [0.00001, '1e-05', '1e-05'],
    [0, '0', '0.0'],
    [Number.POSITIVE_INFINITY, '+Inf', '+Inf'],
  ])('%d is %s, as a float %s', (value, text, float) => {
    expect([printNumber(value), printNumber(value, true)]).toEqual([text, float]);
  });
});

describe('the form of metrics', () => {
  it.each([
    ['', false],
    ['*/*', false],
    ['text/plain', false],
    ['application/openmetrics-text', true],
    [
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;q=0.5',
      true,
    ],
    ['application/openmetrics-text;q=0.2,text/plain;q=0.5', false],
    ['application/openmetrics-text;version=7', false],
    ['application/openmetrics-text;q=0', false],
  ])('for %j is OpenMetrics: %s', (accept, open) => {
    expect(prefersOpenMetrics(accept)).toBe(open);
  });

  it.each(['text', 'openmetrics'] as const)('%s can be read, labels escaped and buckets added up', async (form) => {
    const metrics = newMetrics();
    const { policyChecks, steps } = metricTable.admission.metrics;
    metrics.number(policyChecks).with('deny', 'a"b\\c\nd', 'b', 'active', 'denied').value = 2;
    for (const seconds of [0.001, 0.05, 99]) metrics.histogram(steps).with('CREATE', 'false', 'admit').observe(seconds);
    const shown = await metrics.show(form === 'text' ? '' : 'application/openmetrics-text');
    const families = parseExposition([...shown.pieces].join(''), form);
    const total = form === 'text' ? policyChecks.name : policyChecks.name.replace(/_total$/, '');
    expect(families.get(total)?.samples).toEqual([
      {
        name: policyChecks.name,
        labels: {
          enforcement_action: 'deny',
          policy: 'a\\"b\\\\c\\nd',
          policy_binding: 'b',
          state: 'active',
          validation_result: 'denied',
        },
        value: 2,
      },
    ]);
    const samples = families.get(steps.name)?.samples ?? [];
    expect(samples.filter(({ name }) => name.endsWith('_bucket')).map(({ value }) => value)).toEqual([
      1, 1, 2, 2, 2, 2, 3,
    ]);
    expect(samples.find(({ name }) => name.endsWith('_sum'))?.value).toBeCloseTo(99.051);
    expect(shown.contentType).toBe(
      form === 'text'
        ? 'text/plain; version=0.0.4; charset=utf-8'
        : 'application/openmetrics-text; version=1.0.0; charset=utf-8',
    );
  });

  it('names metrics after the naming that is served', async () => {
    const { pieces } = await new Metrics({ release: '0.1', prefix: 'kubernetes' }).show('');
    const families = parseExposition([...pieces].join(''));
    expect([families.has('kubernetes_build_info'), families.has('platform_build_info')]).toEqual([true, false]);
  });
});

describe('a deprecated metric', () => {
  const metric = gauge('old', 'Something.', { deprecated: '0.1', stability: 'STABLE' });

  it('has a note in its help, after its stability', () => {
    expect(helpOf(metric)).toBe('[STABLE] (Deprecated since 0.1) Something.');
    expect(allMetrics.filter((one) => !helpOf(one).startsWith(`[${one.stability}] `))).toEqual([]);
  });

  it.each([
    ['0.1', undefined, false],
    ['0.3', undefined, false],
    ['0.4', undefined, true],
    ['0.5', undefined, true],
    ['1.0', undefined, true],
    ['0.4', '0.3', false],
    ['0.5', '0.4', true],
  ])('in release %s, shown for %s, is hidden: %s', (release, shownFor, hidden) => {
    expect(isHidden(metric, release, shownFor)).toBe(hidden);
  });

  it('is logged once when it is read with a value', async () => {
    const problems: string[] = [];
    const metrics = new Metrics({ release: '0.1', prefix: 'kubernetes', onDeprecated: (one) => problems.push(one) });
    const { slo } = metricTable.requests.metrics;
    await metrics.show('');
    expect(problems).toEqual([]);
    metrics
      .histogram(slo)
      .with(...(slo.labels ?? []).map(() => 'x'))
      .observe(1);
    for (let i = 0; i < 3; i++) await metrics.show('');
    expect(problems).toEqual([`the metric ${slo.name} is deprecated since release 0.1: ${slo.help}`]);
  });

  it('is neither printed nor registered once it is hidden, and counted as hidden', async () => {
    const { slo } = metricTable.requests.metrics;
    const shown = async (...options: [string, string?]) =>
      parseExposition([...(await newMetrics(...options).show('')).pieces].join(''));
    const [now, later, asked] = [await shown('0.1'), await shown('0.4'), await shown('0.4', '0.3')];
    expect([now, later, asked].map((families) => families.has(slo.name))).toEqual([true, false, true]);
    expect(now.get('hidden_metric_total')?.samples[0]?.value).toBe(0);
    expect(later.get('hidden_metric_total')?.samples[0]?.value).toBe(1);
  });

  it.each([
    ['0.1', '0.0'],
    ['0.4.2', '0.3'],
    ['1.0', undefined],
  ])('of %s can be shown for %s', (release, before) => {
    expect(releaseBefore(release)).toBe(before);
  });
});

describe('series', () => {
  it('are the same for the same labels, and need the right number of them', () => {
    const users = newMetrics().number(metricTable.access.metrics.users);
    expect(users.with('a')).toBe(users.with('a'));
    expect(users.with('a')).not.toBe(users.with('b'));
    expect(() => users.with('a', 'b')).toThrow('has other labels');
  });

  it('have the stability, labels and buckets of the release', async () => {
    const shown = async (release: '1.27' | 'latest') => {
      const metrics = new Metrics({ release: '0.1', prefix: 'platform', api: emulate(release) });
      const observer = storageObserverOf(metrics);
      observer.asked('range', '', 0.1);
      observer.failed('range', '', 0.1);
      observer.damaged('apps/deployments/default/a');
      observer.sized('etcd-0', 7);
      metrics.histogram(metricTable.requests.metrics.filters).with('audit').observe(12);
      return [...(await metrics.show('')).pieces].join('');
    };
    const [before, after] = [await shown('1.27'), await shown('latest')];
    expect(before).toContain('etcd_request_duration_seconds_count{operation="range",type=""} 2');
    expect(before).not.toMatch(/etcd_requests_total|filter="audit",le="15"/);
    for (const line of [
      'etcd_request_duration_seconds_count{group="",operation="range",resource=""} 2',
      'etcd_requests_total{group="",operation="range",resource=""} 2',
      'etcd_request_errors_total{group="",operation="range",resource=""} 1',
      'apiserver_storage_decode_errors_total{group="apps",resource="deployments"} 1',
      'apiserver_storage_size_bytes{storage_cluster_id="etcd-0"} 7',
      'apiserver_request_filter_duration_seconds_bucket{filter="audit",le="15"} 1',
      '# HELP workqueue_depth [BETA]',
    ])
      expect(after).toContain(line);
  });
});
