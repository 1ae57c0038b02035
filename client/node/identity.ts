/** The credentials that a client shows, and where they come from. */

/** Credentials. A new object stands for other credentials. */
export interface Identity {
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Shown when a connection is made, in PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/**
 * Gives the credentials that count now. `refused` are some that the server has answered with 401: others, if there are
 * any.
 */
export type IdentitySource = (refused?: Identity) => Identity | Promise<Identity>;

/** Credentials that stay as they are. */
export const fixedIdentity = (headers: Readonly<Record<string, string>>): IdentitySource => {
  const identity: Identity = { headers };
  return () => identity;
};

export const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });
