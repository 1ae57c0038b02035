/** The flags of `kindforge serve`. */
import type { FlagValues } from './flag.js';
import { admission } from './serve/admission.js';
import { admissionWebhooks } from './serve/admission-webhooks.js';
import { api } from './serve/api.js';
import { audit } from './serve/audit.js';
import { authentication } from './serve/authentication.js';
import { authorization } from './serve/authorization.js';
import { general } from './serve/general.js';
import { limits } from './serve/limits.js';
import { monitoring } from './serve/monitoring.js';
import { oidc } from './serve/oidc.js';
import { requestHeader } from './serve/request-header.js';
import { signing } from './serve/signing.js';
import { startAndStop } from './serve/start-and-stop.js';
import { storage } from './serve/storage.js';
import { transport } from './serve/transport.js';
import { webhookTokens } from './serve/webhook-tokens.js';

/** All of them, in the order of the help. */
export const serveFlagGroups = [
  api,
  transport,
  startAndStop,
  storage,
  authentication,
  oidc,
  webhookTokens,
  requestHeader,
  authorization,
  signing,
  admission,
  admissionWebhooks,
  limits,
  audit,
  monitoring,
  general,
] as const;

/** Their values, once the command line, the environment and the configuration file are read. */
export type ServeFlags = FlagValues<(typeof serveFlagGroups)[number]['flags']>;
