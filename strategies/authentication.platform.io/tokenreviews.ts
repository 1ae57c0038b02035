/** TokenReview: whose a bearer token is. */
import type { ApiObject, JsonObject, Result, VirtualContext, VirtualHandler } from '../../runtime/contract/index.js';
import { getOwn, isStringArray, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { badRequest } from '../../runtime/objects/status.js';
import { describeUser } from './users.js';

export function defineTokenReview(): VirtualHandler {
  return {
    group: 'authentication.platform.io',
    resource: 'tokenreviews',
    check: (review) =>
      tokenOf(review) === '' ? badRequest('token is required for TokenReview in authentication') : undefined,
    create: fillIn,
  };
}

const tokenOf = (review: ApiObject): string => stringAt(objectAt(review, 'spec'), 'token');

/** What the server has no word for stays in the status as it was sent. */
async function fillIn(review: ApiObject, { authenticate }: VirtualContext): Promise<Result<ApiObject>> {
  const found = await authenticate(tokenOf(review), audiencesOf(review));
  const status: JsonObject = { ...objectAt(review, 'status') };
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

function audiencesOf(review: ApiObject): readonly string[] {
  const audiences = getOwn(objectAt(review, 'spec') ?? {}, 'audiences');
  return isStringArray(audiences) ? audiences : [];
}

const errorText = (told: string | undefined): string =>
  told === undefined ? 'invalid bearer token' : `[invalid bearer token, ${told}]`;
