/** A webhook that knows tokens. */
export { defineTokenWebhook, type TokenWebhookOptions } from './authenticator.js';
