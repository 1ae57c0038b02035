/** The rows of the tables of the home page, in words. */
import { listHref } from '../../app/addresses.js';
import { countText, round, secondsText } from '../../metrics/amounts.js';
import type { Quantiles } from '../../metrics/histogram.js';
import type { VerbRow } from '../../metrics/readings.js';
import type { AdmissionRow } from './admission.js';
import type { FlowLevel, WatchRow } from './served.js';

export interface NumberRow {
  readonly key: string;
  readonly label: string;
  readonly href?: string | undefined;
  readonly values: readonly string[];
}

const named = (key: string, ...values: readonly string[]): NumberRow => ({ key, label: key, values });
const seconds = (value: number | undefined): string => (value === undefined ? '–' : secondsText(value));
const times = ({ p50, p90, p99 }: Quantiles): readonly string[] => [p50, p90, p99].map(seconds);

export const verbTable = (rows: readonly VerbRow[]): readonly NumberRow[] =>
  rows.map((row) => named(row.verb, `${round(row.perSecond)}/s`, ...times(row)));

export const admissionTable = (rows: readonly AdmissionRow[]): readonly NumberRow[] =>
  rows.map((row) => named(row.name, countText(row.calls), countText(row.refused), seconds(row.p50), seconds(row.p99)));

export const flowTable = (levels: readonly FlowLevel[]): readonly NumberRow[] =>
  levels.map(({ name, executing, queued, rejected, limit }) =>
    named(name, ...[executing, queued, rejected, limit].map(countText)),
  );

export const watchTable = (rows: readonly WatchRow[]): readonly NumberRow[] =>
  rows.map(({ group, resource, kind, open, events }) => ({
    key: `${group}/${resource}`,
    label: kind?.kind ?? resource,
    href: kind?.verbs.includes('list') ? listHref(kind) : undefined,
    values: [countText(open), events === undefined ? '–' : countText(events)],
  }));
