/** The options of the audit log. */
import type { AuditMode, Batching, Truncation } from '../../plugins/index.js';
import type { AuditSink } from '../../runtime/contract/index.js';

/** The options of audit: the records of requests, and where they go. */
export interface AuditStartOptions {
  /** File of the policy, in YAML or JSON: `kind: Policy` of `audit.k8s.io/v1`. */
  readonly policyFile: string;
  readonly log?: AuditLogOption;
  readonly webhook?: AuditWebhookOption;
  /** Sinks of one's own; they are closed with the server. Default: none. */
  readonly sinks?: readonly AuditSink[];
}

/** Records in a file, one to a line. */
export interface AuditLogOption {
  /** `-` for standard output. */
  readonly path: string;
  /** Days that older files are kept. Default: 0, for ever. */
  readonly maxAgeDays?: number;
  /** Older files that are kept. Default: 0, all. */
  readonly maxBackups?: number;
  /** Mebibytes from which on a new file is begun. Default: 100. */
  readonly maxSizeMiB?: number;
  /** Whether older files are compressed. Default: false. */
  readonly compress?: boolean;
  /** Default: `blocking`. */
  readonly mode?: AuditMode;
  /** Default: up to 10,000 records wait, and each goes by itself and at once. */
  readonly batch?: Partial<Batching>;
  /** Default: records may be of any size. */
  readonly truncate?: Truncation;
}

/** Records that are posted to a webhook. */
export interface AuditWebhookOption {
  /** In the format of a kubeconfig: its cluster is the webhook, with the path to post to. */
  readonly configFile: string;
  /** Default: `batch`. */
  readonly mode?: AuditMode;
  /** Milliseconds before a post is tried again. Default: 10,000. */
  readonly initialBackoffMs?: number;
  /** Default: up to 10,000 records wait; posts have up to 400, or what came in 30 s; 10 in a second, 15 at first. */
  readonly batch?: Partial<Batching>;
  /** Default: records may be of any size. */
  readonly truncate?: Truncation;
}
