/** Serves inside an app of h3, whatever that itself runs on. */
import type { H3Event } from 'h3';
import type { ApiResponse, Handle } from '../verbs/api-request.js';
import { refuseUnreadable } from './unreadable.js';
import { readEvent } from './web-request.js';
import { toWebResponse } from './web-response.js';

/** A handler of h3 events. */
export type ApiEventHandler = (event: H3Event) => Promise<Response>;

export const eventHandler =
  (handle: Handle): ApiEventHandler =>
  async (event) => {
    const refused = refusalOf(event);
    if (refused) return toWebResponse(refused);
    const request = readEvent(event);
    return toWebResponse(await handle(request), request.tags);
  };

/** Where the app runs on Node, its requests are those of Node. */
function refusalOf({ runtime }: H3Event): ApiResponse | undefined {
  const req = runtime?.node?.req;
  return req && refuseUnreadable(req);
}
