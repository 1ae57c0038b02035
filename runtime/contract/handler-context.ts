/** The part of a request that handlers of a kind may see besides the objects. */
import type { UserInfo } from './authenticator.js';

/** The request that an object is written by. */
export interface HandlerContext {
  readonly user: UserInfo;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Time of the request, RFC 3339 seconds. */
  readonly now: string;
  readonly featureEnabled: (gate: string) => boolean;
}
