/** Users as reviews write them. */
import type { UserInfo as ReviewUser } from '../../generated/types/authentication/v1/types.js';
import type { SubjectAccessReviewSpec } from '../../generated/types/authorization/v1/types.js';
import type { Draft, UserInfo } from '../../runtime/contract/index.js';

/** The user as `UserInfo` of the authentication group; empty fields are left out. */
export function describeUser({ name, uid, groups, extra }: UserInfo): Draft<ReviewUser> {
  const described: Draft<ReviewUser> = {};
  if (name !== '') described.username = name;
  if (uid !== '') described.uid = uid;
  if (groups.length > 0) described.groups = [...groups];
  if (Object.keys(extra).length > 0) {
    described.extra = Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
  }
  return described;
}

/** The user that the spec of an access review is about. */
export const readUser = ({
  user: name = '',
  uid = '',
  groups = [],
  extra = {},
}: Draft<SubjectAccessReviewSpec>): UserInfo => ({ name, uid, groups, extra });
