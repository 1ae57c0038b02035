/** The extension point that finds out who makes a request. */
import type { Failure, Result } from './failure.js';
import type { ApiObject } from './object.js';
import type { ObjectPlace } from './object-access.js';

/** The certificate that a client has shown when its connection began: one value for all requests of the connection. */
export interface ClientCertificate {
  /** The client's own, and those that it sent with it, in DER. */
  readonly chain: readonly Uint8Array[];
  /** Why TLS did not verify it against the authorities of the server; absent where it did. */
  readonly problem?: string;
}

/** The credentials of a request. */
export interface Credentials {
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** All values of a header, by its lower-case name, where `headers` has not all of them; absent where it has. */
  readonly valuesOf?: (name: string) => readonly string[];
  /** Nothing about it can be relied on before it is verified. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** The audiences that a token should be for; the server itself where absent. */
  readonly audiences?: readonly string[];
}

/** A recognized user, and for which of the asked audiences; for those of the server where the method knows none. */
export interface Authenticated {
  readonly user: UserInfo;
  readonly audiences?: readonly string[];
}

/** Credentials that are wrong. `told` may be said to who reviews a token, `refused` is for operators. */
export interface Refused {
  readonly refused: string;
  readonly told?: string;
}

/** `undefined`: these credentials are not of this method. `refused`: they are, and they are wrong. */
export type Authentication = Authenticated | Refused | undefined;

/** The questions that an authenticator may ask the server. */
export interface AuthenticationContext {
  /** Reads a stored object, which is frozen. */
  readonly get: (place: ObjectPlace) => ApiObject | undefined;
  /** Changes a stored object, as the server itself; `change` may be called again where another writer was faster. */
  readonly update: (
    place: ObjectPlace,
    change: (object: ApiObject) => Failure | undefined,
  ) => Promise<Result<ApiObject>>;
}

/** One method of authentication. It is asked without a context where no server stands behind the question. */
export interface Authenticator {
  readonly name: string;
  readonly authenticate: (
    credentials: Credentials,
    context?: AuthenticationContext,
  ) => Authentication | Promise<Authentication>;
}

/** The identity that authentication attaches to a request. */
export interface UserInfo {
  readonly name: string;
  /** More stable than the name; empty where the method knows none. */
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}
