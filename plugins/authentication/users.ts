/** The users that the server knows by itself: the administrator, its own requests, and anonymous ones. */

import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Authenticator, Credentials, UserInfo } from '../../runtime/contract/index.js';
import { anonymousUser, authenticatedUser } from './user-info.js';

export interface Administrator {
  /** 64 hexadecimal digits. */
  readonly token: string;
  /** Accepts the token as a bearer token, or as the password of `admin` (RFC 7617). */
  readonly authenticator: Authenticator;
}

/** The user name for basic authentication. */
export const administratorName = 'admin';

export const administratorUser: UserInfo = authenticatedUser('system:admin', '', ['system:masters']);

/**
 * Derives the administrator's token from a secret of the data: it is the same after each restart, and on all servers
 * over the same data. Without a secret it is random.
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

/** Hashes a text, so that comparing takes the same time for every text. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Random tokens that end with the process. */
export interface Loopback {
  readonly authenticator: Authenticator;
  /** Returns the value of an `authorization` header for requests of a user, by default of the server itself. */
  credentialsFor(user?: UserInfo): string;
}

export const itself: UserInfo = authenticatedUser('system:apiserver', '', ['system:masters']);

export function defineLoopback(): Loopback {
  // A lookup by hash does not reveal how much of a guess is right.
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

/** Accepts requests without credentials as the anonymous user. It must come last. */
export function defineAnonymous(): Authenticator {
  return {
    name: 'anonymous',
    // An unknown token is a mistake that the client must see, not the same as no token.
    authenticate: (credentials) =>
      bearerToken(credentials) === undefined ? { user: anonymousUser } : { refused: 'the bearer token is not known' },
  };
}

/**
 * Returns the bearer token (RFC 6750 section 2.1) of the `Authorization` header, or `undefined` if there is none. The
 * scheme ignores case, one blank follows it, and anything after the token is ignored.
 */
export function bearerToken({ headers }: Credentials): string | undefined {
  const header = headers.authorization;
  if (header === undefined) return undefined;
  const value = (typeof header === 'string' ? header : header[0])?.trim() ?? '';
  const [scheme = '', token = ''] = value.split(' ', 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}
