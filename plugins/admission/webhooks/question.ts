/** The question that a webhook is asked about a request, where it is to be asked. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  Observer,
  ResourceModule,
  Result,
} from '../../../runtime/contract/index.js';
import { matchRequest } from '../matching/matching.js';
import { type SeenObjects, seenAs } from '../matching/seen-objects.js';
import type { Webhook } from './webhook.js';
import type { CandidateWebhook } from './webhook-set.js';

/** A request that a webhook is asked about. */
export interface Question {
  readonly webhook: Webhook;
  readonly attributes: AdmissionAttributes;
  readonly context: AdmissionContext;
  /** The version in which the webhook sees the objects, which is the request's own where they are not converted. */
  readonly resource: ResourceModule;
  readonly seen: SeenObjects;
  readonly settings: AskSettings;
}

/** The part of questions that is the same for all requests. */
export interface AskSettings {
  /** The group of reviews. */
  readonly group: string;
  readonly step: 'admit' | 'validate';
  readonly observer: Observer | undefined;
}

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
  if (!resource) return { ok: true, value: undefined };
  const seen = await seenAs(resource, attributes, context);
  if (!seen.ok) return seen;
  const met = await webhook.conditions.areMet(attributes, seen.value, context, (mistakes) =>
    settings.observer?.conditionsFailed({ name: webhook.spec.name, kind: settings.step }, mistakes),
  );
  if (!met.ok) return met;
  const question = { webhook, attributes, context, resource, seen: seen.value, settings };
  return { ok: true, value: met.value ? question : undefined };
}
