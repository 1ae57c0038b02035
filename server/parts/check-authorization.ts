/** Refuses invalid authorization options before the server opens anything. */
import { defineAuthorizationWebhook } from '../../plugins/index.js';
import type { Authorizer } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import {
  type AuthorizationMode,
  type AuthorizationOptions,
  type AuthorizationWebhookOption,
  authorizationModes,
} from '../access-options.js';
import { OptionError, type OptionName } from '../option-error.js';
import type { OnProblem } from '../options.js';
import { atMostEvery } from '../webhooks/line.js';
import type { OutgoingCalls } from '../webhooks/outgoing-calls.js';
import { postTo } from '../webhooks/post-json.js';
import { followWebhookFile } from '../webhooks/webhook-file.js';

/** Throws an `OptionError` that names the option and its valid values. */
export function checkAuthorization(options: AuthorizationOptions = {}): void {
  const { modes, authorizer, policyFile, webhook, configFile } = options;
  if (modes) checkModes(modes);
  checkFile('ABAC', 'authorization.policyFile', policyFile, modes);
  checkFile('Webhook', 'authorization.webhook.configFile', webhook?.configFile, modes);
  if (webhook) checkTimes(webhook);
  if (modes?.length === 0 && !authorizer && configFile === undefined) {
    throw new OptionError(
      (nameOf) => `${nameOf('authorization.modes')} is empty; give one, or an ${nameOf('authorization.authorizer')}`,
    );
  }
}

function checkModes(modes: readonly AuthorizationMode[]): void {
  const unknown = modes.find((mode) => !authorizationModes.includes(mode));
  if (unknown !== undefined) {
    const meant = didYouMean(String(unknown), authorizationModes) ?? `use names of: ${authorizationModes.join(', ')}`;
    throw new OptionError((nameOf) => `${nameOf('authorization.modes')}: ${unknown} is unknown; ${meant}`);
  }
  const twice = modes.find((mode, i) => modes.indexOf(mode) !== i);
  if (twice === undefined) return;
  throw new OptionError((nameOf) => `${nameOf('authorization.modes')}: ${twice} is given twice`);
}

/** Checks that a mode has its file, and a file has its mode. */
function checkFile(
  mode: AuthorizationMode,
  option: OptionName,
  file: string | undefined,
  modes: readonly AuthorizationMode[] | undefined,
): void {
  if (modes?.includes(mode) && !file) {
    throw new OptionError(
      (nameOf) => `${nameOf('authorization.modes')} ${mode} needs ${nameOf(option)}; add it, with its file`,
    );
  }
  if (file && !modes?.includes(mode)) {
    throw new OptionError(
      (nameOf) => `${nameOf(option)} is for the mode ${mode}; add it to ${nameOf('authorization.modes')}`,
    );
  }
}

function checkTimes({ authorizedTtlMs = 0, unauthorizedTtlMs = 0 }: AuthorizationWebhookOption): void {
  for (const [option, time] of [
    ['authorization.webhook.authorizedTtlMs', authorizedTtlMs],
    ['authorization.webhook.unauthorizedTtlMs', unauthorizedTtlMs],
  ] as const) {
    if (!(time >= 0)) throw new OptionError((nameOf) => `${nameOf(option)} ${time}: must be 0 or more milliseconds`);
  }
}

/** The shortest time between two reports, because an unreachable webhook fails at each request. */
const toldEveryMs = 60_000;

/** Creates the authorizer without contacting the webhook. Throws an `OptionError` if its file cannot be used. */
export function openAuthorizationWebhook(
  { configFile, version = 'v1beta1', ...ttls }: AuthorizationWebhookOption,
  { rename }: Naming,
  onProblem: OnProblem,
  calls: OutgoingCalls,
): Authorizer {
  const tell = atMostEvery(toldEveryMs, onProblem);
  return defineAuthorizationWebhook({
    post: postTo(calls, followWebhookFile('authorization.webhook.configFile', configFile, onProblem)),
    group: rename('authorization.platform.io'),
    version,
    unsetTimes: calls.unsetTimes,
    authorizedTtlMs: ttls.authorizedTtlMs ?? 300_000,
    unauthorizedTtlMs: ttls.unauthorizedTtlMs ?? 30_000,
    onProblem: (problem) => tell(`the authorization webhook cannot be asked: ${problem}`),
  });
}
