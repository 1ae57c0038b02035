/** How a definition may have its objects converted between versions. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { dns1035Label } from '../../../runtime/objects/dns-names.js';
import { forbidden, invalidValue, required, stringList } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { checkRequiredChoice, type FieldErrors } from '../../shared/field-checks.js';
import { textsAt } from '../../shared/reading.js';
import { webhookClientErrors } from '../../shared/webhook-clients.js';

/** Versions of the questions to a webhook that the server can ask, the best one first. */
const reviewVersions = ['v1', 'v1beta1'];

const elsewhere = 'should not be set when strategy is not set to Webhook';

/** What an update lets be since it was so before. */
export interface ConversionRatchet {
  /** Whether one version of questions has to be one that the server knows. */
  readonly requireKnownReview: boolean;
}

/** What is wrong with the conversion of a definition's spec, told under the names of its older form. */
export function* conversionErrors(spec: JsonObject, { requireKnownReview }: ConversionRatchet): FieldErrors {
  const conversion = objectAt(spec, 'conversion');
  if (conversion === undefined) return;
  const webhook = objectAt(conversion, 'webhook');
  const client = objectAt(webhook, 'clientConfig');
  const versions = textsAt(webhook, 'conversionReviewVersions');
  const clientPath = 'spec.conversion.webhookClientConfig';
  const versionsPath = 'spec.conversion.conversionReviewVersions';
  yield* checkRequiredChoice(conversion, 'strategy', 'spec.conversion', ['None', 'Webhook']);
  if (stringAt(conversion, 'strategy') !== 'Webhook') {
    if (client !== undefined) yield forbidden(clientPath, elsewhere);
    if (versions.length > 0) yield forbidden(versionsPath, elsewhere);
    return;
  }
  if (client === undefined) yield required(clientPath, 'required when strategy is set to Webhook');
  else yield* webhookClientErrors(client, clientPath);
  yield* reviewErrors(versions, requireKnownReview, versionsPath);
}

/** Whether the versions of questions of an older spec are such that a change has to name a known one. */
export function namesKnownReview(spec: JsonObject): boolean {
  const versions = textsAt(objectAt(objectAt(spec, 'conversion'), 'webhook'), 'conversionReviewVersions');
  return versions.length === 0 || versions.some((version) => reviewVersions.includes(version));
}

function* reviewErrors(versions: readonly string[], requireKnown: boolean, path: string): FieldErrors {
  if (versions.length === 0) yield required(path);
  const seen = new Set<string>();
  for (const [i, version] of versions.entries()) {
    if (seen.has(version)) {
      yield invalidValue(`${path}[${i}]`, version, 'duplicate version');
      continue;
    }
    seen.add(version);
    for (const problem of dns1035Label(version)) yield invalidValue(`${path}[${i}]`, version, problem);
  }
  if (versions.length === 0 || !requireKnown || reviewVersions.some((version) => seen.has(version))) return;
  yield invalidValue(path, stringList(versions), `must include at least one of ${reviewVersions.join(', ')}`);
}
