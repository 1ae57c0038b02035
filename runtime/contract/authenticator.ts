/** The extension point that finds out who makes a request. */
import type { UserInfo } from './user.js';

/** What an authenticator may look at. */
export interface Credentials {
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** PEM of a client certificate that TLS has verified. */
  readonly clientCertificate?: string;
}

/** `undefined`: these credentials are not of this method. `refused`: they are, and they are wrong. */
export type Authentication = { readonly user: UserInfo } | { readonly refused: string } | undefined;

/** One method of authentication. */
export interface Authenticator {
  readonly name: string;
  readonly authenticate: (credentials: Credentials) => Authentication | Promise<Authentication>;
}
