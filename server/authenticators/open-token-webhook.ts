/** Opens what the options say of a webhook that knows tokens. */
import { defineTokenWebhook } from '../../plugins/index.js';
import type { Authenticator } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import type { OnProblem, TokenWebhookOption } from '../options.js';
import { followWebhookFile } from '../webhooks/follow-webhook-file.js';
import { postTo } from '../webhooks/post-json.js';

/** Throws an `OptionError` where its file cannot be used. The webhook is not asked yet. */
export function openTokenWebhook(
  { configFile, cacheTtlMs: ttlMs = 120_000, version = 'v1beta1' }: TokenWebhookOption,
  { rename }: Naming,
  audiences: readonly string[],
  onProblem: OnProblem,
): Authenticator {
  return defineTokenWebhook({
    post: postTo(followWebhookFile('authentication.tokenWebhook.configFile', configFile, onProblem)),
    apiVersion: `${rename('authentication.platform.io')}/${version}`,
    audiences,
    ttlMs,
  });
}
