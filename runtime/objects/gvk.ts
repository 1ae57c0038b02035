/** Groups, versions, kinds and resources: how they are written, read and ordered. */

export interface GroupVersion {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

/**
 * Reads an `apiVersion`. Returns `undefined` if it has more than one slash. The empty string is an empty group version.
 */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' };
  const slash = apiVersion.indexOf('/');
  if (slash === -1) return { group: '', version: apiVersion };
  if (apiVersion.indexOf('/', slash + 1) !== -1) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Returns the problem of an `apiVersion` that `parseGroupVersion` could not read. */
export function groupVersionProblem(apiVersion: string): string {
  return `unexpected GroupVersion string: ${apiVersion}`;
}

/** Returns `group/version`, or only the version for the core group. */
export function formatGroupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Returns `resource.group`, as error messages name a resource or a kind; without a dot for the core group. */
export function qualifiedName(group: string, resourceOrKind: string): string {
  return group === '' ? resourceOrKind : `${resourceOrKind}.${group}`;
}

/** Returns `group/version, Kind=kind`, as messages about unregistered kinds have it. */
export function formatKind(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}, Kind=${gvk.kind}`;
}

interface ParsedVersion {
  readonly major: bigint;
  /** 2: stable, 1: beta, 0: alpha. */
  readonly level: number;
  readonly minor: bigint;
}

function parseVersion(version: string): ParsedVersion | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return undefined;
  const level = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return { major: BigInt(match[1] ?? 0), level, minor: BigInt(match[3] ?? 0) };
}

/**
 * Compares versions by preference, for `sort`: stable before beta before alpha, higher numbers first (`v2`, `v1`,
 * `v2beta1`, `v1alpha1`), and names of any other form last, alphabetically.
 */
export function compareVersions(a: string, b: string): number {
  const left = parseVersion(a);
  const right = parseVersion(b);
  if (left === undefined || right === undefined) {
    if (left !== undefined) return -1;
    if (right !== undefined) return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  if (left.level !== right.level) return right.level - left.level;
  if (left.major !== right.major) return left.major > right.major ? -1 : 1;
  if (left.minor !== right.minor) return left.minor > right.minor ? -1 : 1;
  return 0;
}

/** Returns the singular of a kind, if its definition does not name one. */
export function defaultSingular(kind: string): string {
  return kind.toLowerCase();
}

/** Returns the list kind of a kind, if its definition does not name one. */
export function defaultListKind(kind: string): string {
  return `${kind}List`;
}
