/** Opens what the options say of a webhook that knows tokens. */
import { defineTokenWebhook } from '../../plugins/index.js';
import type { Authenticator } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import type { TokenWebhookOption } from '../options.js';
import type { Follow } from '../transport/reloaded.js';
import { postTo } from '../webhooks/post-json.js';
import { reloadedWebhook } from '../webhooks/webhook-file.js';

/** Throws an `OptionError` where its file cannot be used; `follow` is handed it. The webhook is not asked yet. */
export function openTokenWebhook(
  { configFile, cacheTtlMs: ttlMs = 120_000, version = 'v1beta1' }: TokenWebhookOption,
  { rename }: Naming,
  audiences: readonly string[],
  follow: Follow,
): Authenticator {
  const connection = reloadedWebhook('authentication.tokenWebhook.configFile', configFile);
  follow(connection);
  return defineTokenWebhook({
    post: postTo(connection.current),
    apiVersion: `${rename('authentication.platform.io')}/${version}`,
    audiences,
    ttlMs,
  });
}
