/** Writes on secrets when their tokens were last used, so that those that nobody uses can be found and removed. */
import type { ApiObject, AuthenticationContext } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { dayOf } from '../../../runtime/objects/time/time.js';
import type { LegacyClaims } from './legacy-claims.js';

/**
 * Labels the secret of a token with today's day, at most once a day, on servers that track such uses. Nobody waits for it,
 * and a failure only means that the next use tries again.
 */
export function noteUse(
  { namespace, secretName: name }: LegacyClaims,
  { namespaces, wellKnown }: Naming,
  { get, update }: AuthenticationContext,
  now: number,
): void {
  const { legacyTokenLastUsed: label, legacyTokenTracking } = wellKnown;
  if (!get({ group: '', resource: 'configmaps', namespace: namespaces.system, name: legacyTokenTracking })) return;
  const place = { group: '', resource: 'secrets', namespace, name };
  const today = dayOf(now);
  const secret = get(place);
  if (!secret || isNoted(secret, label, today)) return;
  update(place, (found) => {
    if (!isNoted(found, label, today)) found.metadata.labels = { ...found.metadata.labels, [label]: today };
    return undefined;
  }).catch(() => undefined);
}

/** Days of the calendar are compared as texts. The clock of another server may be ahead. */
const isNoted = ({ metadata }: ApiObject, label: string, today: string): boolean =>
  (metadata.labels?.[label] ?? '') >= today;
