/** Releases of an API, as in `1.27`, and their order. */

/** The release whose API is served. */
export const apiRelease = '1.27';

/** Below 0 where `a` came before `b`, 0 where both are the same. What is no number counts as 0. */
export function compareReleases(a: string, b: string): number {
  const [majorA, minorA] = parts(a);
  const [majorB, minorB] = parts(b);
  return majorA - majorB || minorA - minorB;
}

/** Whether a release is here once another one is; one that is not known never is. */
export const isReached = (release: string | undefined, by: string): boolean =>
  release !== undefined && compareReleases(release, by) <= 0;

/** How many releases `b` comes after `a`; nothing where they are of different major releases, which nobody can count. */
export function releasesBetween(a: string, b: string): number | undefined {
  const [majorA, minorA] = parts(a);
  const [majorB, minorB] = parts(b);
  return majorA === majorB ? minorB - minorA : undefined;
}

function parts(release: string): [major: number, minor: number] {
  const [major = 0, minor = 0] = release.split('.').map((part) => Number(part) || 0);
  return [major, minor];
}
