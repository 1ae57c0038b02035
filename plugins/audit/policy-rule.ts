/** A rule of an audit policy, and whether a request falls under it. */
import type {
  AccessAttributes,
  AuditLevel,
  AuditStage,
  AuthorizationAttributes,
} from '../../runtime/contract/index.js';

/** Resources of one group. */
export interface RuleResources {
  /** The group's name; empty for the core group. */
  readonly group: string;
  // As in `pods`, `pods/log`, `pods/*`, `*/scale`, `*`; empty for all of the group.
  readonly resources: readonly string[];
  /** Names of objects; empty for all, those without a name included. */
  readonly resourceNames: readonly string[];
}

/** One rule. An empty list leaves the rule open in that respect. */
export interface Rule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly RuleResources[];
  /** The empty name stands for what is in no namespace. */
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** Whether a request falls under a rule. Groups of resources come under the names that rules have. */
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

/** A resource with its subresource, as in `pods/log`. */
export const fullName = (resource: string, subresource: string): string =>
  subresource === '' ? resource : `${resource}/${subresource}`;

/** A star at the end stands for any rest. */
function pathMatches(pattern: string, path: string): boolean {
  if (pattern === path || pattern === '*') return true;
  return pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1));
}
