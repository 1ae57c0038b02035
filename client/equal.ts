/** Compares JSON values. */

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether two values are the same at any depth. The order of members does not count. */
export function isEqual(left: unknown, right: unknown): boolean {
  const pairs: [left: unknown, right: unknown][] = [[left, right]];
  for (const [one, other] of pairs) {
    if (Array.isArray(one) && Array.isArray(other)) {
      if (one.length !== other.length) return false;
      for (const [index, item] of one.entries()) pairs.push([item, other[index]]);
    } else if (isMembers(one) && isMembers(other)) {
      const names = Object.keys(one);
      if (names.length !== Object.keys(other).length) return false;
      for (const name of names) {
        if (!Object.hasOwn(other, name)) return false;
        pairs.push([one[name], other[name]]);
      }
    } else if (one !== other) return false;
  }
  return true;
}
