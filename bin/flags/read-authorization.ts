/** Reads the flags of `kindforge serve` about what users may do. */
import type { AuthorizationOptions, AuthorizationWebhookOption } from '../../server/options.js';
import type { AuthorizationMode } from '../../server/text/authorization-modes.js';
import { readTime } from '../../server/text/durations.js';
import { FlagError } from './flag-error.js';
import type { ServeFlags } from './serve-flags.js';
import { takeValue } from './take-value.js';

/** Throws a `FlagError` that says which flag is wrong and what it takes. */
export function readAuthorization(flags: ServeFlags, modes: readonly AuthorizationMode[]): AuthorizationOptions {
  const webhook = readWebhook(flags);
  const { authorizationPolicyFile: policyFile } = flags;
  return { modes, ...(policyFile === undefined ? {} : { policyFile }), ...(webhook && { webhook }) };
}

function readWebhook(flags: ServeFlags): AuthorizationWebhookOption | undefined {
  const { authorizationWebhookConfigFile: configFile, authorizationWebhookVersion: version } = flags;
  if (version !== 'v1' && version !== 'v1beta1') {
    throw new FlagError(`--authorization-webhook-version ${version} is not supported; use v1 or v1beta1`);
  }
  const ttlOf = (which: string, text: string): number =>
    takeValue(`--authorization-webhook-cache-${which}-ttl`, readTime(text));
  const authorizedTtlMs = ttlOf('authorized', flags.authorizationWebhookCacheAuthorizedTtl);
  const unauthorizedTtlMs = ttlOf('unauthorized', flags.authorizationWebhookCacheUnauthorizedTtl);
  return configFile === undefined ? undefined : { configFile, authorizedTtlMs, unauthorizedTtlMs, version };
}
