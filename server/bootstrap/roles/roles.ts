/** Roles and bindings that exist from the start; what is missing of them is added, and what others added is kept. */
import type { Naming } from '../../../runtime/objects/naming.js';
import { type BringIntoLine, ensureObjects, type Place, type WantedObject } from '../ensure-objects.js';
import type { BootstrapHook, BootstrapParts } from '../hook.js';
import { account, type BindingFacts } from './binding-facts.js';
import { controllerRoles } from './controller-roles.js';
import { extendBinding, extendRole } from './extend-roles.js';
import { gatherRoles } from './gather-roles.js';
import { namespaceRoles } from './namespace-roles.js';
import { clusterBindings, namespaceBindings } from './role-bindings.js';
import type { RoleFacts } from './role-facts.js';
import { renamed, ruleOf } from './rule-objects.js';
import { systemRoles } from './system-roles.js';
import { userRoles } from './user-roles.js';

export const bootstrapRoles: BootstrapHook = {
  name: 'rbac/bootstrap-roles',
  async run(parts) {
    const { naming } = parts;
    const clusterRoles = [...userRoles, ...systemRoles, ...controllerRoles];
    const ofControllers = controllerRoles.map(controllerBinding);
    await Promise.all([
      ensure(parts, 'ClusterRole', gatherRoles(clusterRoles.map((facts) => roleOf(facts, naming))), extendRole),
      ensure(
        parts,
        'ClusterRoleBinding',
        [...clusterBindings, ...ofControllers].map((facts) => bindingOf(facts, naming)),
        extendBinding,
      ),
      ...namespacesOf(namespaceRoles).map((namespace) =>
        ensure(
          parts,
          'Role',
          within(namespaceRoles, namespace).map((facts) => roleOf(facts, naming)),
          extendRole,
          namespace,
        ),
      ),
      ...namespacesOf(namespaceBindings).map((namespace) =>
        ensure(
          parts,
          'RoleBinding',
          within(namespaceBindings, namespace).map((facts) => bindingOf(facts, naming)),
          extendBinding,
          namespace,
        ),
      ),
    ]);
  },
};

const plurals = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
} as const;

const groupName = 'rbac.authorization.platform.io';

function ensure(
  { client, naming }: BootstrapParts,
  kind: keyof typeof plurals,
  wanted: readonly WantedObject[],
  bringIntoLine: BringIntoLine,
  namespace?: string,
): Promise<void> {
  const group = naming.rename(groupName);
  const place: Place = { group, version: 'v1', plural: plurals[kind], kind };
  const keep: BringIntoLine = (found, one) =>
    isLeftAlone(found.metadata.annotations, naming) ? undefined : bringIntoLine(found, one);
  const where = namespace === undefined ? place : { ...place, namespace: naming.rename(namespace) };
  return ensureObjects(client, where, wanted, keep);
}

const autoupdate = 'rbac.authorization.platform.io/autoupdate';

/** An object whose annotation is false is left to its owner. */
const isLeftAlone = (annotations: Readonly<Record<string, string>> | undefined, { rename }: Naming): boolean =>
  annotations?.[rename(autoupdate)] === 'false';

const namespacesOf = (facts: readonly { readonly namespace?: string }[]): readonly string[] => [
  ...new Set(facts.flatMap(({ namespace }) => (namespace === undefined ? [] : [namespace]))),
];

const within = <T extends { readonly namespace?: string }>(facts: readonly T[], namespace: string): readonly T[] =>
  facts.filter((one) => one.namespace === namespace);

/** Each controller has the role that is called like it. */
const controllerBinding = ({ name }: RoleFacts): BindingFacts => ({
  name,
  subjects: [account(name.slice(name.lastIndexOf(':') + 1))],
});

const metadataOf = (name: string, naming: Naming, labels: Readonly<Record<string, string>> = {}) => ({
  name: renamed(name, naming),
  annotations: { [naming.rename(autoupdate)]: 'true' },
  labels: { [naming.rename('platform.io/bootstrapping')]: 'rbac-defaults', ...labels },
});

function roleOf({ name, partOf, gathers, rules }: RoleFacts, naming: Naming): WantedObject {
  const partLabel = (role: string): Record<string, string> => ({
    [naming.rename(`rbac.authorization.platform.io/aggregate-to-${role}`)]: 'true',
  });
  return {
    metadata: metadataOf(name, naming, partOf === undefined ? {} : partLabel(partOf)),
    ...(gathers === undefined
      ? { rules: rules.map((facts) => ruleOf(facts, naming)) }
      : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: partLabel(gathers) }] } }),
  };
}

function bindingOf({ name, namespace, role = name, subjects }: BindingFacts, naming: Naming): WantedObject {
  const apiGroup = naming.rename(groupName);
  return {
    metadata: metadataOf(name, naming),
    roleRef: { apiGroup, kind: namespace === undefined ? 'ClusterRole' : 'Role', name: renamed(role, naming) },
    subjects: subjects.map(({ kind, name: subject }) =>
      kind === 'ServiceAccount'
        ? { kind, name: subject, namespace: naming.namespaces.system }
        : { apiGroup, kind, name: renamed(subject, naming) },
    ),
  };
}
