/** The question that a webhook is asked about a request, where it is to be asked. */
import type { AdmissionAttributes, AdmissionContext, Result } from '../../../runtime/contract/index.js';
import { matchRequest } from '../matching/matching.js';
import { seenAs } from '../matching/seen-objects.js';
import type { AskSettings, Question } from './asking.js';
import { explainNotAsked } from './explain.js';
import type { CandidateWebhook } from './webhook-set.js';

/** Nothing where the webhook is not about the request; a failure where that cannot be told. */
export async function questionFor(
  { webhook, match }: CandidateWebhook,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  settings: AskSettings,
): Promise<Result<Question | undefined>> {
  const matched = matchRequest(match, attributes, context);
  if (!matched.ok) return matched;
  const resource = matched.value;
  const notAsked = (): Result<undefined> => {
    explainNotAsked(webhook.spec, settings, match, attributes, context);
    return { ok: true, value: undefined };
  };
  if (!resource) return notAsked();
  const seen = await seenAs(resource, attributes, context);
  if (!seen.ok) return seen;
  const met = await webhook.conditions.areMet(attributes, seen.value, context, (mistakes) =>
    settings.observer?.conditionsFailed({ name: webhook.spec.name, kind: settings.step }, mistakes),
  );
  if (!met.ok) return met;
  if (!met.value) return notAsked();
  return { ok: true, value: { webhook, attributes, context, resource, seen: seen.value, settings } };
}
