/** Roles with their users, and users with all their rights. */
import {
  type AccessPolicy,
  objectOfBinding,
  type PolicyObject,
  placeOfRole,
  type StoredRole,
  subjectText,
  toNamed,
} from '../../../../../server/access/policy.js';
import type { AskedUser } from '../../../../../server/access/question.js';
import { ruleText } from '../../../../../server/access/why.js';

/** A subject, and the binding that gives it a role. */
export interface RoleHolder {
  readonly subject: string;
  readonly binding: PolicyObject;
}

export interface RoleView {
  readonly place: PolicyObject;
  /** Each as in `get, list on configmaps`. */
  readonly rules: readonly string[];
  readonly holders: readonly RoleHolder[];
  /** The roles that give an aggregated role its rules. */
  readonly parts: readonly PolicyObject[];
}

/** Returns the details of a role; `undefined` if it does not exist. Cluster roles have an empty namespace. */
export function roleView(policy: AccessPolicy, namespace: string, name: string): RoleView | undefined {
  const isRole = (one: { readonly namespace: string; readonly name: string } | undefined): boolean =>
    one?.namespace === namespace && one.name === name;
  const role = policy.roles.find(({ reference }) => isRole(reference));
  if (!role) return undefined;
  const holders = policy
    .given(undefined)
    .filter((given) => isRole(given.role?.reference))
    .flatMap(({ binding }) =>
      binding.subjects.map((subject) => ({
        subject: subjectText(toNamed(subject)),
        binding: objectOfBinding(binding),
      })),
    );
  return {
    place: placeOfRole(role.reference),
    rules: role.rules.map(ruleText),
    holders,
    parts: policy.partsOf(role).map(({ reference }) => placeOfRole(reference)),
  };
}

/** Lists the roles that contain each word in the name, the namespace or a rule. */
export function rolesWith(policy: AccessPolicy, words: string): readonly StoredRole[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return policy.roles.filter(({ reference, rules }) => {
    const text = `${reference.namespace}/${reference.name} ${rules.map(ruleText).join(' ')}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** The rights that one binding gives a user. */
export interface GivenRights {
  readonly subject: string;
  readonly binding: PolicyObject;
  readonly role: PolicyObject;
  /** Empty if the role does not exist. */
  readonly rules: readonly string[];
  readonly isMissing: boolean;
}

/** Lists the rights that roles give a user, by name and by group. */
export function rightsOfUser(policy: AccessPolicy, user: AskedUser): readonly GivenRights[] {
  return policy.given(undefined).flatMap(({ binding, role }) => {
    const subject = binding.subjects.find(({ of, name }) =>
      of === 'users' ? name === user.name : user.groups.includes(name),
    );
    if (!subject) return [];
    return [
      {
        subject: subjectText(toNamed(subject)),
        binding: objectOfBinding(binding),
        role: placeOfRole(binding.role),
        rules: role?.rules.map(ruleText) ?? [],
        isMissing: role === undefined,
      },
    ];
  });
}
