/** Keeps credentials until they end or are refused, and gets others once for all who need them. */
import type { Identity, IdentitySource } from './identity.js';

/** Credentials, and when they end: milliseconds since 1970, never where absent. */
export interface Renewable {
  readonly identity: Identity;
  readonly ends?: number;
}

/** `renew` gets credentials; what it throws, those get who wait for it, and the next try it again. */
export function renewedIdentity(renew: (refused?: Identity) => Promise<Renewable>): IdentitySource {
  let known: Renewable | undefined;
  let renewing: Promise<Renewable> | undefined;
  return async (refused) => {
    const counts = known !== undefined && known.identity !== refused && (known.ends ?? Infinity) > Date.now();
    if (counts && known) return known.identity;
    renewing ??= renew(refused).finally(() => {
      renewing = undefined;
    });
    known = await renewing;
    return known.identity;
  };
}
