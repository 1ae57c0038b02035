/** The parts of a server that controllers have in its own process only: keys that sign, and how the server is reached. */
import { defineAuthority, type SigningAuthority } from '../../plugins/index.js';
import type { TokenIssuer } from '../../strategies/index.js';
import { openSigners, type RequestSigner } from '../parts/open-signers.js';
import type { ServerParts } from '../server-parts.js';
import type { OpenTls } from '../transport/open-tls.js';
import { clientAuthorityName } from '../transport/own-certificates.js';
import type { Follow } from '../transport/reloaded.js';

export interface OwnParts {
  /** The built-in signers of certificate requests, by their names. */
  readonly signers: ReadonlyMap<string, RequestSigner>;
  /** Signs the tokens that secrets hold. */
  readonly issueSecretToken: (claims: Readonly<Record<string, string>>) => Promise<string>;
  /** The certificates in PEM that the server is trusted by, as they are now; absent without TLS. */
  readonly trusted?: (() => string) | undefined;
  /** A kubeconfig without credentials; absent where the server does not listen with TLS. */
  readonly clusterInfo?: (() => string) | undefined;
}

/** Throws an `OptionError` where a file of the options cannot be used. */
export function openOwnParts(
  { options, naming, storage }: ServerParts,
  { tls, issuer }: { readonly tls: OpenTls | undefined; readonly issuer: TokenIssuer },
  follow: Follow,
): OwnParts {
  let made: SigningAuthority | undefined;
  const own = (): SigningAuthority => {
    if (tls) return tls.signing();
    made ??= defineAuthority({ secret: storage.store.secret, name: clientAuthorityName, now: Date.now() }).signing;
    return made;
  };
  return {
    signers: openSigners(options.signing, own, naming, follow),
    issueSecretToken: (claims) => issuer.issue({ ...claims }),
    trusted: tls?.trusted,
  };
}
