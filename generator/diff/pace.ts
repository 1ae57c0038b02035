/** How releases follow each other: what nine months are in releases, and about when a release comes. */

import { releasesBetween } from '../../runtime/objects/release.js';
import { leastReleases } from '../check/life.js';

/** The release that is made now, and how many come in a year. */
export interface Pace {
  /** As in `1.27`. */
  readonly release: string;
  /** When it comes, as in `2024-01-31`. */
  readonly date: string;
  /** From 1 to 52. */
  readonly perYear: number;
}

/** About three releases come in a year. */
export const usualPerYear = 3;

/** Months for which a beta version goes on after it has been deprecated, where that is longer than the releases. */
const leastMonths = 9;

/** The releases that a beta version goes on for: three, or as many as come in nine months. */
export const releasesToStay = ({ perYear }: Pick<Pace, 'perYear'>): number =>
  Math.max(leastReleases, Math.ceil((leastMonths * perYear) / 12));

/** The month in which a release comes, as in `2024-05`; nothing for releases of another major one. */
export function monthOf(release: string, { release: now, date, perYear }: Pace): string | undefined {
  const between = releasesBetween(now, release);
  if (between === undefined) return undefined;
  const [year = 0, month = 1] = date.split('-').map(Number);
  const months = year * 12 + (month - 1) + Math.round((between * 12) / perYear);
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;
}
