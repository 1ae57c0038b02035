/** Audit policies and audit sinks. */

export type { AuditMode, Batching, Delivery, Truncation } from './delivery.js';
export { type AuditLogOptions, defineLogSink } from './log-sink.js';
export { type AuditPolicyResult, readAuditPolicy } from './read-policy.js';
export { backupTime, type Rotation } from './rotating-file.js';
export { type AuditWebhookOptions, defineWebhookSink, type WebhookTarget } from './webhook-sink.js';
