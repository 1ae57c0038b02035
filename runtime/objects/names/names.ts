/** The checks of names, by the ids that definitions use, and the names of kinds and versions. */

import * as checks from './name-checks.js';
import { type NameCheck, none, patternCheck, qualifiedNameCheck } from './name-checks.js';
import type { Naming } from './naming.js';
import * as network from './network-names.js';

/** Checks that a name can be one segment of a URL path, the minimum for any object's name. */
export const pathSegment: NameCheck = (name) => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return pathSegmentPrefix(name);
};

/** Checks the start of a path segment. The server appends random characters to it. */
export const pathSegmentPrefix: NameCheck = (name) => {
  const slash = name.includes('/');
  const percent = name.includes('%');
  if (!slash && !percent) return none;
  return [...(slash ? ["may not contain '/'"] : []), ...(percent ? ["may not contain '%'"] : [])];
};

/**
 * The name of a storage driver: 1 to 63 characters, alphanumeric at both ends and around each dot, with dashes, dots
 * and alphanumerics between. Upper case is allowed.
 */
export const csiDriverName: NameCheck = patternCheck(
  {
    source: '[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?)*',
    meaning:
      "a storage driver name must consist of alphanumeric characters, '-' or '.', " +
      'and must start and end with an alphanumeric character',
    examples: ['driver.example.com'],
  },
  63,
);

/** Finalizers that need no domain before their name. */
const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** Returns the problem of a finalizer that is a qualified name without a domain. */
export function unqualifiedFinalizer(name: string): string | undefined {
  if (name.includes('/') || standardFinalizers.has(name)) return undefined;
  return 'name is neither a standard finalizer name nor is it fully qualified';
}

/** Checks a finalizer of a built-in kind: a standard one, or a domain, a slash and a name. */
export const finalizerName: NameCheck = (name) => {
  const unqualified = unqualifiedFinalizer(name);
  const problems = checks.qualifiedNameCheck(name);
  return unqualified === undefined ? problems : [...problems, unqualified];
};

const formats: ReadonlyMap<string, NameCheck> = new Map<string, NameCheck>([
  ['any', () => none],
  ['path-segment', pathSegment],
  ['dns-1123-subdomain', checks.dns1123Subdomain],
  ['dns-1123-label', checks.dns1123Label],
  ['dns-1035-label', checks.dns1035Label],
  ['wildcard-subdomain', checks.wildcardSubdomain],
  ['domain-name', checks.domainName],
  ['qualified-domain-name', checks.qualifiedDomainName],
  ['domain-prefixed-path', checks.domainPrefixedPath],
  ['qualified-name', checks.qualifiedNameCheck],
  ['label-value', checks.labelValue],
  ['annotation-key', checks.annotationKey],
  ['config-map-key', checks.configMapKey],
  ['env-var-name', checks.envVarName],
  ['c-identifier', checks.cIdentifier],
  ['finalizer-name', finalizerName],
  ['csi-driver-name', csiDriverName],
  ['ip', network.ipAddress],
  ['cidr', network.cidr],
  ['port-name', network.portName],
  ['http-header-name', network.httpHeaderName],
  ['percent', network.percent],
]);

/** The ids that `nameFormat` knows, for messages about an unknown id. */
export const nameFormats: readonly string[] = [...formats.keys()];

/** Returns the check with an id such as `dns-1123-subdomain`, or `undefined` for an unknown id. */
export function nameFormat(id: string): NameCheck | undefined {
  return formats.get(id);
}

/**
 * Returns the problems of an object's name: first checks its format, then, if that is right, that it can be a URL path
 * segment.
 */
export function objectNameProblems(check: NameCheck, name: string): readonly string[] {
  const problems = check(name);
  return problems.length > 0 ? problems : pathSegment(name);
}

/**
 * Returns the text to check in place of a `generateName`. Replaces a dash at the end and the character before it by a
 * letter, because random characters follow.
 */
export function generateNameStem(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}

/** Returns a test for resources of the platform: names without a domain, or below the platform's. */
export function nativeResources({ wellKnown: { metadataNameLabel } }: Naming): (name: string) => boolean {
  const own = metadataNameLabel.slice(0, metadataNameLabel.indexOf('/') + 1);
  return (name) => !name.includes('/') || name.includes(own);
}

/**
 * Returns a test for resources that extensions add to nodes, such as devices. Quotas limit them as `requests.<name>`.
 */
export function extendedResources(names: Naming): (name: string) => boolean {
  const isNative = nativeResources(names);
  return (name) =>
    !isNative(name) && !name.startsWith('requests.') && qualifiedNameCheck(`requests.${name}`).length === 0;
}

export interface GroupVersion {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
}

interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
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

/** Returns the list kind of a kind, if its definition does not name one. */
export function defaultListKind(kind: string): string {
  return `${kind}List`;
}

/**
 * Returns the path of a stored object, `/registry/<group>/<plural>/<namespace>/<name>`. A kube-apiserver uses the same
 * keys in etcd for the core group, which the path leaves out, and for custom resources.
 */
export const registryPath = (key: string): string => `/registry/${key.startsWith('/') ? key.slice(1) : key}`;
