/** Recognizes the administrator of a server by a token that belongs to the data. */
import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Authenticator, UserInfo } from '../../runtime/contract/index.js';
import { authenticatedUser } from './users.js';

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
