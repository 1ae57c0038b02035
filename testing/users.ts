/** The users of a test server. Their tokens are valid only there. */
import { randomBytes } from 'node:crypto';
import type { Authenticator, UserInfo } from '../runtime/contract/index.js';

export interface TestUsers {
  readonly authenticator: Authenticator;
  /** Returns the token of a user, always the same one. */
  tokenOf(user: UserInfo): string;
}

/** The group of every authenticated user. */
const recognized = 'system:authenticated';

export const userOf = (name: string, groups: readonly string[] = [], extra: UserInfo['extra'] = {}): UserInfo => ({
  name,
  uid: '',
  groups: [...groups.filter((group) => group !== recognized), recognized],
  extra,
});

export function defineTestUsers(): TestUsers {
  const users = new Map<string, UserInfo>();
  const tokens = new Map<string, string>();
  return {
    authenticator: {
      name: 'test-users',
      authenticate({ headers: { authorization } }) {
        const user = typeof authorization === 'string' ? users.get(tokenIn(authorization)) : undefined;
        return user && { user };
      },
    },
    tokenOf(user) {
      const id = JSON.stringify(user);
      const token = tokens.get(id) ?? randomBytes(32).toString('hex');
      tokens.set(id, token);
      users.set(token, user);
      return token;
    },
  };
}

/**
 * Returns the token of a request. A client sends it as such, or, as kubectl does over plain HTTP, as a password (RFC
 * 7617).
 */
function tokenIn(header: string): string {
  const [scheme = '', credentials = ''] = header.split(' ', 2);
  if (scheme.toLowerCase() !== 'basic') return credentials;
  const text = Buffer.from(credentials, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}
