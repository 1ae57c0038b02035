/** Recognizes requests that are made in the server's own process, by tokens that nobody else knows. */
import { randomBytes } from 'node:crypto';
import type { Authenticator, UserInfo } from '../../runtime/contract/index.js';
import { authenticatedUser } from './users.js';

/** Tokens that are made up in a process, and end with it. */
export interface Loopback {
  readonly authenticator: Authenticator;
  /** The value of an `authorization` header by which requests come from a user; from the server itself where absent. */
  credentialsFor(user?: UserInfo): string;
}

/** The user of the server's own requests. */
export const itself: UserInfo = authenticatedUser('system:apiserver', '', ['system:masters']);

export function defineLoopback(): Loopback {
  // A lookup by hash does not tell how much of a guess is right.
  const users = new Map<string, UserInfo>();
  const headers = new Map<string, string>();
  return {
    authenticator: {
      name: 'loopback',
      authenticate({ headers: { authorization } }) {
        const user = typeof authorization === 'string' ? users.get(authorization) : undefined;
        return user && { user };
      },
    },
    credentialsFor(user = itself) {
      const id = JSON.stringify(user);
      const header = headers.get(id) ?? `Bearer ${randomBytes(32).toString('hex')}`;
      headers.set(id, header);
      users.set(header, user);
      return header;
    },
  };
}
