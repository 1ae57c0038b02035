/** Asks a running server for its own decision about a user, and who the caller is. */
import {
  ApiError,
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  type DiscoveredResource,
} from '../../client/index.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { getOwn, isObject, isStringArray, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { AskedUser, Question } from './question.js';

export interface ServerDecision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly evaluationError: string;
}

/** Asks about a user, or about the caller. Returns `undefined` if the server does not let the caller ask. */
export async function askServer(
  client: ClientOptions,
  resources: readonly DiscoveredResource[],
  user: AskedUser | undefined,
  question: Question,
): Promise<ServerDecision | undefined> {
  const asked =
    'path' in question ? { nonResourceAttributes: { ...question } } : { resourceAttributes: { ...question } };
  const about = user ? { user: user.name, groups: [...user.groups] } : {};
  const status = await post(client, resources, `${user ? '' : 'self'}subjectaccessreviews`, {
    spec: { ...about, ...asked },
  });
  if (!status) return undefined;
  return {
    allowed: getOwn(status, 'allowed') === true,
    reason: stringAt(status, 'reason'),
    evaluationError: stringAt(status, 'evaluationError'),
  };
}

/** Returns the caller, if the server says who it is. */
export async function askWhoIAm(
  client: ClientOptions,
  resources: readonly DiscoveredResource[],
): Promise<AskedUser | undefined> {
  const status = await post(client, resources, 'selfsubjectreviews', {});
  const info = objectAt(status, 'userInfo');
  const name = stringAt(info, 'username');
  const groups = info && getOwn(info, 'groups');
  return name === '' ? undefined : { name, groups: isStringArray(groups) ? groups : [] };
}

/** Returns the status of a review, or `undefined` if the server has no such review or the caller may not make it. */
async function post(
  client: ClientOptions,
  resources: readonly DiscoveredResource[],
  plural: string,
  fields: object,
): Promise<JsonObject | undefined> {
  const resource = resources.find((one) => one.plural === plural && /^auth(entic|oriz)ation\./.test(one.group));
  if (!resource) return undefined;
  const reviews = createResourceClient<ApiObjectLike, unknown, string>(resource, client);
  try {
    const answer: unknown = await reviews.create({ metadata: {}, ...fields });
    return isObject(answer) ? objectAt(answer, 'status') : undefined;
  } catch (error) {
    if (error instanceof ApiError && [403, 404, 405].includes(error.code)) return undefined;
    throw error;
  }
}
