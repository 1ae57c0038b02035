/** Compares values of JSON. */

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether two values are the same; the order of members does not count. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isEqual(item, right[index]));
  }
  if (!isMembers(left) || !isMembers(right)) return left === right;
  const names = Object.keys(left);
  const isSame = (name: string): boolean => Object.hasOwn(right, name) && isEqual(left[name], right[name]);
  return names.length === Object.keys(right).length && names.every(isSame);
}
