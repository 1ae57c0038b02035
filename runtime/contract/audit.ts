/** The extension points of the audit log: the policy that selects what is recorded, and the sinks of records. */
import type { AccessAttributes } from './authorizer.js';

/** How much of a request is recorded: nothing, metadata, also its body, or also the body of the answer. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

/** A moment in a request at which an event is recorded. */
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** The decision of a policy about one request: how much is recorded, and at which stages. */
export interface AuditDecision {
  readonly level: AuditLevel;
  /** Stages at which nothing is recorded. */
  readonly omitStages: ReadonlySet<AuditStage>;
  /** Whether `metadata.managedFields` is removed from recorded objects. */
  readonly omitManagedFields: boolean;
  /** Whether the token of a recorded TokenRequest is removed. */
  readonly omitToken: boolean;
}

/** Decides what is recorded. Called once per request. */
export interface AuditPolicy {
  readonly decide: (attributes: AccessAttributes) => AuditDecision;
}

export interface AuditRecord {
  /** The event as JSON on one line, without the line break. */
  readonly json: string;
  /** Returns the event without bodies, marked as truncated; for records that are too large. */
  readonly cut: () => string;
}

/** The destination of records. */
export interface AuditSink {
  readonly name: string;
  /** Whether a request is refused if its first record cannot be kept. */
  readonly strict?: boolean;
  /** Writes a record. Returns false if the record is lost. If it returns a promise, the request waits for it. */
  readonly write: (record: AuditRecord) => boolean | Promise<boolean>;
  /** Resolves once no record is pending. Called once, at the end. */
  readonly close: () => Promise<void>;
}
