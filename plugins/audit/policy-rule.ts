/** One rule of an audit policy, and which requests it matches. */
import type {
  AccessAttributes,
  AuditLevel,
  AuditStage,
  AuthorizationAttributes,
} from '../../runtime/contract/index.js';

export interface RuleResources {
  /** Empty for the core group. */
  readonly group: string;
  // As in `pods`, `pods/log`, `pods/*`, `*/scale` or `*`; an empty list matches all resources of the group.
  readonly resources: readonly string[];
  /** Names of objects; an empty list matches all names, and requests without a name. */
  readonly resourceNames: readonly string[];
}

/** One rule. An empty list matches everything. */
export interface Rule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly RuleResources[];
  /** The empty name matches cluster-scoped objects. */
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** Returns whether a rule matches a request. `groupOf` turns the group of the request into the name that rules use. */
export function ruleMatches(rule: Rule, attributes: AccessAttributes, groupOf: (group: string) => string): boolean {
  const { users, userGroups, verbs, namespaces, resources, nonResourceURLs } = rule;
  const { user, verb } = attributes;
  if (users.length > 0 && !users.includes(user.name)) return false;
  if (userGroups.length > 0 && !user.groups.some((group) => userGroups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) {
    return !('path' in attributes) && resourceMatches(rule, attributes, groupOf(attributes.group));
  }
  if (nonResourceURLs.length === 0) return true;
  return 'path' in attributes && nonResourceURLs.some((pattern) => pathMatches(pattern, attributes.path));
}

function resourceMatches({ namespaces, resources }: Rule, attributes: AuthorizationAttributes, group: string): boolean {
  const { namespace = '', name = '' } = attributes;
  if (namespaces.length > 0 && !namespaces.includes(namespace)) return false;
  if (resources.length === 0) return true;
  return resources.some((one) => {
    if (one.group !== group) return false;
    if (one.resources.length === 0) return true;
    if (one.resourceNames.length > 0 && !one.resourceNames.includes(name)) return false;
    return one.resources.some((pattern) => patternMatches(pattern, attributes));
  });
}

function patternMatches(pattern: string, { resource, subresource = '' }: AuthorizationAttributes): boolean {
  if (pattern === '*' || pattern === fullName(resource, subresource)) return true;
  if (subresource !== '' && pattern === `*/${subresource}`) return true;
  return pattern === `${resource}/*`;
}

/** Returns a resource with its subresource, as in `pods/log`. */
export const fullName = (resource: string, subresource: string): string =>
  subresource === '' ? resource : `${resource}/${subresource}`;

/** Matches a path; a star at the end of the pattern matches any ending. */
function pathMatches(pattern: string, path: string): boolean {
  if (pattern === path || pattern === '*') return true;
  return pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1));
}
