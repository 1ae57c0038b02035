/** Opens the audit log that the options ask for. */
import { readFileSync } from 'node:fs';
import { loadKubeconfig } from '../../client/node.js';
import { defineLogSink, defineWebhookSink, readAuditPolicy } from '../../plugins/index.js';
import type { AuditPolicy, AuditSink, Tracer } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { explaining } from '../explain.js';
import { OptionError } from '../option-error.js';
import type { OnProblem } from '../options.js';
import { guardedFetch } from '../webhooks/guarded-fetch.js';
import type { OutgoingCalls } from '../webhooks/outgoing-calls.js';
import { checkRemoteTrust } from '../webhooks/webhook-file.js';
import type { AuditLogOption, AuditStartOptions, AuditWebhookOption } from './audit-options.js';
import { tracedFetch } from './open-tracing.js';

/** An open audit log, as a server takes it, with its `close`. */
export interface OpenedAudit {
  readonly policy: AuditPolicy;
  readonly sinks: readonly AuditSink[];
  readonly close: () => Promise<void>;
}

/** Rejects with an `OptionError` if the policy, the log file or the webhook file cannot be used. */
export async function openAudit(
  { policyFile, log, webhook, sinks = [] }: AuditStartOptions,
  naming: Naming,
  calls: OutgoingCalls,
  onProblem: OnProblem,
  tracer?: Tracer,
): Promise<OpenedAudit> {
  const policy = await openPolicy(policyFile);
  const all = [
    ...(webhook ? [openWebhook(webhook, naming, calls, onProblem, tracer)] : []),
    ...(log ? [await openLog(log, onProblem)] : []),
    ...sinks,
  ];
  return {
    policy,
    sinks: all,
    async close() {
      await Promise.all(all.map((sink) => sink.close()));
    },
  };
}

async function openPolicy(path: string): Promise<AuditPolicy> {
  const bytes = await explaining(
    () => readFileSync(path),
    ({ message }, nameOf) => `${nameOf('audit.policyFile')} ${path}: ${message}`,
  );
  const read = readAuditPolicy(bytes);
  if (read.ok) return read.policy;
  throw new OptionError((nameOf) => `${nameOf('audit.policyFile')} ${path}: ${read.problems.join('\n  ')}`);
}

const mebibyte = 1024 * 1024;

function openLog(option: AuditLogOption, onProblem: OnProblem): Promise<AuditSink> {
  const { path, maxAgeDays = 0, maxBackups = 0, maxSizeMiB = 0, compress = false, mode = 'blocking' } = option;
  const rotation = { maxAgeDays, maxBackups, maxBytes: (maxSizeMiB || 100) * mebibyte, compress };
  const batch = { bufferSize: 10_000, maxSize: 1, maxWaitMs: 0, ...option.batch };
  const truncation = option.truncate && { truncation: option.truncate };
  return explaining(
    () => defineLogSink({ path, rotation, delivery: { mode, batch }, ...truncation }, onProblem),
    ({ message }, nameOf) => `${nameOf('audit.log.path')} ${path}: ${message}`,
  );
}

function openWebhook(
  option: AuditWebhookOption,
  { rename }: Naming,
  calls: OutgoingCalls,
  onProblem: OnProblem,
  tracer: Tracer | undefined,
): AuditSink {
  const { configFile, mode = 'batch', initialBackoffMs = 10_000 } = option;
  const throttle = { perSecond: 10, burst: 15 };
  const batch = { bufferSize: 10_000, maxSize: 400, maxWaitMs: 30_000, throttle, ...option.batch };
  const truncation = option.truncate && { truncation: option.truncate };
  const plain = targetOf(configFile, calls);
  const target = tracer ? { ...plain, fetch: tracedFetch(plain.fetch, mode === 'batch' ? tracer : undefined) } : plain;
  const apiVersion = `${rename('audit.platform.io')}/v1`;
  return defineWebhookSink(
    { target, delivery: { mode, batch }, initialBackoffMs, ...truncation, apiVersion },
    onProblem,
  );
}

function targetOf(path: string, calls: OutgoingCalls): Parameters<typeof defineWebhookSink>[0]['target'] {
  try {
    checkRemoteTrust(path);
    const { baseUrl, headers = {}, fetch: send = fetch } = loadKubeconfig({ path });
    return { url: baseUrl, headers, fetch: guardedFetch(calls, baseUrl, send) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OptionError((nameOf) => `${nameOf('audit.webhook.configFile')} ${path}: ${reason}`, { cause: error });
  }
}
