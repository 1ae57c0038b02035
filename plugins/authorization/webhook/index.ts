/** A webhook that decides about requests. */
export { type AuthorizationWebhookOptions, defineAuthorizationWebhook } from './authorizer.js';
export type { ReviewVersion } from './review.js';
