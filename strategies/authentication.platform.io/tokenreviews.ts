/** TokenReview: the user that a bearer token belongs to. */
import type { TokenReview } from '../../generated/authentication.platform.io/v1/tokenreviews/types.js';
import type { DraftObject, Result, VirtualContext, VirtualHandler } from '../../runtime/contract/index.js';
import { defineVirtualHandler } from '../../runtime/objects/define-virtual-handler.js';
import { badRequest } from '../../runtime/objects/status.js';
import { describeUser } from './users.js';

type Review = DraftObject<TokenReview>;

export const defineTokenReview = (): VirtualHandler =>
  defineVirtualHandler<TokenReview>({
    group: 'authentication.platform.io',
    resource: 'tokenreviews',
    check: ({ spec }) => (spec?.token ? undefined : badRequest('token is required for TokenReview in authentication')),
    create: fillIn,
  });

/** Fields of the status that the server does not set stay as they were sent. */
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
    status.error = errorText(found?.told);
  }
  review.status = status;
  return { ok: true, value: review };
}

const errorText = (told: string | undefined): string =>
  told === undefined ? 'invalid bearer token' : `[invalid bearer token, ${told}]`;
