/**
 * The door of a server. Users may put it before the server. It answers requests in place of the server, or passes them
 * on.
 */
import { attributesOf } from '../access/authorization.js';
import { pathOf } from '../registry/route.js';
import type { ApiRequest, Handle } from '../request/api-request.js';

/**
 * Answers a request, or lets `next` answer it. Must not throw or reject. It does not see requests of the server itself.
 */
export type Door = (request: ApiRequest, next: Handle) => ReturnType<Handle>;

/** The object or path that a request asks for. Known before the user, and whether or not the object is served. */
export interface AskedThing {
  /**
   * As in rules of roles, such as `list` or `deletecollection`; the method in lower case for paths without a resource.
   */
  readonly verb: string;
  /** Empty for the core group, and for paths without a resource; so are the next five. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** As sent, without the query. */
  readonly path: string;
}

const nobody = { name: '', uid: '', groups: [], extra: {} };

const nothing = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };

/** Reads the object or path from the method, the path and the query. */
export function askedThing(request: ApiRequest): AskedThing {
  const asked = attributesOf(request, pathOf(request), nobody);
  if ('path' in asked) return { ...nothing, verb: asked.verb, path: request.path };
  const { user: _user, ...thing } = asked;
  return { ...nothing, ...thing, path: request.path };
}

/** Puts a door before a server, if there is one. */
export const behindDoor = (handle: Handle, door: Door | undefined): Handle =>
  door ? (request) => door(request, handle) : handle;
