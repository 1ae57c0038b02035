/** The parts of a server that only controllers in its process have: signing keys, and the server's address. */
import { defineAuthority, type SigningAuthority } from '../../plugins/index.js';
import type { TokenIssuer } from '../../strategies/index.js';
import { openSigners, type RequestSigner } from '../parts/open-signers.js';
import type { ServerParts } from '../server-parts.js';
import type { OpenTls } from '../transport/open-tls.js';
import { clientAuthorityName } from '../transport/own-certificates.js';
import type { Follow } from '../transport/reloaded.js';

export interface OwnParts {
  /** The built-in signers of certificate requests, by name. */
  readonly signers: ReadonlyMap<string, RequestSigner>;
  /** Signs the tokens in secrets. */
  readonly issueSecretToken: (claims: Readonly<Record<string, string>>) => Promise<string>;
  /** Returns the current PEM certificates that clients trust; absent without TLS. */
  readonly trusted?: (() => string) | undefined;
  /** Returns a kubeconfig without credentials; absent if the server does not listen with TLS. */
  readonly clusterInfo?: (() => string) | undefined;
}

/** Throws an `OptionError` if a file of the options cannot be used. */
export function openOwnParts(
  { options, naming, secret }: ServerParts,
  { tls, issuer }: { readonly tls: OpenTls | undefined; readonly issuer: TokenIssuer },
  follow: Follow,
): OwnParts {
  let made: SigningAuthority | undefined;
  const own = (): SigningAuthority => {
    if (tls) return tls.signing();
    made ??= defineAuthority({ secret, name: clientAuthorityName, now: Date.now() }).signing;
    return made;
  };
  return {
    signers: openSigners(options.signing, own, naming, follow),
    issueSecretToken: (claims) => issuer.issue({ ...claims }),
    trusted: tls?.trusted,
  };
}
