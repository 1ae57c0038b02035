/** Starts a server the way the recordings were made: kubernetes names, memory store, tokens, roles, alpha gates on. */
import { type ListeningServer, type ServingFlags, startServing } from './serving.js';
import { hasShared, shared } from './shared.js';

/** Flags of the reference server; each can be replaced. */
export interface ReferenceFlags {
  readonly naming?: string;
  readonly storage?: string;
  readonly schemas?: string;
  readonly auditPolicyFile?: string;
  readonly auditLogPath?: string;
  /** Whether it has what came after 1.27, too. */
  readonly latest?: boolean;
  /** Whether it emulates the latest release, with its gates and all its versions. */
  readonly current?: boolean;
  /** Whether it has the admission plugins, and their configurations, that one area was recorded with. */
  readonly plugins?: boolean;
}

/** Gates that were on when the recordings were made. */
const gates =
  'DynamicResourceAllocation=true,ValidatingAdmissionPolicy=true,WatchList=true,SELinuxMountReadWriteOncePod=true';

/** Plugins of the recordings that are off by default. */
const furtherPlugins = [
  'AlwaysPullImages',
  'DenyServiceExternalIPs',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'LimitPodHardAntiAffinityTopology',
  'NamespaceAutoProvision',
  'NodeRestriction',
  'OwnerReferencesPermissionEnforcement',
  'PodNodeSelector',
  'PodTolerationRestriction',
  'SecurityContextDeny',
];

const pluginFlags = (): ServingFlags => ({
  featureGates: `${gates},SecurityContextDeny=true`,
  enableAdmissionPlugins: furtherPlugins,
  admissionControlConfigFile: shared('conformance', 'plugins', 'admission-configuration.yaml'),
});

/** Starts a server on a free loopback port. */
export const startReference = ({
  latest = false,
  current = false,
  plugins = false,
  ...flags
}: ReferenceFlags = {}): Promise<ListeningServer> =>
  startServing({
    naming: 'kubernetes',
    featureGates: gates,
    controllers: 'none',
    serviceClusterIpRange: '10.0.0.0/24',
    authorizationMode: 'RBAC',
    anonymousAuth: 'true',
    enableBootstrapTokenAuth: true,
    ...(hasShared ? { tokenAuthFile: shared('conformance', 'tokens.csv') } : {}),
    ...(latest || current ? {} : { emulatedVersion: '1.27' }),
    ...(current ? { featureGates: '', emulatedVersion: 'latest', runtimeConfig: 'api/all=true' } : {}),
    ...(plugins ? pluginFlags() : {}),
    ...flags,
  });
