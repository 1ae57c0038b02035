/** Lets requests without credentials pass as the anonymous user. It comes last, since it recognizes what others did not. */
import type { Authenticator } from '../../runtime/contract/index.js';
import { bearerToken } from './bearer.js';
import { anonymousUser } from './users.js';

export function defineAnonymous(): Authenticator {
  return {
    name: 'anonymous',
    // A token that nobody knows is a mistake to be told of, not the same as no token.
    authenticate: (credentials) =>
      bearerToken(credentials) === undefined ? { user: anonymousUser } : { refused: 'the bearer token is not known' },
  };
}
