/** The user that a question about rights is about. */

/** A user with all groups that follow from who it is. */
export interface AskedUser {
  readonly name: string;
  readonly groups: readonly string[];
}

const accountPrefix = 'system:serviceaccount:';
const anonymous = 'system:anonymous';
const [authenticated, unauthenticated] = ['system:authenticated', 'system:unauthenticated'];

/** The same groups as of a request that acts as this user: named ones stand in place of those of a service account. */
export function askedUser(name: string, named: readonly string[]): AskedUser {
  const [namespace, account] = name.startsWith(accountPrefix) ? name.slice(accountPrefix.length).split(':') : [];
  const ofAccount =
    namespace && account && named.length === 0 ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] : [];
  const groups = [...named, ...ofAccount];
  const everyone = name === anonymous ? unauthenticated : authenticated;
  const isSaid = groups.includes(everyone) || groups.includes(unauthenticated);
  return { name, groups: isSaid ? groups : [...groups, everyone] };
}
