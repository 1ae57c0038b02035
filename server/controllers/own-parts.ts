/** The parts of a server that controllers have in its own process only: keys that sign. */
import { defineAuthority, type SigningAuthority } from '../../plugins/index.js';
import type { ServerParts } from '../assemble-server.js';
import { openSigners, type RequestSigner } from '../signing/open-signers.js';
import type { OpenTls } from '../transport/open-tls.js';
import { clientAuthorityName } from '../transport/own-certificates.js';
import type { Follow } from '../transport/reloaded.js';

export interface OwnParts {
  /** The built-in signers of certificate requests, by their names. */
  readonly signers: ReadonlyMap<string, RequestSigner>;
}

/** Throws an `OptionError` where a file of the options cannot be used. */
export function openOwnParts(
  { options, naming, storage }: ServerParts,
  tls: OpenTls | undefined,
  follow: Follow,
): OwnParts {
  let made: SigningAuthority | undefined;
  const own = (): SigningAuthority => {
    if (tls) return tls.signing();
    made ??= defineAuthority({ secret: storage.store.secret, name: clientAuthorityName, now: Date.now() }).signing;
    return made;
  };
  return { signers: openSigners(options.signing, own, naming, follow) };
}
