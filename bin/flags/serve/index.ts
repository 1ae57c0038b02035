/** All flags of `kindforge serve`. To add a flag, add a record to one of the groups. */
import type { FlagValues, ReadValues } from '../flag.js';
import { admission, admissionWebhooks, aggregation, authorization } from './access.js';
import { behindCluster } from './aggregated.js';
import { api, general, startAndStop } from './api.js';
import { audit } from './audit.js';
import { authentication, signing } from './authentication.js';
import { oidc, requestHeader, webhookTokens } from './identity.js';
import { limits } from './limits.js';
import { transport } from './listening.js';
import { monitoring, storage } from './storage.js';

/** The groups in the order of the help. */
export const serveFlagGroups = [
  api,
  transport,
  startAndStop,
  storage,
  authentication,
  oidc,
  webhookTokens,
  requestHeader,
  behindCluster,
  authorization,
  signing,
  admission,
  admissionWebhooks,
  aggregation,
  limits,
  audit,
  monitoring,
  general,
] as const;

export type ServeFlagRecords = (typeof serveFlagGroups)[number]['flags'];

/** The values as the command line, the environment, the configuration file and the project give them. */
export type ServeFlags = FlagValues<ServeFlagRecords>;

/** The values as their records read them. */
export type ServeValues = ReadValues<ServeFlagRecords>;
