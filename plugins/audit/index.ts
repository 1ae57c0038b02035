/** Policies of the audit log, and the places that its records go to. */
export { backupTime } from './log/backup-names.js';
export { type AuditLogOptions, defineLogSink } from './log/log-sink.js';
export type { Rotation } from './log/rotating-file.js';
export type { AuditMode, Batching, Delivery, Truncation } from './options.js';
export { type AuditPolicyResult, readAuditPolicy } from './policy/read-policy.js';
export { type AuditWebhookOptions, defineWebhookSink, type WebhookTarget } from './webhook-sink.js';
