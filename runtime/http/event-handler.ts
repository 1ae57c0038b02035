/** Serves inside an app of h3, whatever that itself runs on. */
import type { H3Event } from 'h3';
import type { Handle } from '../verbs/api-request.js';
import { readEvent } from './web-request.js';
import { toWebResponse } from './web-response.js';

/** A handler of h3 events. */
export type ApiEventHandler = (event: H3Event) => Promise<Response>;

export const eventHandler =
  (handle: Handle): ApiEventHandler =>
  async (event) =>
    toWebResponse(await handle(readEvent(event)));
