/** Starts a server in the test's own process, with the flags of the command. */
import { afterAll } from 'vitest';
import type { ServeFlags } from '../../bin/flags/serve/index.js';
import { readServeOptions } from '../../bin/flags/serve-options.js';
import { type ListeningServer, startServer } from '../../server/index.js';

export type { ListeningServer } from '../../server/index.js';

/** Flags of a server in memory, on a free port. All other flags have the command's defaults. */
export const usualFlags: ServeFlags = {
  aggregatedCacheTtl: '10s',
  host: '127.0.0.1',
  httpPort: 'auto',
  securePort: '0',
  corsAllowedOrigins: [],
  serviceResolver: [],
  tlsSan: [],
  tlsSniCertKey: [],
  workers: '1',
  shutdownDelayDuration: '0s',
  livezGracePeriod: '0s',
  output: 'text',
  storage: 'memory',
  onDamage: 'refuse',
  historyWindow: '5m',
  historySize: '64Mi',
  maxObjectBytes: '1536Ki',
  naming: 'platform',
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  serviceAccountIssuer: [],
  serviceAccountKeyFile: [],
  serviceAccountLookup: 'true',
  oidcUsernameClaim: 'sub',
  oidcRequiredClaim: [],
  oidcSigningAlgs: 'RS256',
  authenticationTokenWebhookCacheTtl: '2m',
  authenticationTokenWebhookVersion: 'v1beta1',
  requestheaderAllowedNames: [],
  requestheaderUsernameHeaders: [],
  requestheaderGroupHeaders: [],
  requestheaderExtraHeadersPrefix: [],
  featureGates: '',
  runtimeConfig: '',
  controllers: '*',
  simulateNodes: '1',
  coordinatedLeadershipLeaseDuration: '15s',
  coordinatedLeadershipRenewDeadline: '10s',
  coordinatedLeadershipRetryPeriod: '2s',
  clusterSigningDuration: '8760h',
  logFormat: 'text',
  logLevel: 'info',
  serviceClusterIpRange: '10.0.0.0/16',
  serviceNodePortRange: '30000-32767',
  defaultNotReadyTolerationSeconds: '300',
  defaultUnreachableTolerationSeconds: '300',
  enablePriorityAndFairness: 'true',
  maxRequestsInflight: '400',
  maxMutatingRequestsInflight: '200',
  requestTimeout: '1m',
  maxRequestBodyBytes: '3Mi',
  maxHeaderBytes: '1Mi',
  maxHeaders: '25000',
  maxUrlBytes: '64Ki',
  headerTimeout: '32s',
  idleTimeout: '90s',
  maxConnections: '10000',
  maxConnectionsPerUser: '5000',
  http2MaxStreamsPerConnection: '250',
  maxWatchBufferBytes: '16Mi',
  auditLogFormat: 'json',
  auditLogMaxage: '0',
  auditLogMaxbackup: '0',
  auditLogMaxsize: '0',
  auditLogMode: 'blocking',
  auditLogBatchBufferSize: '10000',
  auditLogBatchMaxSize: '1',
  auditLogBatchMaxWait: '0s',
  auditLogBatchThrottleEnable: 'false',
  auditLogBatchThrottleQps: '0',
  auditLogBatchThrottleBurst: '0',
  auditLogTruncateMaxEventSize: '102400',
  auditLogTruncateMaxBatchSize: '10485760',
  auditLogVersion: 'audit.k8s.io/v1',
  auditWebhookMode: 'batch',
  auditWebhookInitialBackoff: '10s',
  auditWebhookBatchBufferSize: '10000',
  auditWebhookBatchMaxSize: '400',
  auditWebhookBatchMaxWait: '30s',
  auditWebhookBatchThrottleEnable: 'true',
  auditWebhookBatchThrottleQps: '10',
  auditWebhookBatchThrottleBurst: '15',
  auditWebhookTruncateMaxEventSize: '102400',
  auditWebhookTruncateMaxBatchSize: '10485760',
  auditWebhookVersion: 'audit.k8s.io/v1',
};

/** The flags that a test sets. */
export type ServingFlags = Partial<ServeFlags>;

/** Starts a server with every built-in kind, unless the flags say otherwise. */
export const startServing = (flags: ServingFlags = {}): Promise<ListeningServer> =>
  startServer(readServeOptions({ ...usualFlags, ...allKinds, ...letIn(flags), ...flags }));

/** Starts a server for the tests of a file or a `describe`, and stops it after them. */
export async function suiteServer(flags: ServingFlags = {}): Promise<ListeningServer> {
  const server = await startServing(flags);
  afterAll(() => server.stop());
  return server;
}

const allKinds: ServingFlags = { featureGates: 'DynamicResourceAllocation=true', runtimeConfig: 'api/all=true' };

/** Tests need no credentials unless they set flags about them. */
const letIn = ({ tokenAuthFile, anonymousAuth, credentialsDir, authenticationConfig }: ServingFlags): ServingFlags =>
  (tokenAuthFile ?? anonymousAuth ?? credentialsDir ?? authenticationConfig) === undefined
    ? { allowEveryone: true }
    : {};
