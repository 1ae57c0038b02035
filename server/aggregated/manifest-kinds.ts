/** Makes the objects that depend on kinds: the rights to the kinds, and the APIServices for them. */
import type { ResourceModel } from '../../generator/model/model.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { compareVersions } from '../../runtime/objects/names/names.js';
import { trustName, trustNamespace } from './trust-map.js';

interface Place {
  readonly name: string;
  readonly namespace: string;
}

const rbac = 'rbac.authorization.k8s.io';

/** Returns the server's own rights: to ask about users and rights, and to read authorities and namespaces. */
export function rightsOf({ name, namespace }: Place): readonly JsonObject[] {
  const bind = (kind: string, metadata: JsonObject, role: JsonObject): JsonObject => ({
    apiVersion: `${rbac}/v1`,
    kind,
    metadata,
    roleRef: { apiGroup: rbac, ...role },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
  const own = `${namespace}:${name}`;
  return [
    bind(
      'ClusterRoleBinding',
      { name: `${own}:auth-delegator` },
      { kind: 'ClusterRole', name: 'system:auth-delegator' },
    ),
    bind(
      'RoleBinding',
      { name: `${own}:authentication-reader`, namespace: trustNamespace },
      { kind: 'Role', name: `${trustName}-reader` },
    ),
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name: `${own}:namespaces` },
      rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] }],
    },
    bind('ClusterRoleBinding', { name: `${own}:namespaces` }, { kind: 'ClusterRole', name: `${own}:namespaces` }),
  ];
}

const reading = ['get', 'list', 'watch'];
const writing = ['create', 'delete', 'deletecollection', 'patch', 'update'];

/** Returns the roles that extend `view`, `edit` and `admin` to the kinds in namespaces. */
export function rolesOf(resources: readonly ResourceModel[], name: string): readonly JsonObject[] {
  const namespaced = resources.filter(({ scope }) => scope === 'Namespaced');
  if (namespaced.length === 0) return [];
  const role = (to: readonly string[], verbs: readonly string[]): JsonObject => ({
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: {
      name: `${name}:${to[0]}`,
      labels: Object.fromEntries(to.map((one) => [`${rbac}/aggregate-to-${one}`, 'true'])),
    },
    rules: groupsOf(namespaced).map((group) => ({
      apiGroups: [group],
      resources: namespaced.filter((one) => one.group === group).map(({ names }) => names.plural),
      verbs: [...verbs],
    })),
  });
  // Whoever may edit or administer has the rights of view as well.
  return [role(['view'], reading), role(['edit', 'admin'], writing)];
}

const groupsOf = (resources: readonly ResourceModel[]): readonly string[] => [
  ...new Set(resources.map(({ group }) => group)),
];

/** The priority of the best version of a group. Each further version has one less. */
const bestVersion = 100;

/** Returns one APIService for each served version. Clients prefer stable and newer versions. */
export function apiServicesOf(
  resources: readonly ResourceModel[],
  { name, namespace, authority }: Place & { readonly authority: string },
): readonly JsonObject[] {
  const caBundle = Buffer.from(authority).toString('base64');
  return groupsOf(resources).flatMap((group) => {
    const all = resources
      .filter((one) => one.group === group)
      .flatMap(({ versions }) => versions.filter(({ served }) => served).map((version) => version.name));
    const versions = [...new Set(all)].sort(compareVersions);
    return versions.map((version, at) => ({
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${version}.${group}`, labels: { app: name } },
      spec: {
        group,
        version,
        service: { namespace, name, port: 443 },
        caBundle,
        groupPriorityMinimum: 1000,
        versionPriority: Math.max(1, bestVersion - at),
      },
    }));
  });
}
