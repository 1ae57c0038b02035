/** Refuses bearer tokens that no other method has recognized, so that a wrong token never passes as no token. */
import type { Authenticator } from '../../runtime/contract/index.js';
import { bearerToken } from './bearer.js';

/** An authenticator to ask last. */
export function defineUnknownTokens(): Authenticator {
  return {
    name: 'unknown-token',
    authenticate: (credentials) =>
      bearerToken(credentials) === undefined ? undefined : { refused: 'nobody knows the token' },
  };
}
