/** Releases of an API, such as `1.27`: their order, and what a server of each release has. */
import { type Behaviour, type BehaviourLife, behaviours } from './behaviours.js';

/** The release that the specification documents. */
export const apiRelease = '1.27';

/** The releases that a server can emulate, in order. */
export const releases = ['1.27', '1.28', '1.29', '1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36'] as const;

const latestRelease = '1.36';

/** The releases that `--emulated-version` takes; `latest` is the last of them. */
export type EmulatedVersion = (typeof releases)[number] | 'latest';

/** The range of releases with a kind, a field or a behaviour; both ends may be open. */
export interface Lifetime {
  readonly introduced?: string | undefined;
  /** The first release without it. */
  readonly removed?: string | undefined;
}

/** The release of a server: the kinds, fields and behaviours that it has. */
export interface Release {
  /** The release of the built-in kinds, such as `1.27`. */
  readonly name: string;
  /**
   * The release of the machinery for custom resources. If the server emulates no release, it is the latest, because
   * releases only add machinery.
   */
  readonly machinery: string;
  /**
   * The release that must be able to read what this one writes: the one before, so that users can downgrade. The first
   * release is only compatible with itself, and so is a server that emulates none.
   */
  readonly compatible: Release;
  /** Reports if the server has something, by the release of the kinds or of the machinery. */
  has(lifetime: Lifetime, part?: 'kinds' | 'machinery'): boolean;
  does(behaviour: Behaviour): boolean;
}

/**
 * Returns the release of a server, the same object for each version. Without a version, it is the specified release
 * with the latest machinery.
 */
export function emulate(version?: EmulatedVersion): Release {
  const known = emulated.get(version) ?? makeRelease(version);
  emulated.set(version, known);
  return known;
}

const emulated = new Map<EmulatedVersion | undefined, Release>();

function makeRelease(version: EmulatedVersion | undefined): Release {
  const name = version === 'latest' ? latestRelease : (version ?? apiRelease);
  const machinery = version === undefined ? latestRelease : name;
  const has: Release['has'] = ({ introduced, removed }, part = 'kinds') =>
    (introduced === undefined || isReached(introduced, part === 'machinery' ? machinery : name)) &&
    // Machinery is only added, so the release of the kinds says when something is removed.
    !isReached(removed, name);
  const done = new Set(
    Object.entries<BehaviourLife>(behaviours).flatMap(([behaviour, lifetime]) =>
      has(lifetime, lifetime.machinery ? 'machinery' : 'kinds') ? [behaviour] : [],
    ),
  );
  const before =
    version === undefined ? undefined : [...releases].findLast((release) => compareReleases(release, name) < 0);
  return {
    name,
    machinery,
    has,
    does: (behaviour) => done.has(behaviour),
    get compatible() {
      return before === undefined ? this : emulate(before);
    },
  };
}

/**
 * Returns a release of a project: what its definitions had at that release. It has no behaviours, because these belong
 * to releases of the API.
 */
export const projectRelease = (name: string): Release => ({
  name,
  machinery: name,
  get compatible() {
    return this;
  },
  has: ({ introduced, removed }) =>
    (introduced === undefined || isReached(introduced, name)) && !isReached(removed, name),
  does: () => false,
});

/** Reports if a text names a release, such as `2.1`. */
export const isRelease = (text: string): boolean => /^\d{1,6}\.\d{1,6}$/.test(text);

/** Reports if a text is a release that the server can emulate. */
export const isEmulated = (text: string): text is EmulatedVersion =>
  text === 'latest' || releases.some((release) => release === text);

/** Compares releases: negative if `a` came before `b`, 0 if both are equal. Parts that are not numbers count as 0. */
export function compareReleases(a: string, b: string): number {
  const [majorA, minorA] = parts(a);
  const [majorB, minorB] = parts(b);
  return majorA - majorB || minorA - minorB;
}

/** Returns whether `by` is at or after a release; false for an unknown one. */
export const isReached = (release: string | undefined, by: string): boolean =>
  release !== undefined && compareReleases(release, by) <= 0;

/** Returns whether a release has something; without a release, everything is there. */
export const isThere = ({ introduced, removed }: Lifetime, release: string | undefined): boolean =>
  release === undefined ||
  ((introduced === undefined || isReached(introduced, release)) && !isReached(removed, release));

/** Returns how many releases `b` comes after `a`; `undefined` for different major releases. */
export function releasesBetween(a: string, b: string): number | undefined {
  const [majorA, minorA] = parts(a);
  const [majorB, minorB] = parts(b);
  return majorA === majorB ? minorB - minorA : undefined;
}

function parts(release: string): [major: number, minor: number] {
  const [major = 0, minor = 0] = release.split('.').map((part) => Number(part) || 0);
  return [major, minor];
}
