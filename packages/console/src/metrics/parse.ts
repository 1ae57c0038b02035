/** Reads metrics in the text format of Prometheus. */

/** One value, with its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of each metric, by its name. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

/** Matches a label exactly at a position, so that a long line takes linear time. */
const label = /[{,]([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/y;

/** Reads the metrics with the given names, and skips other lines. Takes linear time. */
export function parseMetrics(text: string, wanted: ReadonlySet<string>): Samples {
  const found = new Map<string, Sample[]>();
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end + 1;
    const nameEnd = line.search(/[{ ]/);
    const name = line.slice(0, nameEnd);
    if (nameEnd < 1 || !wanted.has(name)) continue;
    const closing = line[nameEnd] === '{' ? line.lastIndexOf('}') : nameEnd - 1;
    const value = Number(
      line
        .slice(closing + 1)
        .trim()
        .split(' ', 1)[0],
    );
    if (closing < 0 || Number.isNaN(value)) continue;
    const samples = found.get(name) ?? [];
    samples.push({ labels: labelsOf(line.slice(nameEnd, closing + 1)), value });
    found.set(name, samples);
  }
  return found;
}

function labelsOf(text: string): Readonly<Record<string, string>> {
  const found: (readonly [string, string])[] = [];
  label.lastIndex = 0;
  for (let match = label.exec(text); match; match = label.exec(text)) found.push([match[1] ?? '', match[2] ?? '']);
  return Object.fromEntries(found.map(([name, value]) => [name, value.includes('\\') ? unescaped(value) : value]));
}

const unescaped = (value: string): string => value.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
