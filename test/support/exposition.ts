/** Reads the text formats of metrics, and refuses what a scraper would refuse. */

export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly ParsedSample[];
}

const suffixes: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
};

/**
 * Throws if a line has an unknown form, belongs to no family or repeats a series, or if a histogram does not add up.
 */
export function parseExposition(
  text: string,
  form: 'text' | 'openmetrics' = 'text',
): ReadonlyMap<string, ParsedFamily> {
  const families = new Map<string, ParsedFamily & { samples: ParsedSample[] }>();
  if (form === 'openmetrics' && !text.endsWith('\n# EOF\n')) throw new Error('there is no end');
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  let help: readonly [string, string] | undefined;
  let current: (ParsedFamily & { samples: ParsedSample[] }) | undefined;
  for (const line of text.split('\n')) {
    if (line === '# EOF') continue;
    if (line === '') {
      if (form === 'openmetrics' && !text.endsWith(`${line}\n`)) throw new Error('an empty line');
      continue;
    }
    const helped = /^# HELP (\S+) (.*)$/.exec(line);
    const typed = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    if (helped) help = [helped[1] ?? '', helped[2] ?? ''];
    else if (typed) {
      const [, name = '', type = ''] = typed;
      if (families.has(name)) throw new Error(`${name} comes twice`);
      if (help?.[0] !== name) throw new Error(`${name} has no help`);
      current = { name, type, help: help[1], samples: [] };
      families.set(name, current);
    } else current?.samples.push(sampleOf(line, current, form));
  }
  for (const family of families.values()) checkFamily(family);
  return families;
}

function sampleOf(line: string, { name: family, type }: ParsedFamily, form: string): ParsedSample {
  const [, name = '', , inside = '', number = ''] =
    /^([a-zA-Z_:][\w:]*)(\{(.*)\})? (\S+)$/.exec(line) ?? fail(`no sample: ${line}`);
  const allowed = form === 'openmetrics' && type === 'counter' ? ['_total'] : (suffixes[type] ?? []);
  if (!allowed.some((suffix) => name === family + suffix)) fail(`${name} is not of ${family}`);
  const labels = [...inside.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/g)];
  if (labels.map(([whole]) => whole).join('') !== inside) fail(`labels of ${line}`);
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number);
  if (Number.isNaN(value)) fail(`value of ${line}`);
  return { name, labels: Object.fromEntries(labels.map(([, label = '', text = '']) => [label, text])), value };
}

function checkFamily({ name, type, samples }: ParsedFamily): void {
  const keys = samples.map(({ name: own, labels }) => JSON.stringify([own, Object.entries(labels).sort()]));
  if (new Set(keys).size !== keys.length) fail(`${name} repeats a series`);
  if (type !== 'histogram') return;
  const series = new Map<string, number[]>();
  for (const sample of samples.filter((one) => one.name.endsWith('_bucket'))) {
    const { le: _, ...rest } = sample.labels;
    const key = JSON.stringify(rest);
    series.set(key, [...(series.get(key) ?? []), sample.value]);
  }
  for (const sample of samples.filter((one) => one.name.endsWith('_count'))) {
    const counts = series.get(JSON.stringify(sample.labels)) ?? [];
    if (counts.some((count, i) => count < (counts[i - 1] ?? 0))) fail(`${name}: buckets shrink`);
    if (counts.at(-1) !== sample.value) fail(`${name}: the last bucket is not the count`);
  }
}

function fail(problem: string): never {
  throw new Error(problem);
}
