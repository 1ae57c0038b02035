/** Finds where two plain values differ. */

/** Lists each difference as its path and both values, as in `/a/0: 1 → 2`. The order of keys does not count. */
export function differences(before: unknown, after: unknown, path = ''): string[] {
  if (Object.is(before, after)) return [];
  if (!isTree(before) || !isTree(after)) {
    const [was, is] = [JSON.stringify(before), JSON.stringify(after)];
    return was === is ? [] : [`${path}: ${was} → ${is}`];
  }
  const added = Object.keys(after).filter((key) => !Object.hasOwn(before, key));
  return [...Object.keys(before), ...added].flatMap((key) => differences(before[key], after[key], `${path}/${key}`));
}

const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
