/** The order of texts in everything that is written. */

/** Compares by UTF-16 units, which is the same in every locale. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
