/** The administrator whom a server makes where nobody else was given credentials: a token that belongs to the data. */
import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { authenticatedUser } from '../../plugins/index.js';
import type { Authenticator } from '../../runtime/contract/index.js';

/** The administrator's token, and what recognizes it. */
export interface Administrator {
  /** 64 hexadecimal digits. */
  readonly token: string;
  /** Takes the token as a bearer token, or as the password of `admin` (RFC 7617). */
  readonly authenticator: Authenticator;
}

/** The name that goes with the token where a client sends a name and a password. */
export const administratorName = 'admin';

const itself = authenticatedUser('system:admin', '', ['system:masters']);

/**
 * `secret` belongs to the data, where that has one: the token stays the same from start to start, and all servers over
 * the same data know it. Without a secret it is made up.
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
        typeof authorization === 'string' && isOurs(authorization) ? { user: itself } : undefined,
    },
  };
}

/** Of one length, whatever is sent, so that comparing takes the same time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
