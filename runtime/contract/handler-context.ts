/** The part of a request, besides the objects, that handlers of a kind may read. */
import type { UserInfo } from './authenticator.js';

/** The request that writes an object. */
export interface HandlerContext {
  readonly user: UserInfo;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Time of the request, RFC 3339 seconds. */
  readonly now: string;
  readonly featureEnabled: (gate: string) => boolean;
  /** Adds a warning for the writer. */
  readonly warn: (text: string) => void;
}
