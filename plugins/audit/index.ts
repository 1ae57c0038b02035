/** Policies of the audit log, and the places that its records go to. */

export type { AuditMode, Batching, Delivery, Truncation } from './delivery.js';
export { type AuditLogOptions, defineLogSink } from './log-sink.js';
export { type AuditPolicyResult, readAuditPolicy } from './read-policy.js';
export { backupTime, type Rotation } from './rotating-file.js';
export { type AuditWebhookOptions, defineWebhookSink, type WebhookTarget } from './webhook-sink.js';
