/** Releases of an API, as in `1.27`, and their order. */

export const apiRelease = '1.27';

/** Compares releases: negative if `a` came before `b`, 0 if both are equal. Parts that are not numbers count as 0. */
export function compareReleases(a: string, b: string): number {
  const [majorA, minorA] = parts(a);
  const [majorB, minorB] = parts(b);
  return majorA - majorB || minorA - minorB;
}

/** Returns whether `by` is at or after a release; false for an unknown one. */
export const isReached = (release: string | undefined, by: string): boolean =>
  release !== undefined && compareReleases(release, by) <= 0;

/** Returns how many releases `b` comes after `a`; `undefined` for different major releases, which cannot be counted. */
export function releasesBetween(a: string, b: string): number | undefined {
  const [majorA, minorA] = parts(a);
  const [majorB, minorB] = parts(b);
  return majorA === majorB ? minorB - minorA : undefined;
}

function parts(release: string): [major: number, minor: number] {
  const [major = 0, minor = 0] = release.split('.').map((part) => Number(part) || 0);
  return [major, minor];
}
