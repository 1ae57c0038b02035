/** One order of texts for everything that is written. */

/** Compares by UTF-16 units, the same in every locale. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
