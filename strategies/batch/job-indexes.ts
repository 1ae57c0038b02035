/** Indexes of a job's pods as text: numbers and ranges in rising order, as in `1,3-5,7`. */

/** The indexes, or what is wrong with the text. */
export type Indexes =
  | { readonly ok: true; readonly ranges: readonly Range[]; readonly count: number }
  | { readonly ok: false; readonly problem: string };

type Range = readonly [first: number, last: number];

/** Thrown only inside this file; the exported function turns it into a value. */
class IndexProblem extends Error {}

/** Reads indexes below the number of completions. */
export function readIndexes(text: string, completions: number): Indexes {
  try {
    const ranges = text === '' ? [] : text.split(',').map((part) => readRange(part, completions));
    for (const [i, [first]] of ranges.entries()) {
      const before = ranges[i - 1]?.[1];
      if (before !== undefined && before >= first) throw notRising(before, first);
    }
    return { ok: true, ranges, count: ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0) };
  } catch (problem) {
    if (problem instanceof IndexProblem) return { ok: false, problem: problem.message };
    throw problem;
  }
}

const notRising = (before: number, now: number): IndexProblem =>
  new IndexProblem(`non-increasing order, previous: ${before}, current: ${now}`);

function readRange(text: string, completions: number): Range {
  const [low = '', high, ...more] = text.split('-');
  if (more.length > 0) {
    const rule = "an index interval can have at most two parts separated by '-'";
    throw new IndexProblem(`the fragment ${JSON.stringify(text)} violates the requirement that ${rule}`);
  }
  const first = readIndex(low, completions);
  if (high === undefined) return [first, first];
  const last = readIndex(high, completions);
  if (first >= last) throw notRising(first, last);
  return [first, last];
}

function readIndex(text: string, completions: number): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) {
    throw new IndexProblem(`cannot convert string to integer for index: ${JSON.stringify(text)}`);
  }
  if (Number(text) >= completions) throw new IndexProblem(`too large index: ${JSON.stringify(text)}`);
  return Number(text);
}

/** Returns the first index that two texts have in common; malformed texts have none. */
export function commonIndex(one: string, other: string, completions: number): number | undefined {
  const [a, b] = [readIndexes(one, completions), readIndexes(other, completions)];
  if (!a.ok || !b.ok) return undefined;
  const common = a.ranges.flatMap(([first, last]) =>
    b.ranges.flatMap(([from, to]) => (first <= to && from <= last ? [Math.max(first, from)] : [])),
  );
  return common.length === 0 ? undefined : Math.min(...common);
}
