/** Serves inside an app of h3, whatever that itself runs on. */
import type { H3Event } from 'h3';
import type { ApiRequest, ApiResponse, Handle } from '../verbs/api-request.js';
import { refuseUnreadable } from './unreadable.js';
import { readEvent } from './web-request.js';
import { toWebResponse } from './web-response.js';

/** A handler of h3 events. */
export type ApiEventHandler = (event: H3Event) => Promise<Response>;

/** Answers an event, as another request than the one that it brings if `change` says so. */
export type AnswerEvent = (event: H3Event, change?: (request: ApiRequest) => ApiRequest) => Promise<Response>;

/** Answers events, and leaves the user that they come from in their context. */
export const answerEvents =
  (handle: Handle): AnswerEvent =>
  async (event, change = (request) => request) => {
    const refused = refusalOf(event);
    if (refused) return toWebResponse(refused);
    const request = change(readEvent(event));
    const answer = await handle(request);
    if (request.tags?.user) event.context.user = request.tags.user;
    return toWebResponse(answer, request.tags);
  };

/** Returns a handler of h3 events for the whole API. */
export const eventHandler =
  (answer: AnswerEvent): ApiEventHandler =>
  (event) =>
    answer(event);

/** Where the app runs on Node, its requests are those of Node. */
function refusalOf({ runtime }: H3Event): ApiResponse | undefined {
  const req = runtime?.node?.req;
  return req && refuseUnreadable(req);
}
