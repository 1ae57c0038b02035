/** Which metrics are shown: deprecated ones are hidden three releases later, unless somebody asks for them. */
import type { Metric } from './metric.js';

/** How many releases a deprecated metric is shown for. */
const shownFor = 3;

/**
 * Whether a metric is hidden in a release. `showHiddenFor` is the release before, whose metrics are shown all the same.
 * Releases are such as `0.1`; more digits are not looked at.
 */
export function isHidden({ deprecated }: Metric, release: string, showHiddenFor?: string): boolean {
  if (deprecated === undefined) return false;
  const { major, minor } = partsOf(showHiddenFor ?? release);
  const since = partsOf(deprecated);
  return since.major < major || (since.major === major && since.minor + shownFor <= minor);
}

/** The only release whose hidden metrics can be asked for: the one before; `undefined` where there is none. */
export function releaseBefore(release: string): string | undefined {
  const { major, minor } = partsOf(release);
  return minor === 0 ? undefined : `${major}.${minor - 1}`;
}

export const minorOf = (release: string): string => {
  const { major, minor } = partsOf(release);
  return `${major}.${minor}`;
};

function partsOf(release: string): { readonly major: number; readonly minor: number } {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return { major, minor };
}
