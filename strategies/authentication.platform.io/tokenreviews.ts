/** TokenReview: finds the user of a bearer token. */
import type { TokenReview } from '../../generated/authentication.platform.io/v1/tokenreviews/types.js';
import type { UserInfo as ReviewUser } from '../../generated/types/authentication/v1/types.js';
import type { SubjectAccessReviewSpec } from '../../generated/types/authorization/v1/types.js';
import type {
  Draft,
  DraftObject,
  Result,
  UserInfo,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { defineVirtualHandler } from '../../runtime/objects/define-virtual-handler.js';
import { badRequest } from '../../runtime/objects/status.js';

type Review = DraftObject<TokenReview>;

export const defineTokenReview = (): VirtualHandler =>
  defineVirtualHandler<TokenReview>({
    group: 'authentication.platform.io',
    resource: 'tokenreviews',
    check: ({ spec }) => (spec?.token ? undefined : badRequest('token is required for TokenReview in authentication')),
    create: fillIn,
  });

/** Fills in the status. Fields that the server does not set stay as they were sent. */
async function fillIn(review: Review, { authenticate }: VirtualContext): Promise<Result<Review>> {
  const { token = '', audiences = [] } = review.spec ?? {};
  const found = await authenticate(token, audiences);
  const status = { ...review.status };
  if (found && 'user' in found) {
    status.authenticated = true;
    status.user = describeUser(found.user);
    if (found.audiences && found.audiences.length > 0) status.audiences = [...found.audiences];
  } else {
    status.authenticated = undefined;
    status.error = errorText(found?.publicReason);
  }
  review.status = status;
  return { ok: true, value: review };
}

const errorText = (told: string | undefined): string =>
  told === undefined ? 'invalid bearer token' : `[invalid bearer token, ${told}]`;

/** Returns a user as `UserInfo` of the authentication group, without empty fields. */
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

/** Returns the user in the spec of an access review. */
export const readUser = ({
  user: name = '',
  uid = '',
  groups = [],
  extra = {},
}: Draft<SubjectAccessReviewSpec>): UserInfo => ({ name, uid, groups, extra });
