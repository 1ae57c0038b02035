/** h3 handlers for the verbs of one resource, to mount one by one in your own app. */

import type { UserInfo } from './authenticator.js';
import type { ResourceModule } from './resource.js';

/** The parts of an h3 event that are used. The declarations of h3 do not compile under all settings. */
export interface RouteEvent {
  readonly req: Request;
  readonly url: URL;
  /** `params` are the route's parameters. `user` is set once the server has authenticated the request. */
  readonly context: { readonly params?: Record<string, string>; user?: UserInfo };
}

/**
 * One handler per verb. Each answers as the server's own API does: it authenticates the user, checks the rights, runs
 * admission and audits the request. The route parameter `name` is the name of the object, and `namespace` its
 * namespace. Options of the verb, such as selectors, are in the query. A handler throws a TypeError if its verb needs a
 * name and the route has no `name`.
 */
export interface EventHandlers {
  get(event: RouteEvent): Promise<Response>;
  list(event: RouteEvent): Promise<Response>;
  /** Lists, then streams changes. */
  watch(event: RouteEvent): Promise<Response>;
  create(event: RouteEvent): Promise<Response>;
  update(event: RouteEvent): Promise<Response>;
  /** Patches by the content type of the body, including server-side apply. */
  patch(event: RouteEvent): Promise<Response>;
  /** Applies on the server, with any content type of the body; the query needs `fieldManager`. */
  apply(event: RouteEvent): Promise<Response>;
  delete(event: RouteEvent): Promise<Response>;
  deletecollection(event: RouteEvent): Promise<Response>;
}

export interface EventHandlerOptions {
  /**
   * The namespace if the route has no parameter `namespace`. Default: `default`. If empty, list and watch cover all
   * namespaces, and the other verbs use `default`. Has no effect on cluster-scoped kinds.
   */
  readonly namespace?: string;
}

/** A server that answers events of other apps. */
export interface EventServer {
  /** Returns the handlers of a resource, by platform names. They answer 404 while the server does not serve it. */
  eventHandlers(resource: ResourceModule, options?: EventHandlerOptions): EventHandlers;
}
