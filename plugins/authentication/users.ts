/** Users as authenticators make them. */
import type { UserInfo } from '../../runtime/contract/index.js';

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
