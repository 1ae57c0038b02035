/** The rights that a request asks for, told from outside of a server: of what its client sends. */
import { impersonates, impersonationRights } from '../access/impersonation.js';
import { attributesOf } from '../access/request-attributes.js';
import type { AccessAttributes, UserInfo } from '../contract/index.js';
import { readPath } from '../registry/route.js';
import type { ApiRequest } from '../request/api-request.js';

/** A request on its way to a server. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** All values of each header, by names in lower case. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
}

/** The user who makes it. */
const maker: UserInfo = { name: '', uid: '', groups: [], extra: {} };

/**
 * The rights that its maker needs. Of a request that acts as somebody else these are the rights to do that; what it asks
 * for besides needs rights of the other. `authenticationGroup` is the group of the parts of users.
 */
export function askedBy(
  { method, url, headers }: SeenRequest,
  authenticationGroup: string,
): readonly AccessAttributes[] {
  const [path = '', search = ''] = url.split(/\?(.*)/s, 2);
  const valuesOf = (name: string): readonly string[] => headers[name] ?? [];
  const readBody = (): never => {
    throw new Error('nobody reads the body of a request that is only seen');
  };
  const request: ApiRequest = { method, path, search, headers, valuesOf, readBody };
  if (impersonates(request)) return impersonationRights(request, maker, authenticationGroup);
  return [attributesOf(request, readPath(path), maker)];
}
