/** Figures: computes medians and percentiles, measures CPU time, and prints tables. */

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2;
}

/** Returns the value with a share of all values below it, as in `percentile(times, 0.95)`. */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const geometricMean = (values) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/** Prints a number with three significant digits, as in `39,853`, `12.7` and `0.042`. */
export function shown(value) {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}

/** Prints a table in Markdown; the first row is its head. */
export function printTable([head, ...rows]) {
  const all = [head, head.map(() => '---'), ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  for (const row of all) console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
}

/** Returns the CPU time of this process so far, all threads, microseconds. */
export function cpuMicros() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/**
 * Runs an act many times. Resolves to the CPU time of one run. Load of the machine changes it less than the time by the
 * clock.
 */
export async function cpuOf(times, act) {
  const [before, began] = [cpuMicros(), performance.now()];
  for (let i = 0; i < times; i++) await act(i);
  const ms = (performance.now() - began) / times;
  return { 'µs of CPU': (cpuMicros() - before) / times, 'µs by the clock': ms * 1000 };
}

/** Does the same for an act that returns no promise. */
export function cpuOfSync(times, act) {
  const before = cpuMicros();
  for (let i = 0; i < times; i++) act(i);
  return { 'µs of CPU': (cpuMicros() - before) / times };
}

/** Measures one act, by the clock and in CPU time, milliseconds. */
export async function timed(act) {
  const [before, began] = [cpuMicros(), performance.now()];
  const result = await act();
  return { result, ms: performance.now() - began, cpuMs: (cpuMicros() - before) / 1000 };
}
