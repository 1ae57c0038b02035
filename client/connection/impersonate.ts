/** Sends requests in the name of another user, if the client has the right to do so. */
import type { Transport } from '../transport.js';

/** The user that requests are made as. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  /**
   * Several groups need a transport of `kindforge/client/node`, or a transport in process: a fetch cannot send them.
   */
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Adds the impersonation headers to each request of a transport. */
export function impersonating(transport: Transport, who: Impersonation): Transport {
  const headers = impersonationHeaders(who);
  return { send: (request) => transport.send({ ...request, headers: { ...request.headers, ...headers } }) };
}

/** Returns the headers that name the user. */
export function impersonationHeaders({
  user,
  uid,
  groups = [],
  extra = {},
}: Impersonation): Record<string, string | string[]> {
  const extras = Object.entries(extra).map(([key, values]): [string, string[]] => [
    `impersonate-extra-${encodeURIComponent(key.toLowerCase())}`,
    [...values],
  ]);
  return {
    'impersonate-user': user,
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': [...groups] }),
    ...Object.fromEntries(extras),
  };
}
