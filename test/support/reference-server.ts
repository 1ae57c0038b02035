/**
 * Starts a server with the settings of the recordings: kubernetes names, memory store, tokens, roles, alpha gates on.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ListeningServer, type ServingFlags, startServing } from './serving.js';
import { hasShared, shared } from './shared.js';

/** Flags of the reference server. Tests can replace each. */
export interface ReferenceFlags {
  readonly naming?: string;
  readonly storage?: string;
  readonly schemas?: string;
  readonly auditPolicyFile?: string;
  readonly auditLogPath?: string;
  /** Whether the server also has features from after 1.27. */
  readonly latest?: boolean;
  /** Whether the server emulates the latest release, with its gates and all its versions. */
  readonly current?: boolean;
  /** The program that issues tokens and decides about rights, for one recorded area. */
  readonly peer?: ReferencePeer;
  /** Whether the server has the admission plugins and configurations of one recorded area. */
  readonly plugins?: boolean;
}

/** The gates that were on in the recordings. */
const gates =
  'DynamicResourceAllocation=true,ValidatingAdmissionPolicy=true,WatchList=true,SELinuxMountReadWriteOncePod=true';

/** The plugins of the recordings that are off by default. */
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

/** A program that issues tokens and answers an authorization webhook. */
export interface ReferencePeer {
  /** The flags to use in place of the flags about rights and anonymous requests. */
  readonly flags: ServingFlags;
  readonly stop: () => void;
}

/** Starts the peer of the recordings on its own port. */
export async function startPeer(folder: string): Promise<ReferencePeer> {
  const files = (name: string): string => shared('conformance', 'config-1.36', name);
  const authorizationConfig = join(folder, 'authorization.yaml');
  const text = readFileSync(files('authorization.yaml'), 'utf8');
  writeFileSync(authorizationConfig, text.replaceAll('KUBECONFIG', files('webhook.kubeconfig')));
  // The program only runs under its real path.
  const child = spawn(process.execPath, [realpathSync(files('peer.mjs'))], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the peer has ended; is its port in use?')));
  // The program prints a line when it listens.
  await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => undefined);
  return {
    flags: { authenticationConfig: files('authentication.yaml'), authorizationConfig },
    stop: () => void child.kill(),
  };
}

/** Starts a server on a free loopback port. */
export const startReference = ({
  latest = false,
  current = false,
  plugins = false,
  peer,
  ...flags
}: ReferenceFlags = {}): Promise<ListeningServer> =>
  startServing({
    naming: 'kubernetes',
    featureGates: gates,
    controllers: 'none',
    serviceClusterIpRange: '10.0.0.0/24',
    ...(peer ? peer.flags : { authorizationMode: 'RBAC', anonymousAuth: 'true' }),
    enableBootstrapTokenAuth: true,
    ...(hasShared ? { tokenAuthFile: shared('conformance', 'tokens.csv') } : {}),
    ...(latest || current ? {} : { emulatedVersion: '1.27' }),
    ...(current ? { featureGates: '', emulatedVersion: 'latest', runtimeConfig: 'api/all=true' } : {}),
    ...(plugins ? pluginFlags() : {}),
    ...flags,
  });
