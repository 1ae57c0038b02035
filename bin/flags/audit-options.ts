/** Makes the options of the audit log of the flags about it. */
import type { AuditStartOptions } from '../../server/audit/audit-options.js';
import { FlagError } from './flag.js';
import type { ServeValues } from './serve/index.js';

type Log = NonNullable<AuditStartOptions['log']>;
type Batch = NonNullable<Log['batch']>;

/** Returns `undefined` if nothing is recorded. Throws a `FlagError` if a flag lacks another one that it depends on. */
export function auditOf(flags: ServeValues): AuditStartOptions | undefined {
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
