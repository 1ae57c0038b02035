/** Lines and columns of offsets in a text, and its length in characters. */

/** A place in a text, both from 1; the column counts characters (code points). */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Returns a function from offsets to places. Reads the text once; each call is a binary search. */
export function lineCounter(text: string): (offset: number) => SourcePosition {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    const line = lastNotAfter(starts, offset);
    const start = starts[line] ?? 0;
    return { line: line + 1, column: columnsIn(text.slice(start, offset)) + 1 };
  };
}

/** Returns the index of the last number that is at most `limit`. The numbers ascend from 0. */
function lastNotAfter(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle;
  }
  return low;
}

/** Lines longer than this are machine-made; their columns count UTF-16 units, which costs nothing. */
const LONG_LINE = 10_000;

const columnsIn = (text: string): number => (text.length > LONG_LINE ? text.length : characters(text));

/** Counts code points; a surrogate pair is one. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Returns the namespace and name of a key below the prefix of its resource; the namespace is empty for cluster scope. */
export function placeOf(prefix: string, key: string): readonly [namespace: string, name: string] {
  const rest = key.slice(prefix.length);
  const slash = rest.indexOf('/');
  return [rest.slice(0, Math.max(0, slash)), rest.slice(slash + 1)];
}
