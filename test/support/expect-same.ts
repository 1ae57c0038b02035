/** Compares long lists of objects that are mostly the same ones. */
import { expect } from 'vitest';

/** Expects equal lists. Skips the slow comparison of contents if both have the same objects or texts. */
export function expectSame<T>(found: readonly T[], wanted: readonly T[]): void {
  const isSame = found.length === wanted.length && found.every((one, at) => one === wanted[at]);
  if (!isSame) expect(found).toEqual(wanted);
}
