/** One line of a policy file of attribute-based access control: who it is for, and what it grants. */
import type { AccessAttributes, UserInfo } from '../../../runtime/contract/index.js';
import { withoutTrailing } from '../../../runtime/objects/scan/numbers.js';

/** A policy. `*` stands for all; an empty text for nothing, or for requests without it. */
export interface Policy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const all = '*';
const readingVerbs: readonly string[] = ['get', 'list', 'watch'];

/** Verbs that a policy grants. */
export const verbsOf = (policy: Policy): readonly string[] => (policy.readonly ? readingVerbs : [all]);

/** Whether a policy grants what is asked for. */
export const grants = (policy: Policy, attributes: AccessAttributes): boolean =>
  isFor(policy, attributes.user) &&
  (!policy.readonly || readingVerbs.includes(attributes.verb)) &&
  ('path' in attributes ? coversPath(policy, attributes.path) : coversResource(policy, attributes));

/** Whether a policy is for a user: where it names a user and a group, both have to fit. */
export function isFor({ user, group }: Policy, { name, groups }: UserInfo): boolean {
  if (user === '' && group === '') return false;
  return (user === '' || user === all || user === name) && (group === '' || group === all || groups.includes(group));
}

/** A subresource needs no right of its own: that to its resource is enough. */
const coversResource = (
  policy: Policy,
  { group, resource, namespace = '' }: Exclude<AccessAttributes, { path: string }>,
): boolean =>
  (policy.namespace === all || policy.namespace === namespace) &&
  (policy.resource === all || policy.resource === resource) &&
  (policy.apiGroup === all || policy.apiGroup === group);

const coversPath = ({ nonResourcePath: granted }: Policy, path: string): boolean =>
  granted === path || (granted.endsWith(all) && path.startsWith(withoutTrailing(granted, '*')));
