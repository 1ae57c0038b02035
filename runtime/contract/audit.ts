/** The extension points of the audit log: what is recorded of which request, and where records go. */
import type { AccessAttributes } from './authorizer.js';

/** How much of a request is recorded: nothing, who did what, its body too, or that of the answer as well. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

/** A moment in the life of a request at which it is recorded. */
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** The decision of a policy about one request: how much of it is recorded, and when. */
export interface AuditDecision {
  readonly level: AuditLevel;
  /** Stages at which nothing is recorded. */
  readonly omitStages: ReadonlySet<AuditStage>;
  /** Whether recorded objects come without `metadata.managedFields`. */
  readonly omitManagedFields: boolean;
  /** Whether the token in a recorded TokenRequest is left out. */
  readonly omitToken: boolean;
}

/** Decides what is recorded of a request; it is asked once for each. */
export interface AuditPolicy {
  readonly decide: (attributes: AccessAttributes) => AuditDecision;
}

/** One record. */
export interface AuditRecord {
  /** The event as JSON, on one line without its end. */
  readonly json: string;
  /** The same without bodies, and marked as cut; for records that are too large. */
  readonly cut: () => string;
}

/** Where records go. */
export interface AuditSink {
  readonly name: string;
  /** Whether a request is refused whose first record cannot be kept. */
  readonly strict?: boolean;
  /** Takes a record; false where it is lost. The request waits for a promise. */
  readonly write: (record: AuditRecord) => boolean | Promise<boolean>;
  /** Resolves once nothing waits any more; called once, at the end. */
  readonly close: () => Promise<void>;
}
