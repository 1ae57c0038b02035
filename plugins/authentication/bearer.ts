/** Reads bearer tokens (RFC 6750 section 2.1) from the headers of requests. */
import type { Credentials } from '../../runtime/contract/index.js';

/**
 * The token of an `Authorization` header; `undefined` where there is none. The scheme may be written in any case, one
 * blank follows it, and what comes after the token is not looked at.
 */
export function bearerToken({ headers }: Credentials): string | undefined {
  const header = headers.authorization;
  if (header === undefined) return undefined;
  const value = (typeof header === 'string' ? header : header[0])?.trim() ?? '';
  const [scheme = '', token = ''] = value.split(' ', 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}
