/**
 * The two sets of names under which a server can serve one API: the platform's own, and the names that Kubernetes
 * clients expect.
 */

/** The set of names that a server uses. */
export type NamingId = 'platform' | 'kubernetes';

/** The annotation in which kubectl keeps the configuration it applied last. kubectl writes it so under both namings. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The names of one naming that code needs. All of them come from one table. */
export interface Naming {
  readonly id: NamingId;
  /**
   * Returns a name of the platform in this naming: an API group, a label or annotation key, a signer, a secret type, a
   * namespace, a media type or a header. Names that the table does not have, such as groups of users, stay as they are.
   */
  readonly rename: (platformName: string) => string;
  readonly mediaTypes: { readonly protobuf: string };
  readonly namespaces: {
    readonly default: string;
    /** The namespace of the server's own objects. */
    readonly system: string;
    /** The namespace that everyone may read. */
    readonly public: string;
    /** The namespace of the heartbeats of nodes. */
    readonly nodeLease: string;
  };
  readonly signers: {
    readonly apiserverClient: string;
    readonly apiserverClientAgent: string;
    readonly agentServing: string;
    /** The signer of requests from before signers had names. The server no longer accepts it. */
    readonly legacyUnknown: string;
  };
  readonly secretTypes: {
    readonly opaque: string;
    readonly serviceAccountToken: string;
    readonly dockerConfig: string;
    readonly dockerConfigJson: string;
    readonly basicAuth: string;
    readonly sshAuth: string;
    readonly tls: string;
    readonly bootstrapToken: string;
  };
  /**
   * The domains of the product's own label and annotation keys, subdomains included. The first is the domain of labels.
   */
  readonly ownDomains: readonly string[];
  readonly wellKnown: {
    /** The label of each namespace with its name. */
    readonly metadataNameLabel: string;
    /** Annotations of a token's secret that say which account it is for. */
    readonly serviceAccountNameAnnotation: string;
    readonly serviceAccountUidAnnotation: string;
    /** The config map of each namespace with the certificates that clients trust the server by. */
    readonly rootCertificates: string;
    /**
     * The server's own entry among the finalizers of a namespace. Both namings have the same, because clients compare
     * it.
     */
    readonly namespaceFinalizer: string;
    /** Annotation of the bookmark that ends the initial events of a watch. */
    readonly initialEventsEnd: string;
    /** The claim of a service account's token that names the account and the pod it is bound to. */
    readonly tokenClaim: string;
    /** The issuer of the tokens in secrets, which never expire. */
    readonly legacyTokenIssuer: string;
    /** Label of secrets with the day on which their token was last used. */
    readonly legacyTokenLastUsed: string;
    /** The config map in the system's namespace with the day since which the server records the use of tokens. */
    readonly legacyTokenTracking: string;
    readonly podNameExtra: string;
    readonly podUidExtra: string;
    readonly nodeNameExtra: string;
    readonly nodeUidExtra: string;
    /** The key of the names of the extras of a service account that acts as its own node. */
    readonly nodeKeysExtra: string;
    /** The key of the ID of a token among the extras of a user. */
    readonly tokenIdExtra: string;
    /** Annotation of the audit event of a token request: the ID of the token. */
    readonly issuedTokenAnnotation: string;
    /** Annotations of the audit events of requests to deprecated versions. */
    readonly deprecatedAnnotation: string;
    readonly removedReleaseAnnotation: string;
  };
}

const builtInGroups = [
  'admission',
  'admissionregistration',
  'apidiscovery',
  'apiextensions',
  'apiregistration',
  'apiserver.config',
  'audit',
  'authentication',
  'authorization',
  'certificates',
  'client.authentication',
  'config',
  'coordination',
  'custom.metrics',
  'discovery',
  'events',
  'external.metrics',
  'internal.apiserver',
  'meta',
  'metrics',
  'networking',
  'node',
  'rbac.authorization',
  'resource',
  'scheduling',
  'storage',
  'storagemigration',
] as const;

/** Names under `platform.io` that are the same under `kubernetes.io`. */
const sameUnderKubernetes = [
  'platform.io/legacy-unknown',
  'platform.io/legacy-token-last-used',
  'platform.io/basic-auth',
  'platform.io/dockercfg',
  'platform.io/dockerconfigjson',
  'platform.io/service-account-token',
  'platform.io/ssh-auth',
  'platform.io/tls',
  'platform.io/metadata.name',
  'platform.io/service-account.name',
  'platform.io/service-account.uid',
  'autoscaling.alpha.platform.io/behavior',
  'autoscaling.alpha.platform.io/conditions',
  'autoscaling.alpha.platform.io/current-metrics',
  'autoscaling.alpha.platform.io/metrics',
  'platform.io/pvc-protection',
  'platform.io/pv-protection',
  'platform.io/vac-protection',
  'platform.io/arch',
  'platform.io/os',
  'platform.io/config.mirror',
  'beta.platform.io/arch',
  'beta.platform.io/instance-type',
  'beta.platform.io/os',
  'container.apparmor.security.beta.platform.io/',
  'container.seccomp.security.alpha.platform.io/',
  'controller.platform.io/pod-deletion-cost',
  'failure-domain.beta.platform.io/region',
  'failure-domain.beta.platform.io/zone',
  'node-role.platform.io/',
  'node.platform.io/instance-type',
  'platform.io/hostname',
  'platform.io/role',
  'pod-security.platform.io/',
  'scheduler.alpha.platform.io/node-selector',
  'scheduler.alpha.platform.io/defaultTolerations',
  'scheduler.alpha.platform.io/tolerationsWhitelist',
  'scheduler.alpha.platform.io/critical-pod',
  'scheduler.alpha.platform.io/preferAvoidPods',
  'scheduler.alpha.platform.io/taints',
  'scheduler.alpha.platform.io/tolerations',
  'seccomp.security.alpha.platform.io/pod',
  'security.alpha.platform.io/sysctls',
  'security.alpha.platform.io/unsafe-sysctls',
  'storageclass.beta.platform.io/is-default-class',
  'storageclass.platform.io/is-default-class',
  'pod.alpha.platform.io/init-containers',
  'pod.alpha.platform.io/init-container-statuses',
  'pod.beta.platform.io/init-containers',
  'pod.beta.platform.io/init-container-statuses',
  'statefulset.platform.io/pod-name',
  'topology.platform.io/region',
  'topology.platform.io/zone',
  'volume.beta.platform.io/mount-options',
  'volume.beta.platform.io/storage-class',
  'bootstrap.platform.io/token',
  'authentication.platform.io/credential-id',
  'authentication.platform.io/issued-credential-id',
  'authentication.platform.io/pod-name',
  'authentication.platform.io/pod-uid',
  'authentication.platform.io/node-name',
  'authentication.platform.io/node-uid',
  'authentication.platform.io/associated-node-keys',
  'batch.platform.io/controller-uid',
  'batch.platform.io/job-completion-index',
  'batch.platform.io/job-name',
  'batch.platform.io/job-tracking',
  'deployment.platform.io/revision',
  'endpointslice.platform.io/skip-mirror',
  'kube-aggregator.platform.io/automanaged',
  'platform.io/service-name',
  'platform.io/docs',
  'platform.io/ingress.class',
  'service.beta.platform.io/load-balancer-source-ranges',
  'service.platform.io/topology-aware-hints',
  'service.platform.io/topology-mode',
  'platform.io/bootstrapping',
  'rbac.authorization.platform.io/autoupdate',
  'apf.platform.io/autoupdate-spec',
  'ipaddress.platform.io/ip-family',
  'pdb.platform.io/deprecated-v1beta1-empty-selector-match',
  'ingressclass.platform.io/is-default-class',
  'node.platform.io/memory-pressure',
  'node.platform.io/not-ready',
  'node.platform.io/unreachable',
  'platform.io/enforce-mountable-secrets',
  'platform.io/limit-ranger',
  'pv.platform.io/provisioned-by',
  'platform.io/serviceaccount',
  'ipaddress.platform.io/managed-by',
] as const;

/** The Kubernetes name for each name of the platform. */
const kubernetesNames: ReadonlyMap<string, string> = new Map<string, string>([
  ...builtInGroups.map((group) => [`${group}.platform.io`, `${group}.k8s.io`] as const),
  ...sameUnderKubernetes.map((name) => [name, name.replace('platform.io/', 'kubernetes.io/')] as const),
  ['application/vnd.platform.protobuf', 'application/vnd.kubernetes.protobuf'],
  ['x-platform-pf-flowschema-uid', 'x-kubernetes-pf-flowschema-uid'],
  ['x-platform-pf-prioritylevel-uid', 'x-kubernetes-pf-prioritylevel-uid'],
  ...['admin', 'edit', 'view'].map(
    (role) =>
      [
        `rbac.authorization.platform.io/aggregate-to-${role}`,
        `rbac.authorization.k8s.io/aggregate-to-${role}`,
      ] as const,
  ),
  ['customresourcecleanup.apiextensions.platform.io', 'customresourcecleanup.apiextensions.k8s.io'],
  ['flowcontrol.platform.io', 'flowcontrol.apiserver.k8s.io'],
  ['imagepolicy.platform.io', 'imagepolicy.k8s.io'],
  ['image-policy.platform.io', 'image-policy.k8s.io'],
  ['api-approved.platform.io', 'api-approved.kubernetes.io'],
  ['abac.authorization.platform.io', 'abac.authorization.kubernetes.io'],
  ['platform.io/initial-events-end', 'k8s.io/initial-events-end'],
  ['snapshot.storage.platform.io', 'snapshot.storage.k8s.io'],
  ['ipallocator.platform.io', 'ipallocator.k8s.io'],
  ['platform.io/deprecated', 'k8s.io/deprecated'],
  ['platform.io/removed-release', 'k8s.io/removed-release'],
  ['platform-system', 'kube-system'],
  ['platform-public', 'kube-public'],
  ['platform-node-lease', 'kube-node-lease'],
  ['platform-root-ca.crt', 'kube-root-ca.crt'],
  ['platform-system-service-accounts', 'kube-system-service-accounts'],
  ['platform.io/apiserver-client', 'kubernetes.io/kube-apiserver-client'],
  ['platform.io/apiserver-client-agent', 'kubernetes.io/kube-apiserver-client-kubelet'],
  ['platform.io/agent-serving', 'kubernetes.io/kubelet-serving'],
  ['platform.io/apiserver-serving', 'kubernetes.io/kube-apiserver-serving'],
  ['networking.platform.io/service-cidr-finalizer', 'networking.k8s.io/service-cidr-finalizer'],
]);

function naming(id: NamingId, rename: (platformName: string) => string): Naming {
  return {
    id,
    rename,
    mediaTypes: { protobuf: rename('application/vnd.platform.protobuf') },
    namespaces: {
      default: 'default',
      system: rename('platform-system'),
      public: rename('platform-public'),
      nodeLease: rename('platform-node-lease'),
    },
    signers: {
      apiserverClient: rename('platform.io/apiserver-client'),
      apiserverClientAgent: rename('platform.io/apiserver-client-agent'),
      agentServing: rename('platform.io/agent-serving'),
      legacyUnknown: rename('platform.io/legacy-unknown'),
    },
    secretTypes: {
      opaque: 'Opaque',
      serviceAccountToken: rename('platform.io/service-account-token'),
      dockerConfig: rename('platform.io/dockercfg'),
      dockerConfigJson: rename('platform.io/dockerconfigjson'),
      basicAuth: rename('platform.io/basic-auth'),
      sshAuth: rename('platform.io/ssh-auth'),
      tls: rename('platform.io/tls'),
      bootstrapToken: rename('bootstrap.platform.io/token'),
    },
    ownDomains: id === 'kubernetes' ? ['kubernetes.io', 'k8s.io'] : ['platform.io'],
    wellKnown: {
      metadataNameLabel: rename('platform.io/metadata.name'),
      serviceAccountNameAnnotation: rename('platform.io/service-account.name'),
      serviceAccountUidAnnotation: rename('platform.io/service-account.uid'),
      rootCertificates: rename('platform-root-ca.crt'),
      namespaceFinalizer: 'kubernetes',
      initialEventsEnd: rename('platform.io/initial-events-end'),
      // The table does not have the bare domain, because elsewhere users may have chosen this name.
      tokenClaim: id === 'kubernetes' ? 'kubernetes.io' : 'platform.io',
      legacyTokenIssuer: id === 'kubernetes' ? 'kubernetes/serviceaccount' : 'platform/serviceaccount',
      legacyTokenLastUsed: rename('platform.io/legacy-token-last-used'),
      legacyTokenTracking: `${id === 'kubernetes' ? 'kube' : 'platform'}-apiserver-legacy-service-account-token-tracking`,
      podNameExtra: rename('authentication.platform.io/pod-name'),
      podUidExtra: rename('authentication.platform.io/pod-uid'),
      nodeNameExtra: rename('authentication.platform.io/node-name'),
      nodeUidExtra: rename('authentication.platform.io/node-uid'),
      nodeKeysExtra: rename('authentication.platform.io/associated-node-keys'),
      tokenIdExtra: rename('authentication.platform.io/credential-id'),
      issuedTokenAnnotation: rename('authentication.platform.io/issued-credential-id'),
      deprecatedAnnotation: rename('platform.io/deprecated'),
      removedReleaseAnnotation: rename('platform.io/removed-release'),
    },
  };
}

/** The platform's own names. */
export const platformNaming: Naming = naming('platform', (name) => name);

/** The names that Kubernetes clients expect. */
export const kubernetesNaming: Naming = naming('kubernetes', (name) => kubernetesNames.get(name) ?? name);

/** Returns the naming that a flag selects, or `undefined` for an unknown one. */
export function namingOf(id: string): Naming | undefined {
  if (id === 'platform') return platformNaming;
  return id === 'kubernetes' ? kubernetesNaming : undefined;
}

/** Returns the name of an API group in the other naming, and that naming; `undefined` if both have the same name. */
export function otherName(group: string): { readonly name: string; readonly naming: NamingId } | undefined {
  const kubernetes = kubernetesNames.get(group);
  if (kubernetes !== undefined) return kubernetes === group ? undefined : { name: kubernetes, naming: 'kubernetes' };
  for (const [name, renamed] of kubernetesNames) if (renamed === group) return { name, naming: 'platform' };
  return undefined;
}
