/** Opens what the options say of a webhook that decides about requests. */
import { defineAuthorizationWebhook } from '../../plugins/index.js';
import type { Authorizer } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import type { AuthorizationWebhookOption, OnProblem } from '../options.js';
import { atMostEvery } from '../webhooks/at-most-every.js';
import { followWebhookFile } from '../webhooks/follow-webhook-file.js';
import { postTo } from '../webhooks/post-json.js';

/** A webhook that is away would fail with each request. */
const toldEveryMs = 60_000;

/** Throws an `OptionError` where its file cannot be used. The webhook is not asked yet. */
export function openAuthorizationWebhook(
  { configFile, version = 'v1beta1', ...ttls }: AuthorizationWebhookOption,
  { rename }: Naming,
  onProblem: OnProblem,
): Authorizer {
  const tell = atMostEvery(toldEveryMs, onProblem);
  return defineAuthorizationWebhook({
    post: postTo(followWebhookFile('authorization.webhook.configFile', configFile, onProblem)),
    group: rename('authorization.platform.io'),
    version,
    authorizedTtlMs: ttls.authorizedTtlMs ?? 300_000,
    unauthorizedTtlMs: ttls.unauthorizedTtlMs ?? 30_000,
    onProblem: (problem) => tell(`the authorization webhook cannot be asked: ${problem}`),
  });
}
