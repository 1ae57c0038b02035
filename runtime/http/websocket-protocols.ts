/** The subprotocols that WebSocket clients offer. One may be a bearer token, since browsers send no header for it. */
import type { Result } from '../contract/index.js';
import { listMembers } from '../objects/scan/media-types.js';
import { withoutTrailing } from '../objects/scan/numbers.js';
import { badRequest } from '../objects/status.js';

/** The subprotocol that the server agrees to: the first that is no token. Messages are text whatever it is. */
export const chooseProtocol = (offered: readonly string[], tokenPrefix: string): string | undefined =>
  offered.find((one) => !one.startsWith(tokenPrefix));

/**
 * The token in a `Sec-WebSocket-Protocol` header, `undefined` where there is none. `tokenPrefix` begins the protocol
 * whose rest is the token in base64url (RFC 4648, section 5). Another one has to be offered with it: browsers give up
 * where the server agrees to nothing, and a token is never sent back.
 */
export function readToken(header: string | undefined, tokenPrefix: string): Result<string | undefined> {
  const offered = listMembers(header ?? '');
  const [sealed, ...more] = offered.filter((one) => one.startsWith(tokenPrefix));
  if (sealed === undefined) return { ok: true, value: undefined };
  if (more.length > 0) return refuse('more than one of the offered protocols is a token');
  if (!chooseProtocol(offered, tokenPrefix)) return refuse('another protocol has to be offered beside the token');
  const text = sealed.slice(tokenPrefix.length);
  const token = Buffer.from(text, 'base64url').toString();
  // The decoder passes over characters outside base64url; an Authorization header holds visible ASCII.
  const exact = Buffer.from(token).toString('base64url') === withoutTrailing(text, '=');
  return exact && /^[\x21-\x7e]+$/.test(token)
    ? { ok: true, value: token }
    : refuse('the token is no base64url of text');
}

const refuse = (why: string): Result<never> => ({ ok: false, failure: badRequest(`Sec-WebSocket-Protocol: ${why}`) });
