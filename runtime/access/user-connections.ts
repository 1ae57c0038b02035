/** Counts the open connections per user, and refuses connections above the limit. */
import type { Failure } from '../contract/index.js';
import { tooManyRequests } from '../objects/status.js';
import type { ApiRequest, ClientConnection } from '../request/api-request.js';

/** Returns why a request is refused, if its connection is above the user's limit. */
export type RefuseConnection = (request: ApiRequest, user: string) => Failure | undefined;

/**
 * Counts a connection for the user of its first request until it closes. Requests without a connection do not count.
 */
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
