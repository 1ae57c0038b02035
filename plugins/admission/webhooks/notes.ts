/** Notes of webhooks for the audit of a request. */
import type { Webhook } from './webhook.js';

/** The key of a note about a webhook in a round. */
const noteKey = (about: string, group: string, { index }: Webhook, round: 0 | 1): string =>
  `${about}.webhook.${group}/round_${round}_index_${index}`;

/** Notes that a webhook has been asked, and whether it has changed the object. */
export function mutationNote(
  group: string,
  webhook: Webhook,
  round: 0 | 1,
  mutated: boolean,
): readonly [key: string, value: string] {
  const { configuration, name } = webhook.spec;
  return [noteKey('mutation', group, webhook, round), JSON.stringify({ configuration, webhook: name, mutated })];
}

/** Notes that a webhook has failed, and the request went on. */
export const failedOpenNote = (
  step: 'mutation' | 'validating',
  group: string,
  webhook: Webhook,
  round: 0 | 1,
): readonly [key: string, value: string] => [noteKey(`failed-open.${step}`, group, webhook, round), webhook.spec.name];
