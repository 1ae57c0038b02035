/** Prints metrics in the text format of Prometheus or of OpenMetrics, piece by piece. */
import { HistogramSeries, type Metric, type MetricType, NumberSeries, printNumber, type Sample } from './metric.js';

/** A metric as it is printed. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: Metric['labels'];
  readonly buckets?: Metric['buckets'];
  /** Called when the output reaches the family. */
  readonly series: () => Iterable<NumberSeries | HistogramSeries | Sample>;
}

export interface Exposition {
  readonly contentType: string;
  /** The text. Each piece except the last has at least 16 KiB. */
  readonly pieces: Iterable<string>;
}

const contentTypes = {
  plain: 'text/plain; version=0.0.4; charset=utf-8',
  open: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const;

export function expose(families: readonly Family[], open: boolean): Exposition {
  return { contentType: contentTypes[open ? 'open' : 'plain'], pieces: inPieces(lines(families, open)) };
}

const pieceLength = 16 * 1024;

function* inPieces(texts: Iterable<string>): Iterable<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Prints the heading of each family, and the lines of each series. */
function* lines(families: readonly Family[], open: boolean): Iterable<string> {
  for (const family of families) {
    const { type, help, series } = family;
    // In OpenMetrics, the name of a counter has its ending only in its samples.
    const name = open && type === 'counter' ? family.name.replace(/_total$/, '') : family.name;
    yield `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}\n# TYPE ${name} ${type}\n`;
    const ofNumber = open && type === 'counter' ? `${name}_total` : name;
    const bounds = [...(family.buckets ?? []), Number.POSITIVE_INFINITY].map((bound) => printNumber(bound, open));
    for (const one of series()) {
      if (one instanceof HistogramSeries) yield histogramLines(name, labelText(family, one), one, bounds);
      else if (one instanceof NumberSeries) yield line(ofNumber, labelText(family, one), one.value);
      else yield line(one.name ?? ofNumber, pairs(Object.entries(one.labels)), one.value);
    }
    if (!open) yield '\n';
  }
  if (open) yield '# EOF\n';
}

function histogramLines(
  name: string,
  labels: string,
  { counts, sum }: HistogramSeries,
  bounds: readonly string[],
): string {
  const before = labels === '' ? '' : `${labels},`;
  let value = 0;
  let text = '';
  for (const [i, count] of counts.entries()) {
    value += count;
    text += line(`${name}_bucket`, `${before}le="${bounds[i] ?? ''}"`, value);
  }
  return text + line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, value);
}

const labelText = ({ labels }: Family, { labels: values }: { readonly labels: readonly string[] }): string =>
  pairs(labels.map((label, i) => [label, values[i] ?? '']));

const pairs = (labels: readonly (readonly [label: string, value: string])[]): string =>
  labels.map(([label, value]) => `${label}="${escaped(value)}"`).join(',');

const special = /[\\"\n]/;

const escaped = (value: string): string =>
  special.test(value) ? value.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"') : value;

const line = (name: string, labels: string, value: number): string =>
  labels === '' ? `${name} ${printed(value)}\n` : `${name}{${labels}} ${printed(value)}\n`;

/** Prints a value in a form that Go reads. */
function printed(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
