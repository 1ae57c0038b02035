/** Counts the open connections of each user, and refuses those that are too many. */
import type { Failure } from '../contract/index.js';
import { tooManyRequests } from '../objects/status.js';
import type { ApiRequest, ClientConnection } from '../request/api-request.js';

/** Tells why a request may not come by its connection, where that is one too many of its user. */
export type RefuseConnection = (request: ApiRequest, user: string) => Failure | undefined;

/** A connection counts for the user of its first request, until it closes. Requests that come by none do not count. */
export function limitConnections(most: number): RefuseConnection {
  const users = new WeakMap<ClientConnection, string>();
  const open = new Map<string, number>();
  const closed = (user: string): void => {
    const left = (open.get(user) ?? 1) - 1;
    if (left > 0) open.set(user, left);
    else open.delete(user);
  };
  return (request, user) => {
    const connection = request.connection?.();
    if (!connection || users.has(connection)) return undefined;
    const before = open.get(user) ?? 0;
    if (before >= most) {
      connection.close?.();
      return tooManyRequests(`Too many connections of user ${JSON.stringify(user)}, please try again later.`, 1);
    }
    users.set(connection, user);
    open.set(user, before + 1);
    connection.once('close', () => closed(user));
    return undefined;
  };
}
