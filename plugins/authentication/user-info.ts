/** Describes users without Node, so that plugins may do so in any program. */
import type { UserInfo } from '../../runtime/contract/index.js';

const authenticatedGroup = 'system:authenticated';

/** Creates a recognized user. The group `system:authenticated` comes last. */
export function authenticatedUser(name: string, uid: string, groups: readonly string[]): UserInfo {
  const others = groups.filter((group) => group !== authenticatedGroup);
  return { name, uid, groups: [...others, authenticatedGroup], extra: {} };
}

export const anonymousUser: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};
