/** Handlers of h3 for the verbs of one resource, to mount one by one in an app of one's own. */

import type { UserInfo } from './authenticator.js';
import type { ResourceModule } from './resource.js';

/** The parts of an event of h3 that are used; the declarations of h3 itself do not compile under all settings. */
export interface RouteEvent {
  readonly req: Request;
  readonly url: URL;
  /** `params` are those of the route. `user` is set once the server has found out who asks. */
  readonly context: { readonly params?: Record<string, string>; user?: UserInfo };
}

/**
 * One handler per verb. Each answers as the server answers the same request of its own API: it finds the user, checks the
 * rights, runs admission and records the audit. The name of the object is the parameter `name` of the route, the
 * namespace its parameter `namespace`; options of the verb, such as selectors, are those of the query. Throws a TypeError
 * if the verb is about one object and the route has no `name`.
 */
export interface EventHandlers {
  get(event: RouteEvent): Promise<Response>;
  list(event: RouteEvent): Promise<Response>;
  /** Lists, and goes on as a stream of changes. */
  watch(event: RouteEvent): Promise<Response>;
  create(event: RouteEvent): Promise<Response>;
  update(event: RouteEvent): Promise<Response>;
  /** Patches as the content type of the body says; server-side apply is one of these. */
  patch(event: RouteEvent): Promise<Response>;
  /** Applies on the server, whatever content type the body has; the query needs `fieldManager`. */
  apply(event: RouteEvent): Promise<Response>;
  delete(event: RouteEvent): Promise<Response>;
  deletecollection(event: RouteEvent): Promise<Response>;
}

/** How event handlers find their object. */
export interface EventHandlerOptions {
  /**
   * The namespace if the route has no parameter `namespace`; `default` by default. Empty lists and watches all
   * namespaces, and is `default` for the other verbs. Without effect on cluster-scoped kinds.
   */
  readonly namespace?: string;
}

/** A server that answers events of apps that are not its own. */
export interface EventServer {
  /** Returns the handlers of a resource, under platform names. They answer 404 while the server does not serve it. */
  eventHandlers(resource: ResourceModule, options?: EventHandlerOptions): EventHandlers;
}
