/** Makes the options of a server from the flags of `kindforge serve`. */
import { join } from 'node:path';
import type { StartOptions } from '../../server/options.js';
import type { AuditStartOptions } from '../../server/parts/audit-options.js';
import type { NamedStorage } from '../../server/text/storage.js';
import type { LogOptions } from '../serve/log.js';
import { attributeOf, FlagError, type FlagValue, readValues } from './flag.js';
import { admissionOf, aggregationOf, authorizationOf } from './serve/access.js';
import { aggregatedOf } from './serve/aggregated.js';
import { authenticationOf, serviceAccountsOf, signingOf } from './serve/authentication.js';
import { identityOf } from './serve/identity.js';
import { type ServeFlags, type ServeValues, serveFlagGroups } from './serve/index.js';
import { limitsOf } from './serve/limits.js';
import { listening, type Transport } from './serve/listening.js';

/** Options of a server that listens. */
export type ServeOptions = StartOptions & Transport;

/** Makes the options. Throws a `FlagError` that names the flag and the rule. */
export function readServeOptions(given: ServeFlags): ServeOptions {
  const flags = readServeValues(given);
  const aggregated = aggregatedOf(flags);
  const own = authenticationOf(flags);
  const authentication = {
    ...own,
    administrator: own.administrator === true && !aggregated,
    ...identityOf(flags),
    serviceAccounts: serviceAccountsOf(flags),
  };
  const transport = listening(flags);
  const { storage, credentialsDir, clientCaFile, tracingConfigFile, encryptionProviderConfig } = flags;
  // In all other cases, the kubeconfig would let nobody in.
  const letsIn = authentication.administrator || authentication.anonymous === 'administrator';
  return {
    schemas: flags.schemas,
    allowBreakingChanges: flags.allowBreakingChanges,
    ...transport,
    advertiseAddress: flags.advertiseAddress,
    allowedOrigins: flags.allowedOrigins,
    corsAllowedOrigins: flags.corsAllowedOrigins.flatMap((some) => some.split(',').map((one) => one.trim())),
    allowedHosts: flags.allowedHosts,
    storage,
    onDamage: flags.onDamage,
    encryption: encryptionProviderConfig === undefined ? undefined : { configFile: encryptionProviderConfig },
    history: { historyWindowMs: flags.historyWindow, historyMaxBytes: flags.historySize },
    maxObjectBytes: flags.maxObjectBytes,
    naming: flags.naming,
    console: flags.console ?? true,
    // The cluster serves the built-in kinds.
    ...(aggregated && { aggregated, kinds: [] }),
    authentication: { ...authentication, clientCaFile },
    authorization: authorizationOf(flags),
    admission: admissionOf(flags),
    aggregation: aggregationOf(flags),
    audit: auditOf(flags),
    limits: limitsOf(flags),
    profiling: flags.profiling,
    tracing: tracingConfigFile === undefined ? undefined : { configFile: tracingConfigFile },
    credentials: letsIn || transport.tls ? { folder: credentialsDir ?? credentialsBeside(storage) } : undefined,
    featureGates: flags.featureGates,
    runtimeConfig: flags.runtimeConfig,
    emulatedVersion: flags.emulatedVersion,
    projectRelease: flags.projectRelease,
    controllers: flags.controllers,
    simulatedNodes: flags.simulateNodes,
    signing: signingOf(flags),
    leaderElection: flags.leaderElect,
    coordinatedLeadership: {
      durationMs: flags.coordinatedLeadershipLeaseDuration,
      renewDeadlineMs: flags.coordinatedLeadershipRenewDeadline,
      retryMs: flags.coordinatedLeadershipRetryPeriod,
    },
    proxyLoopback: flags.proxyLoopback,
    serviceRanges: { addresses: flags.serviceClusterIpRange, nodePorts: flags.serviceNodePortRange },
    tolerations: {
      notReady: flags.defaultNotReadyTolerationSeconds,
      unreachable: flags.defaultUnreachableTolerationSeconds,
    },
    showHiddenMetricsFor: flags.showHiddenMetricsForVersion,
    workers: flags.workers,
    shutdownDelayMs: flags.shutdownDelayDuration,
    livezGraceMs: flags.livezGracePeriod,
    shownFlags: shownFlags(given),
  };
}

/** Returns the flags that have a value, in their text form, without passwords in URLs and options of drivers. */
function shownFlags(given: ServeFlags): Readonly<Record<string, string>> {
  const values = new Map<string, FlagValue | undefined>(Object.entries(given));
  const names = serveFlagGroups.flatMap(({ flags }) => flags.map(({ name }) => name)).sort();
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values.get(attributeOf({ name }));
      if (value === undefined) return [];
      const text = typeof value === 'object' ? value.join(',') : String(value);
      return [[name, withoutQuery(text.replace(/\/\/[^/@]*@/g, '//***@'))]];
    }),
  );
}

/** Hides the query of a URL, which may hold a secret. */
function withoutQuery(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? url : `${url.slice(0, start)}?***`;
}

/** The settings of the command itself. */
export interface CommandSettings {
  readonly log: LogOptions;
  /** Whether standard output gets a line of JSON once the server is ready. */
  readonly json: boolean;
  readonly readyFile: string | undefined;
}

/** Reads the settings. Throws a `FlagError` that names the flag and the rule. */
export function readCommandSettings(given: ServeFlags): CommandSettings {
  const { logFormat: format, logLevel: level, output, readyFile } = readServeValues(given);
  return { log: { format, level }, json: output === 'json', readyFile };
}

const readServeValues = (given: ServeFlags): ServeValues => readValues(serveFlagGroups, given);

/** Reads `--naming`, for all commands that have it. */
export function readNaming(text: string): 'platform' | 'kubernetes' {
  if (text === 'platform' || text === 'kubernetes') return text;
  throw new FlagError(`--naming ${text || '(nothing)'}: must be platform or kubernetes`);
}

/** Returns the folder for credentials: below the folder of the data, or none if the data has no folder. */
const credentialsBeside = (storage: NamedStorage): string | undefined =>
  typeof storage === 'object' && 'lmdb' in storage ? join(storage.lmdb, 'credentials') : undefined;

type Log = NonNullable<AuditStartOptions['log']>;
type Batch = NonNullable<Log['batch']>;

/**
 * Returns the options, or `undefined` if nothing is recorded. Throws a `FlagError` if a flag needs another one that is
 * missing.
 */
function auditOf(flags: ServeValues): AuditStartOptions | undefined {
  const { auditPolicyFile: policyFile, auditLogPath: path, auditWebhookConfigFile: configFile } = flags;
  if (path === undefined && configFile === undefined) {
    if (policyFile === undefined) return undefined;
    throw new FlagError(
      '--audit-policy-file needs a place for records; add --audit-log-path or --audit-webhook-config-file',
    );
  }
  if (policyFile === undefined) {
    const flag = path === undefined ? '--audit-webhook-config-file' : '--audit-log-path';
    throw new FlagError(`${flag} needs --audit-policy-file, which says what is recorded`);
  }
  return {
    policyFile,
    ...(path === undefined ? {} : { log: logOf(flags, path) }),
    ...(configFile === undefined ? {} : { webhook: webhookOf(flags, configFile) }),
  };
}

const logOf = (flags: ServeValues, path: string): Log => ({
  path,
  maxAgeDays: flags.auditLogMaxage,
  maxBackups: flags.auditLogMaxbackup,
  maxSizeMiB: flags.auditLogMaxsize,
  compress: flags.auditLogCompress ?? false,
  mode: flags.auditLogMode,
  batch: batchOf('--audit-log-batch', {
    bufferSize: flags.auditLogBatchBufferSize,
    maxSize: flags.auditLogBatchMaxSize,
    maxWaitMs: flags.auditLogBatchMaxWait,
    throttled: flags.auditLogBatchThrottleEnable,
    perSecond: flags.auditLogBatchThrottleQps,
    burst: flags.auditLogBatchThrottleBurst,
  }),
  ...(flags.auditLogTruncateEnabled && {
    truncate: { maxEventBytes: flags.auditLogTruncateMaxEventSize, maxBatchBytes: flags.auditLogTruncateMaxBatchSize },
  }),
});

const webhookOf = (flags: ServeValues, configFile: string): NonNullable<AuditStartOptions['webhook']> => ({
  configFile,
  mode: flags.auditWebhookMode,
  initialBackoffMs: flags.auditWebhookInitialBackoff,
  batch: batchOf('--audit-webhook-batch', {
    bufferSize: flags.auditWebhookBatchBufferSize,
    maxSize: flags.auditWebhookBatchMaxSize,
    maxWaitMs: flags.auditWebhookBatchMaxWait,
    throttled: flags.auditWebhookBatchThrottleEnable,
    perSecond: flags.auditWebhookBatchThrottleQps,
    burst: flags.auditWebhookBatchThrottleBurst,
  }),
  ...(flags.auditWebhookTruncateEnabled && {
    truncate: {
      maxEventBytes: flags.auditWebhookTruncateMaxEventSize,
      maxBatchBytes: flags.auditWebhookTruncateMaxBatchSize,
    },
  }),
});

interface BatchValues extends Pick<Batch, 'bufferSize' | 'maxSize' | 'maxWaitMs'> {
  readonly throttled: boolean;
  readonly perSecond: number;
  readonly burst: number;
}

function batchOf(prefix: string, { throttled, perSecond, burst, ...batch }: BatchValues): Batch {
  if (!throttled) return { ...batch, throttle: undefined };
  if (perSecond === 0)
    throw new FlagError(`${prefix}-throttle-qps 0: must be more than 0 with ${prefix}-throttle-enable`);
  if (burst === 0)
    throw new FlagError(`${prefix}-throttle-burst 0: must be more than 0 with ${prefix}-throttle-enable`);
  return { ...batch, throttle: { perSecond, burst } };
}
