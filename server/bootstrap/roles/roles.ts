/** Roles and bindings that exist from the start. The server adds missing parts, and keeps additions of others. */
import { gatheredRules } from '../../../plugins/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import type { Lifetime } from '../../../runtime/objects/release.js';
import {
  type BootstrapHook,
  type BootstrapParts,
  type BringIntoLine,
  ensureObjects,
  removeObjects,
  type TargetCollection,
  type WantedObject,
} from '../ensure-objects.js';
import { controllerRoles } from './controller-roles.js';
import { extendBinding, extendRole } from './extend-roles.js';
import { type KindRole, kindRoleLabel, kindRoles } from './kind-roles.js';
import { type RoleFacts, type RuleFacts, rule, since, until } from './role-facts.js';
import { renamed, ruleObjects } from './rule-objects.js';
import { systemRoles } from './system-roles.js';
import { userRoles } from './user-roles.js';

export const bootstrapRoles: BootstrapHook = {
  name: 'rbac/bootstrap-roles',
  async run(parts) {
    const { naming, release } = parts;
    const controllers = controllerRoles.filter((facts) => release.has(facts));
    const clusterRoles = [...userRoles, ...systemRoles, ...controllers].map((facts) => roleOf(facts, parts));
    const rolesOfKinds = parts.ownKinds.flatMap((kind) => kindRoles(kind, 'definition', naming));
    const ofControllers = controllers.map(controllerBinding);
    await Promise.all([
      ensure(parts, 'ClusterRole', gatherRoles([...clusterRoles, ...rolesOfKinds]), extendOrReplaceRole),
      removeRolesOfKinds(parts, rolesOfKinds),
      ensure(
        parts,
        'ClusterRoleBinding',
        [...clusterBindings, ...ofControllers].map((facts) => bindingOf(facts, parts)),
        extendBinding,
      ),
      ...namespacesOf(namespaceRoles).map((namespace) =>
        ensure(
          parts,
          'Role',
          within(namespaceRoles, namespace).map((facts) => roleOf(facts, parts)),
          extendRole,
          namespace,
        ),
      ),
      ...namespacesOf(namespaceBindings).map((namespace) =>
        ensure(
          parts,
          'RoleBinding',
          within(namespaceBindings, namespace).map((facts) => bindingOf(facts, parts)),
          extendBinding,
          namespace,
        ),
      ),
    ]);
  },
};

/** A subject of a binding. Service accounts are in the system namespace. */
interface SubjectFacts extends Lifetime {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
}

interface BindingFacts {
  readonly name: string;
  /** Absent for bindings of cluster roles. */
  readonly namespace?: string;
  /** The role. Default: the role with the binding's name. */
  readonly role?: string;
  readonly subjects: readonly SubjectFacts[];
}

const user = (name: string): SubjectFacts => ({ kind: 'User', name });
const group = (name: string): SubjectFacts => ({ kind: 'Group', name });
const account = (name: string): SubjectFacts => ({ kind: 'ServiceAccount', name });

/** Returns the rules of a component that elects its leader with a lease, or with a config map in earlier releases. */
const leaderRules = (component: string): readonly RuleFacts[] => [
  until('1.32', rule('watch', 'core', 'configmaps')),
  until('1.32', rule('get update', 'core', 'configmaps', component)),
  since('1.32', rule('create get list update watch', 'coordination.platform.io', 'leases')),
  since('1.32', rule('create get list update watch', 'coordination.platform.io', 'leasecandidates')),
];

/** Sorted by namespace and name. */
const namespaceRoles: readonly RoleFacts[] = [
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'platform-public',
    rules: [
      rule('get list watch', 'core', 'configmaps'),
      rule('update', 'core', 'configmaps', 'cluster-info'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'extension-apiserver-authentication-reader',
    namespace: 'platform-system',
    rules: [rule('get list watch', 'core', 'configmaps', 'extension-apiserver-authentication')],
  },
  {
    name: 'system::leader-locking-kube-controller-manager',
    namespace: 'platform-system',
    rules: leaderRules('kube-controller-manager'),
  },
  {
    name: 'system::leader-locking-kube-scheduler',
    namespace: 'platform-system',
    rules: leaderRules('kube-scheduler'),
  },
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'platform-system',
    rules: [rule('get list watch', 'core', 'secrets')],
  },
  {
    name: 'system:controller:cloud-provider',
    namespace: 'platform-system',
    rules: [rule('create get list watch', 'core', 'configmaps')],
  },
  {
    name: 'system:controller:token-cleaner',
    namespace: 'platform-system',
    rules: [
      rule('delete get list watch', 'core', 'secrets'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
];

/** Bindings of cluster roles, except the controllers' bindings. */
const clusterBindings: readonly BindingFacts[] = [
  { name: 'cluster-admin', subjects: [group('system:masters')] },
  { name: 'system:basic-user', subjects: [group('system:authenticated')] },
  { name: 'system:discovery', subjects: [group('system:authenticated')] },
  { name: 'system:kube-controller-manager', subjects: [user('system:kube-controller-manager')] },
  { name: 'system:kube-dns', subjects: [account('kube-dns')] },
  { name: 'system:kube-scheduler', subjects: [user('system:kube-scheduler')] },
  { name: 'system:monitoring', subjects: [group('system:monitoring')] },
  { name: 'system:node', subjects: [] },
  { name: 'system:node-proxier', subjects: [user('system:kube-proxy')] },
  { name: 'system:public-info-viewer', subjects: [group('system:authenticated'), group('system:unauthenticated')] },
  { name: 'system:service-account-issuer-discovery', subjects: [group('system:serviceaccounts')] },
  { name: 'system:volume-scheduler', subjects: [user('system:kube-scheduler')] },
];

/** Bindings within the namespaces of the system. */
const namespaceBindings: readonly BindingFacts[] = [
  { name: 'system:controller:bootstrap-signer', namespace: 'platform-public', subjects: [account('bootstrap-signer')] },
  {
    name: 'system::extension-apiserver-authentication-reader',
    namespace: 'platform-system',
    role: 'extension-apiserver-authentication-reader',
    subjects: [user('system:kube-controller-manager'), user('system:kube-scheduler')],
  },
  {
    name: 'system::leader-locking-kube-controller-manager',
    namespace: 'platform-system',
    subjects: [
      user('system:kube-controller-manager'),
      account('kube-controller-manager'),
      since('1.31', account('leader-election-controller')),
    ],
  },
  {
    name: 'system::leader-locking-kube-scheduler',
    namespace: 'platform-system',
    subjects: [user('system:kube-scheduler'), account('kube-scheduler')],
  },
  { name: 'system:controller:bootstrap-signer', namespace: 'platform-system', subjects: [account('bootstrap-signer')] },
  { name: 'system:controller:cloud-provider', namespace: 'platform-system', subjects: [account('cloud-provider')] },
  { name: 'system:controller:token-cleaner', namespace: 'platform-system', subjects: [account('token-cleaner')] },
];

/** Removes the roles of kinds that this server no longer has. */
const removeRolesOfKinds = ({ client, naming }: BootstrapParts, kept: readonly KindRole[]): Promise<void> =>
  removeObjects(
    client,
    collectionOf('ClusterRole', naming),
    `${kindRoleLabel}=definition`,
    kept.map(({ metadata }) => metadata.name),
  );

/** Replaces the rules of roles of kinds, and adds what other roles lack. */
const extendOrReplaceRole: BringIntoLine = (found, wanted) => {
  if (wanted.metadata.labels?.[kindRoleLabel] === undefined) return extendRole(found, wanted);
  if (equal(found.rules ?? [], wanted.rules ?? [])) return extendRole(found, wanted);
  return {
    ...found,
    metadata: { ...found.metadata, labels: { ...found.metadata.labels, ...wanted.metadata.labels } },
    ...(wanted.rules === undefined ? {} : { rules: wanted.rules }),
  };
};

const plurals = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
} as const;

const groupName = 'rbac.authorization.platform.io';

const collectionOf = (kind: keyof typeof plurals, naming: Naming): TargetCollection => ({
  group: naming.rename(groupName),
  version: 'v1',
  plural: plurals[kind],
  kind,
});

function ensure(
  { client, naming }: BootstrapParts,
  kind: keyof typeof plurals,
  wanted: readonly WantedObject[],
  bringIntoLine: BringIntoLine,
  namespace?: string,
): Promise<void> {
  const place = collectionOf(kind, naming);
  const keep: BringIntoLine = (found, one) =>
    isLeftAlone(found.metadata.annotations, naming) ? undefined : bringIntoLine(found, one);
  const where = namespace === undefined ? place : { ...place, namespace: naming.rename(namespace) };
  return ensureObjects(client, where, wanted, keep);
}

const autoupdate = 'rbac.authorization.platform.io/autoupdate';

/** Returns whether the annotation of an object is false, which leaves the object to its owner. */
const isLeftAlone = (annotations: Readonly<Record<string, string>> | undefined, { rename }: Naming): boolean =>
  annotations?.[rename(autoupdate)] === 'false';

const namespacesOf = (facts: readonly { readonly namespace?: string }[]): readonly string[] => [
  ...new Set(facts.flatMap(({ namespace }) => (namespace === undefined ? [] : [namespace]))),
];

const within = <T extends { readonly namespace?: string }>(facts: readonly T[], namespace: string): readonly T[] =>
  facts.filter((one) => one.namespace === namespace);

/** Returns the binding of a controller to the role with the same name. */
const controllerBinding = ({ name }: RoleFacts): BindingFacts => ({
  name,
  subjects: [account(name.slice(name.lastIndexOf(':') + 1))],
});

const metadataOf = (name: string, naming: Naming, labels: Readonly<Record<string, string>> = {}) => ({
  name: renamed(name, naming),
  annotations: { [naming.rename(autoupdate)]: 'true' },
  labels: { [naming.rename('platform.io/bootstrapping')]: 'rbac-defaults', ...labels },
});

function roleOf({ name, partOf, gathers, rules }: RoleFacts, { naming, release }: BootstrapParts): WantedObject {
  const partLabel = (role: string): Record<string, string> => ({
    [naming.rename(`rbac.authorization.platform.io/aggregate-to-${role}`)]: 'true',
  });
  return {
    metadata: metadataOf(name, naming, partOf === undefined ? {} : partLabel(partOf)),
    ...(gathers === undefined
      ? { rules: ruleObjects(rules, naming, release) }
      : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: partLabel(gathers) }] } }),
  };
}

function bindingOf(
  { name, namespace, role = name, subjects }: BindingFacts,
  { naming, release }: BootstrapParts,
): WantedObject {
  const apiGroup = naming.rename(groupName);
  return {
    metadata: metadataOf(name, naming),
    roleRef: { apiGroup, kind: namespace === undefined ? 'ClusterRole' : 'Role', name: renamed(role, naming) },
    subjects: subjects
      .filter((one) => release.has(one))
      .map(({ kind, name: subject }) =>
        kind === 'ServiceAccount'
          ? { kind, name: subject, namespace: naming.namespaces.system }
          : { apiGroup, kind, name: renamed(subject, naming) },
      ),
  };
}

// Fills in aggregated roles, so that they grant something before any controller runs.

/** Returns the roles in the same order. Aggregated roles get the rules of their parts. */
function gatherRoles(roles: readonly WantedObject[]): readonly WantedObject[] {
  let gathered = roles;
  // A part may itself be aggregated. Each pass completes at least one more role.
  for (const role of roles) if (role.aggregationRule !== undefined) gathered = gatherOnce(gathered);
  return gathered;
}

function gatherOnce(roles: readonly WantedObject[]): readonly WantedObject[] {
  return roles.map((role) => {
    const rules = gatheredRules(role, roles);
    return rules === undefined ? role : { ...role, rules: [...rules] };
  });
}
