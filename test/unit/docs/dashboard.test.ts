/** The dashboard of the example uses only metrics and labels that exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allMetrics, type Metric } from '../../../runtime/metrics/index.js';
import { root } from '../../support/shared.js';

const dashboard: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  readFileSync(join(root, 'examples/monitoring/dashboard.json'), 'utf8'),
);

/** Words of expressions that are not metrics: functions, and labels of grouping. */
const metricNames = /\b(?:apiserver|authentication|etcd|kindforge|nodejs|process|platform|kubernetes)_\w+/g;

const metricOf = (series: string): Metric | undefined =>
  allMetrics.find(
    ({ name, type }) => name === (type === 'histogram' ? series.replace(/_(bucket|sum|count)$/, '') : series),
  );

const targets = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));

it.each(targets)('%s: %s', (_, expr) => {
  const names = expr.match(metricNames) ?? [];
  expect(names).not.toEqual([]);
  expect(names.filter((name) => metricOf(name) === undefined)).toEqual([]);
  const labels = new Set([...names.flatMap((name) => metricOf(name)?.labels ?? []), 'le', 'job']);
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  const matched = [...expr.matchAll(/([a-z_]+)=~?"/g)].map(([, label = '']) => label);
  expect([...grouped, ...matched].filter((label) => !labels.has(label))).toEqual([]);
});

it('has panels', () => expect(targets.length).toBeGreaterThan(10));
