/** The checks of names by the id under which definitions ask for them. */
import type { Naming } from '../naming.js';
import * as dns from './dns-names.js';
import * as keys from './key-names.js';
import { qualifiedNameCheck } from './key-names.js';
import { type NameCheck, none, patternCheck } from './name-patterns.js';
import * as network from './network-names.js';

/** Checks that a name can be one segment of a URL path, the minimum for any object's name. */
export const pathSegment: NameCheck = (name) => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return pathSegmentPrefix(name);
};

/** Checks the start of a path segment that the server extends with random characters. */
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
const standardFinalizers: ReadonlySet<string> = new Set([
  'kubernetes',
  'orphan',
  'foregroundDeletion',
  'customresourcecleanup.apiextensions.platform.io',
  'customresourcecleanup.apiextensions.k8s.io',
]);

/** Returns the problem of a finalizer that is a qualified name without a domain. */
export function unqualifiedFinalizer(name: string): string | undefined {
  if (name.includes('/') || standardFinalizers.has(name)) return undefined;
  return 'name is neither a standard finalizer name nor is it fully qualified';
}

/** Checks a finalizer of a built-in kind: a standard one, or a domain, a slash and a name. */
export const finalizerName: NameCheck = (name) => {
  const unqualified = unqualifiedFinalizer(name);
  const problems = keys.qualifiedNameCheck(name);
  return unqualified === undefined ? problems : [...problems, unqualified];
};

const formats: ReadonlyMap<string, NameCheck> = new Map<string, NameCheck>([
  ['any', () => none],
  ['path-segment', pathSegment],
  ['dns-1123-subdomain', dns.dns1123Subdomain],
  ['dns-1123-label', dns.dns1123Label],
  ['dns-1035-label', dns.dns1035Label],
  ['wildcard-subdomain', dns.wildcardSubdomain],
  ['domain-name', dns.domainName],
  ['qualified-domain-name', dns.qualifiedDomainName],
  ['domain-prefixed-path', dns.domainPrefixedPath],
  ['qualified-name', keys.qualifiedNameCheck],
  ['label-value', keys.labelValue],
  ['annotation-key', keys.annotationKey],
  ['config-map-key', keys.configMapKey],
  ['env-var-name', keys.envVarName],
  ['c-identifier', keys.cIdentifier],
  ['finalizer-name', finalizerName],
  ['csi-driver-name', csiDriverName],
  ['ip', network.ipAddress],
  ['cidr', network.cidr],
  ['port-name', network.portName],
  ['http-header-name', network.httpHeaderName],
  ['percent', network.percent],
]);

/** The ids that `nameFormat` knows, for messages about ones it does not. */
export const nameFormats: readonly string[] = [...formats.keys()];

/** Returns the check with an id such as `dns-1123-subdomain`, or `undefined` for an unknown id. */
export function nameFormat(id: string): NameCheck | undefined {
  return formats.get(id);
}

/** Returns the problems of an object's name: those of its format first, and only then those of a URL path. */
export function objectNameProblems(check: NameCheck, name: string): readonly string[] {
  const problems = check(name);
  return problems.length > 0 ? problems : pathSegment(name);
}

/**
 * The text to check in place of a `generateName`: a dash at its end is fine since random characters follow, so it
 * and the character before it are replaced by a letter.
 */
export function generateNameStem(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}

/** The test under these names: a resource is the platform's own without a domain, or under the platform's. */
export function nativeResources({ wellKnown: { metadataNameLabel } }: Naming): (name: string) => boolean {
  const own = metadataNameLabel.slice(0, metadataNameLabel.indexOf('/') + 1);
  return (name) => !name.includes('/') || name.includes(own);
}

/** The test for resources that others add to nodes, such as devices; quotas have them by the names `requests.<name>`. */
export function extendedResources(names: Naming): (name: string) => boolean {
  const isNative = nativeResources(names);
  return (name) =>
    !isNative(name) && !name.startsWith('requests.') && qualifiedNameCheck(`requests.${name}`).length === 0;
}
