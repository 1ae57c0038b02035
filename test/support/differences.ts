/** Finds where two plain values differ. */

/** Lists each difference as its path and both values, as in `/a/0: 1 → 2`. The order of keys does not count. */
export function differences(before: unknown, after: unknown, path = ''): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isTree(before) || !isTree(after)) return [`${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => differences(before[key], after[key], `${path}/${key}`));
}

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
