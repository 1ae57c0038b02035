/** Opens what the options say of a webhook that knows tokens. */
import { defineTokenWebhook } from '../../plugins/index.js';
import type { Authenticator } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import type { TokenWebhookOption } from '../options.js';
import { postTo } from '../webhooks/post-json.js';
import { readWebhookFile } from '../webhooks/webhook-file.js';

/** Throws an `OptionError` where its file cannot be used. The webhook is not asked yet. */
export function openTokenWebhook(
  { configFile, cacheTtlMs: ttlMs = 120_000, version = 'v1beta1' }: TokenWebhookOption,
  { rename }: Naming,
  audiences: readonly string[],
): Authenticator {
  return defineTokenWebhook({
    post: postTo(readWebhookFile('authentication.tokenWebhook.configFile', configFile)),
    apiVersion: `${rename('authentication.platform.io')}/${version}`,
    audiences,
    ttlMs,
  });
}
