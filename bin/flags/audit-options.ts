/** Reads the flags of the audit log. */
import { parseDuration } from '../../runtime/objects/scan/duration.js';
import type { AuditStartOptions } from '../../server/parts/audit-options.js';
import { FlagError } from './flag-error.js';
import type { ServeFlags } from './serve-flags.js';

type Log = NonNullable<AuditStartOptions['log']>;
type Batch = NonNullable<Log['batch']>;

/** `undefined` where nothing is recorded. Throws a `FlagError` that says which flag is wrong and what it takes. */
export function readAudit(flags: ServeFlags): AuditStartOptions | undefined {
  const { auditPolicyFile: policyFile, auditLogPath, auditWebhookConfigFile } = flags;
  if (auditLogPath === undefined && auditWebhookConfigFile === undefined) {
    if (policyFile === undefined) return undefined;
    throw new FlagError(
      '--audit-policy-file needs a place for records; add --audit-log-path or --audit-webhook-config-file',
    );
  }
  if (policyFile === undefined) {
    const flag = auditLogPath === undefined ? '--audit-webhook-config-file' : '--audit-log-path';
    throw new FlagError(`${flag} needs --audit-policy-file, which says what is recorded`);
  }
  return {
    policyFile,
    ...(auditLogPath === undefined ? {} : { log: readLog(flags, auditLogPath) }),
    ...(auditWebhookConfigFile === undefined ? {} : { webhook: readWebhook(flags, auditWebhookConfigFile) }),
  };
}

function readLog(flags: ServeFlags, path: string): Log {
  if (path === '') throw new FlagError('--audit-log-path is empty; give a file, or - for standard output');
  if (flags.auditLogFormat !== 'json') {
    throw new FlagError(`--audit-log-format ${flags.auditLogFormat} is unknown; use json`);
  }
  checkVersion('--audit-log-version', flags.auditLogVersion);
  return {
    path,
    maxAgeDays: count('--audit-log-maxage', flags.auditLogMaxage),
    maxBackups: count('--audit-log-maxbackup', flags.auditLogMaxbackup),
    maxSizeMiB: count('--audit-log-maxsize', flags.auditLogMaxsize),
    compress: flags.auditLogCompress ?? false,
    mode: mode('--audit-log-mode', flags.auditLogMode),
    batch: readBatch('--audit-log-batch', {
      bufferSize: flags.auditLogBatchBufferSize,
      maxSize: flags.auditLogBatchMaxSize,
      maxWait: flags.auditLogBatchMaxWait,
      throttle: flags.auditLogBatchThrottleEnable,
      qps: flags.auditLogBatchThrottleQps,
      burst: flags.auditLogBatchThrottleBurst,
    }),
    ...(flags.auditLogTruncateEnabled
      ? truncate('--audit-log-truncate', flags.auditLogTruncateMaxEventSize, flags.auditLogTruncateMaxBatchSize)
      : {}),
  };
}

function readWebhook(flags: ServeFlags, configFile: string): NonNullable<AuditStartOptions['webhook']> {
  checkVersion('--audit-webhook-version', flags.auditWebhookVersion);
  return {
    configFile,
    mode: mode('--audit-webhook-mode', flags.auditWebhookMode),
    initialBackoffMs: duration('--audit-webhook-initial-backoff', flags.auditWebhookInitialBackoff),
    batch: readBatch('--audit-webhook-batch', {
      bufferSize: flags.auditWebhookBatchBufferSize,
      maxSize: flags.auditWebhookBatchMaxSize,
      maxWait: flags.auditWebhookBatchMaxWait,
      throttle: flags.auditWebhookBatchThrottleEnable,
      qps: flags.auditWebhookBatchThrottleQps,
      burst: flags.auditWebhookBatchThrottleBurst,
    }),
    ...(flags.auditWebhookTruncateEnabled
      ? truncate(
          '--audit-webhook-truncate',
          flags.auditWebhookTruncateMaxEventSize,
          flags.auditWebhookTruncateMaxBatchSize,
        )
      : {}),
  };
}

interface BatchTexts {
  readonly bufferSize: string;
  readonly maxSize: string;
  readonly maxWait: string;
  readonly throttle: string;
  readonly qps: string;
  readonly burst: string;
}

function readBatch(prefix: string, texts: BatchTexts): Batch {
  const base = {
    bufferSize: count(`${prefix}-buffer-size`, texts.bufferSize, 1),
    maxSize: count(`${prefix}-max-size`, texts.maxSize, 1),
    maxWaitMs: duration(`${prefix}-max-wait`, texts.maxWait),
  };
  if (texts.throttle === 'false') return { ...base, throttle: undefined };
  if (texts.throttle !== 'true') {
    throw new FlagError(`${prefix}-throttle-enable ${texts.throttle} is unknown; use true or false`);
  }
  const perSecond = Number(texts.qps);
  if (!(perSecond > 0 && perSecond <= 1e9)) {
    throw new FlagError(`${prefix}-throttle-qps ${texts.qps} is not a number above 0`);
  }
  return { ...base, throttle: { perSecond, burst: count(`${prefix}-throttle-burst`, texts.burst, 1) } };
}

const truncate = (prefix: string, event: string, batch: string): Pick<Log, 'truncate'> => ({
  truncate: {
    maxEventBytes: count(`${prefix}-max-event-size`, event, 1),
    maxBatchBytes: count(`${prefix}-max-batch-size`, batch, 1),
  },
});

function count(flag: string, text: string, least = 0): number {
  if (/^\d{1,15}$/.test(text) && Number(text) >= least) return Number(text);
  throw new FlagError(`${flag} ${text || '(nothing)'} is not a whole number from ${least} up`);
}

function duration(flag: string, text: string): number {
  const nanoseconds = parseDuration(text);
  if (nanoseconds !== undefined && nanoseconds >= 0n) return Number(nanoseconds / 1_000_000n);
  throw new FlagError(`${flag} ${text || '(nothing)'} is not a duration; use a number and a unit, such as 30s`);
}

function mode(flag: string, text: string): NonNullable<Log['mode']> {
  if (text === 'batch' || text === 'blocking' || text === 'blocking-strict') return text;
  throw new FlagError(`${flag} ${text} is unknown; use batch, blocking or blocking-strict`);
}

function checkVersion(flag: string, text: string): void {
  if (text === 'audit.k8s.io/v1' || text === 'audit.platform.io/v1') return;
  throw new FlagError(`${flag} ${text} is unknown; use audit.k8s.io/v1`);
}
