/** The extension point that identifies the user of a request. */
import type { Failure, Result } from './failure.js';
import type { ApiObject } from './object.js';
import type { ObjectPlace } from './object-access.js';

/** The client certificate of a connection: one value for all its requests. */
export interface ClientCertificate {
  /** The client's certificate and the intermediate ones that it sent, in DER. */
  readonly chain: readonly Uint8Array[];
  /** The reason why TLS did not verify it against the server's authorities; absent if TLS verified it. */
  readonly problem?: string;
}

export interface Credentials {
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Returns all values of a header by its lower-case name; absent if `headers` is complete. */
  readonly valuesOf?: (name: string) => readonly string[];
  /** Not verified: do not rely on any part of it before you verify it. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** The audiences that a token must be for. Default: the server's own. */
  readonly audiences?: readonly string[];
}

/** A recognized user and the matching audiences. Without `audiences`, the token is for the server. */
export interface Authenticated {
  readonly user: UserInfo;
  readonly audiences?: readonly string[];
  /**
   * Calls `end` once the credentials are no longer valid, for example because they were revoked: open watches then end.
   * Returns a function that cancels this. Absent if credentials stay valid for as long as a request is open.
   */
  readonly onEnd?: (end: () => void) => () => void;
}

/**
 * Wrong credentials. `refused` is the reason for operators only. The author of a token review may see `publicReason`.
 * The client may see `clientReason`, in the message of the 401.
 */
export interface Refused {
  readonly refused: string;
  readonly publicReason?: string;
  /** Absent unless the credentials were valid once, so that strangers learn nothing from it. */
  readonly clientReason?: string;
}

/** `undefined` if the credentials are for another method, and `refused` if they are for this method but wrong. */
export type Authentication = Authenticated | Refused | undefined;

/** The questions that an authenticator may ask the server. */
export interface AuthenticationContext {
  /** Reads a stored object, which is frozen. */
  readonly get: (place: ObjectPlace) => ApiObject | undefined;
  /** Changes a stored object as the server itself. Calls `change` again if another writer was faster. */
  readonly update: (
    place: ObjectPlace,
    change: (object: ApiObject) => Failure | undefined,
  ) => Promise<Result<ApiObject>>;
  readonly featureEnabled: (gate: string) => boolean;
}

/** One method of authentication. The context is absent if no server is involved. */
export interface Authenticator {
  readonly name: string;
  readonly authenticate: (
    credentials: Credentials,
    context?: AuthenticationContext,
  ) => Authentication | Promise<Authentication>;
}

export interface UserInfo {
  readonly name: string;
  /** More stable than the name; empty if the method does not know one. */
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}
