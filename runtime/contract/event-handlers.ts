/** Handlers of h3 for the verbs of one resource, to mount one by one in an app of one's own. */
import type { H3Event } from 'h3';
import type { ResourceModule } from './resource.js';

/** Answers an event of h3; a watch is a response whose body goes on. */
export type EventHandler = (event: H3Event) => Promise<Response>;

/**
 * One handler per verb. Each answers as the server answers the same request of its own API: it finds the user, checks the
 * rights, runs admission and records the audit. The name of the object is the parameter `name` of the route, the
 * namespace its parameter `namespace`; options of the verb, such as selectors, are those of the query.
 */
export interface EventHandlers {
  readonly get: EventHandler;
  readonly list: EventHandler;
  /** A list that goes on as a stream of changes. */
  readonly watch: EventHandler;
  readonly create: EventHandler;
  readonly update: EventHandler;
  /** Patches as the content type of the body says; server-side apply is one of these. */
  readonly patch: EventHandler;
  /** Server-side apply, whatever content type the body has; the query needs `fieldManager`. */
  readonly apply: EventHandler;
  readonly delete: EventHandler;
  readonly deletecollection: EventHandler;
}

/** How event handlers find their object. */
export interface EventHandlerOptions {
  /**
   * The namespace where the route has no parameter `namespace`; `default` by default. Empty lists and watches all
   * namespaces, and is `default` for the other verbs. Without effect on cluster-scoped kinds.
   */
  readonly namespace?: string;
}

/** A server that answers events of apps that are not its own. */
export interface EventServer {
  /** Returns the handlers of a resource, under platform names. It is served as long as the server serves it. */
  eventHandlers(resource: ResourceModule, options?: EventHandlerOptions): EventHandlers;
}
