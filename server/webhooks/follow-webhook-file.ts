/** Keeps up with the file that says how to reach a webhook, and with the certificates and keys that it names. */
import type { OptionName } from '../option-error.js';
import { followed } from './followed.js';
import { readWebhookFile, type WebhookConnection } from './webhook-file.js';

/** Throws an `OptionError` where the file cannot be used at first. */
export const followWebhookFile = (
  option: OptionName,
  path: string,
  onProblem: (problem: string) => void,
): (() => WebhookConnection) => followed(() => readWebhookFile(option, path), onProblem);
