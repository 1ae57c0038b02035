/** Credentials of a file with a bearer token, which is renewed by others, as those of service accounts are. */
import { bearer, type Identity, type IdentitySource } from './identity.js';
import { ReadAgain } from './read-again.js';

/** Tokens are replaced long before they end. */
const maxAgeMs = 10_000;

/** Throws where the file cannot be read. */
export function tokenFileIdentity(path: string, age = maxAgeMs): IdentitySource {
  const file = new ReadAgain(path, age);
  let known: { readonly token: string; readonly identity: Identity } | undefined;
  return (refused) => {
    const token = file.text(refused !== undefined).trim();
    if (known?.token !== token) known = { token, identity: { headers: bearer(token) } };
    return known.identity;
  };
}
