/** Describes the number of objects of a list, and its progress. */

export interface Counted {
  readonly size: number;
  /** The number of them that the filter shows. */
  readonly fitting: number;
  readonly expected: number | undefined;
  readonly isLoading: boolean;
}

const digits = new Intl.NumberFormat('en');

/** Returns, for example, `12,200 of 100,000 loaded`, or `7 of 100,000` if a filter hides the others. */
export function countOf({ size, fitting, expected, isLoading }: Counted): string {
  const all = digits.format(size);
  if (expected !== undefined) return `${all} of ${digits.format(expected)} loaded`;
  if (isLoading) return `${all} loaded so far`;
  return fitting === size ? all : `${digits.format(fitting)} of ${all}`;
}
