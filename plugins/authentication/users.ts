/** Users as authenticators make them. */

import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Authenticator, Credentials, UserInfo } from '../../runtime/contract/index.js';

/** The group of every user that an authenticator has recognized. */
const authenticatedGroup = 'system:authenticated';

/** A recognized user; the group of all recognized users comes last among its groups. */
export function authenticatedUser(name: string, uid: string, groups: readonly string[]): UserInfo {
  const others = groups.filter((group) => group !== authenticatedGroup);
  return { name, uid, groups: [...others, authenticatedGroup], extra: {} };
}

/** The user of requests without credentials. */
export const anonymousUser: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};

/** The administrator's token, and the authenticator that recognizes it. */
export interface Administrator {
  /** 64 hexadecimal digits. */
  readonly token: string;
  /** Takes the token as a bearer token, or as the password of `admin` (RFC 7617). */
  readonly authenticator: Authenticator;
}

/** The name that a client sends with the token where it sends a name and a password. */
export const administratorName = 'admin';

export const administratorUser: UserInfo = authenticatedUser('system:admin', '', ['system:masters']);

/**
 * The token follows from a secret of the data: it stays the same from start to start, and all servers over the same data
 * know it. Without a secret it is made up.
 */
export function defineAdministrator(secret: Uint8Array = randomBytes(32)): Administrator {
  const token = Buffer.from(hkdfSync('sha256', secret, '', 'token of the administrator', 32)).toString('hex');
  const password = Buffer.from(`${administratorName}:${token}`).toString('base64');
  const expected = [digest(`bearer ${token}`), digest(`basic ${password}`)];
  const isOurs = (header: string): boolean => {
    const [scheme = '', credentials = ''] = header.trim().split(' ', 2);
    const sent = digest(`${scheme.toLowerCase()} ${credentials}`);
    return expected.some((one) => timingSafeEqual(one, sent));
  };
  return {
    token,
    authenticator: {
      name: 'administrator',
      authenticate: ({ headers: { authorization } }) =>
        typeof authorization === 'string' && isOurs(authorization) ? { user: administratorUser } : undefined,
    },
  };
}

/** Of one length, whatever is sent, so that comparing takes the same time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

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

// Lets requests without credentials pass as the anonymous user. It comes last, since it recognizes what others did not.

export function defineAnonymous(): Authenticator {
  return {
    name: 'anonymous',
    // A token that nobody knows is a mistake to be told of, not the same as no token.
    authenticate: (credentials) =>
      bearerToken(credentials) === undefined ? { user: anonymousUser } : { refused: 'the bearer token is not known' },
  };
}

/**
 * The token of an `Authorization` header; `undefined` where there is none. The scheme may be written in any case, one
 * blank follows it, and what comes after the token is not looked at.
 */
export function bearerToken({ headers }: Credentials): string | undefined {
  const header = headers.authorization;
  if (header === undefined) return undefined;
  const value = (typeof header === 'string' ? header : header[0])?.trim() ?? '';
  const [scheme = '', token = ''] = value.split(' ', 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}
