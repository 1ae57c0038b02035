/** Grants roles to users and groups, and removes the roles that it granted. */
import { isAlreadyExists, isNotFound } from '../../client/index.js';
import { findNearest } from '../../runtime/objects/suggest.js';
import { type Binding, type People, refused, type Subject, type UserResult } from './people.js';

/** A role to grant: in a namespace, or everywhere. */
export interface Grant {
  readonly kind: 'User' | 'Group';
  readonly name: string;
  /** The name of a cluster role. */
  readonly role: string;
  readonly namespace?: string | undefined;
}

/** Returns the problem of a grant if its role or namespace does not exist. Rejects as requests do. */
export async function checkGrant(
  people: People,
  { role, namespace }: Pick<Grant, 'role' | 'namespace'>,
): Promise<UserResult<true>> {
  const names = await people.roleNames();
  if (!names.includes(role)) {
    const nearest = findNearest(role, names);
    const usual = 'the usual ones are view, edit, admin and cluster-admin';
    return refused(
      'UnknownRole',
      `cluster role "${role}" does not exist; ${nearest ? `did you mean ${nearest}?` : usual}`,
    );
  }
  if (namespace !== undefined && !(await people.hasNamespace(namespace))) {
    return refused(
      'UnknownNamespace',
      `namespace "${namespace}" does not exist`,
      'Create it first, or name another one',
    );
  }
  return { ok: true, value: true };
}

/** Binds the role, and returns the binding. An existing binding stays as it is. Rejects as requests do. */
export async function grantRole(people: People, grant: Grant): Promise<string> {
  const apiGroup = people.rbacGroup;
  const name = `${bindingPrefix(grant)}${grant.role}`;
  const binding = {
    metadata: { name, labels: { [grantedLabel]: 'true' } },
    roleRef: { apiGroup, kind: 'ClusterRole', name: grant.role },
    subjects: [{ apiGroup, kind: grant.kind, name: grant.name }],
  };
  await people
    .bindingsIn(grant.namespace)
    .create(binding)
    .catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  return placeOf(grant.namespace, name);
}

/** The bindings of a user, as text. */
export interface UserBindings {
  readonly removed: readonly string[];
  /** Bindings from elsewhere that still name the user. */
  readonly left: readonly string[];
}

/** Removes the bindings that `grantRole` made for a user. Rejects as requests do. */
export async function removeGrants(people: People, user: string): Promise<UserBindings> {
  const [removed, left]: [string[], string[]] = [[], []];
  for (const binding of await people.bindings()) {
    const { name = '', namespace, labels } = binding.metadata;
    if (!subjectsOf(binding).some((one) => one.kind === 'User' && one.name === user)) continue;
    const place = placeOf(namespace, name);
    const isOurs = labels?.[grantedLabel] === 'true' && name.startsWith(bindingPrefix({ kind: 'User', name: user }));
    if (isOurs) {
      await people.bindingsIn(namespace).delete(name).catch(ignoreNotFound);
      removed.push(place);
    } else left.push(place);
  }
  return { removed, left };
}

/** Returns the groups that bindings name. Rejects as requests do. */
export async function groupsWithRoles(people: People): Promise<ReadonlySet<string>> {
  const subjects = (await people.bindings()).flatMap(subjectsOf);
  return new Set(subjects.flatMap(({ kind, name }) => (kind === 'Group' ? [name] : [])));
}

const grantedLabel = 'kindforge.dev/granted';

/** Returns the prefix for the names of a user's bindings. Names of users have no colon. */
const bindingPrefix = ({ kind, name }: Pick<Grant, 'kind' | 'name'>): string =>
  `kindforge:${kind.toLowerCase()}:${name}:`;

const subjectsOf = ({ subjects = [] }: Binding): readonly Subject[] => subjects;

const placeOf = (namespace: string | undefined, name: string): string =>
  namespace === undefined ? `clusterrolebinding ${name}` : `rolebinding ${name} in namespace ${namespace}`;

function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
