/** Lets the group of administrators do everything, whatever other authorizers make of it. */
import type { AccessDecision, Authorizer } from '../../runtime/contract/index.js';

/** Members of this group may do everything. */
export const administrators = 'system:masters';

const allowed: AccessDecision = { decision: 'allow' };
const nothingToSay: AccessDecision = { decision: 'no opinion' };

export function defineAdministrators(): Authorizer {
  return {
    name: 'administrators',
    decide: ({ user }) => (user.groups.includes(administrators) ? allowed : nothingToSay),
    // That they may do everything is no rule that is given or taken away.
    rules: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
  };
}
