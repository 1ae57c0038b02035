/** The credentials of a client, and their sources. */

/** Credentials. Different credentials are a new object. */
export interface Identity {
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent when a connection opens, in PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/**
 * Returns the current credentials. If the server has answered `refused` with 401, returns other credentials if there
 * are any.
 */
export type IdentitySource = (refused?: Identity) => Identity | Promise<Identity>;

/** Returns a source of credentials that never change. */
export const fixedIdentity = (headers: Readonly<Record<string, string>>): IdentitySource => {
  const identity: Identity = { headers };
  return () => identity;
};

export const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });
