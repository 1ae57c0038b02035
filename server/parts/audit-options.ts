/** The options of the audit log. */
import type { AuditMode, Batching, Truncation } from '../../plugins/index.js';
import type { AuditSink } from '../../runtime/contract/index.js';

/** The audit log: its policy and its sinks. */
export interface AuditStartOptions {
  /** File of the policy, in YAML or JSON: `kind: Policy` of `audit.k8s.io/v1`. */
  readonly policyFile: string;
  readonly log?: AuditLogOption;
  readonly webhook?: AuditWebhookOption;
  /** Your own sinks. The server closes them when it stops. Default: none. */
  readonly sinks?: readonly AuditSink[];
}

/** A log file with one record per line. */
export interface AuditLogOption {
  /** `-` for standard output. */
  readonly path: string;
  /** Days to keep older files. Default: 0, which keeps them forever. */
  readonly maxAgeDays?: number;
  /** The number of older files to keep. Default: 0, which keeps all. */
  readonly maxBackups?: number;
  /** The size in mebibytes at which a new file begins. Default: 100. */
  readonly maxSizeMiB?: number;
  /** Whether to compress older files. Default: false. */
  readonly compress?: boolean;
  /** Default: `blocking`. */
  readonly mode?: AuditMode;
  /** Default: up to 10,000 records wait; the server writes each one by itself, at once. */
  readonly batch?: Partial<Batching>;
  /** Default: records may have any size. */
  readonly truncate?: Truncation;
}

/** A webhook that receives records. */
export interface AuditWebhookOption {
  /** In the kubeconfig format: its cluster is the webhook, with the path to post to. */
  readonly configFile: string;
  /** Default: `batch`. */
  readonly mode?: AuditMode;
  /** Milliseconds before a retry. Default: 10,000. */
  readonly initialBackoffMs?: number;
  /**
   * Default: up to 10,000 records wait. A post has at most 400 records, and waits for more for at most 30 s. There are
   * at most 10 posts per second, and 15 at first.
   */
  readonly batch?: Partial<Batching>;
  /** Default: records may have any size. */
  readonly truncate?: Truncation;
}
