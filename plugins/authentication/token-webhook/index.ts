/** A webhook that knows tokens. */
export { defineTokenWebhook, type PostReview, type TokenWebhookOptions } from './authenticator.js';
