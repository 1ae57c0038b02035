/** The h3 app for all requests of clients, from the network and in process. */
import { type EventHandler, H3, type H3Event, type Middleware, type MiddlewareOptions } from 'h3';
import type { Can, UserInfo } from '../contract/index.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import { type ApiRequest, type ApiResponse, type Handle, withHeaders } from '../request/api-request.js';
import { EventContext, eventOf, readEvent } from './event-request.js';
import type { NodeRequest, NodeResponse } from './node-messages.js';
import { ApiAnswer, Passage, settled } from './passage.js';
import { pageNotFound, refuseUnreadable } from './refusals.js';
import { staticPages } from './static-pages.js';
import { fromWebResponse, withAdded } from './web-response.js';

declare module 'h3' {
  interface H3EventContext {
    /** The user of a request to a Kindforge server: authenticated, or impersonated. */
    user?: UserInfo;
    /** Returns whether the authorizer gives the user a right, such as `{ verb: 'get', group: 'shop.example.com', resource: 'widgets' }`. */
    can?: Can;
    [key: symbol]: unknown;
  }
}

/** Adds middleware and routes to the app of a server. */
export type ExtendApp = (app: H3) => void;

/** Answers a request of Node. `res` is absent if the connection may be upgraded. Never throws or rejects. */
export type Respond = (request: ApiRequest, req: NodeRequest, res?: NodeResponse) => MaybePromise<ApiResponse>;

export interface AppParts {
  /** Answers requests from a network. Passes them to their `passing` once it knows their users. */
  readonly handle: Handle;
  /** Answers requests of clients in the same process. */
  readonly handleInProcess: Handle;
  /** The largest body that middleware and routes can read, in bytes. */
  readonly maxBodyBytes: number;
  /** Returns whether to hide a header from middleware and routes; takes its lower-case name. */
  readonly isHiddenHeader: ((name: string) => boolean) | undefined;
  /** Middleware that runs before the user is known. */
  readonly open?: readonly Middleware[] | undefined;
  /** A folder of pages that everybody may read; absent if there are none. */
  readonly pages?: string | undefined;
  /** Receives errors that middleware or a route throws, except an `HTTPError`. */
  readonly onDefect: (error: unknown, request: ApiRequest) => void;
}

/** An app, and the functions with which transports pass it requests. */
export interface ServerApp {
  readonly app: H3;
  readonly respond: Respond;
  /** Answers requests of clients in the same process. */
  readonly enter: Handle;
  /**
   * Makes a handler that answers events like other requests of the API, with authentication, authorization, admission
   * and audit. Use it as a route of the app, behind the app's middleware, or of any other app.
   */
  handlerFor(change: Change): ApiEventHandler;
}

/** Returns the request of the API for an event, or `undefined` for a 404. */
export type Change = (event: H3Event, request: ApiRequest) => ApiRequest | undefined;

/** A handler of h3 events. */
export type ApiEventHandler = (event: H3Event) => Promise<Response>;

/**
 * Defines the app of the API. Its own middleware is always the first and the last: the first identifies the user; the
 * last authorizes, and answers requests of the API. So the app only calls routes for authorized requests, even if
 * another app mounts it.
 */
export function defineApp({
  handle,
  handleInProcess,
  maxBodyBytes,
  isHiddenHeader,
  open = [],
  pages,
  onDefect,
}: AppParts): ServerApp {
  /** The key of passages. Each app has its own, even if another app mounts it. */
  const key = Symbol('passage');
  const passageOf = (event: H3Event): Passage | undefined => {
    const passage = event.context[key];
    return passage instanceof Passage ? passage : undefined;
  };
  const app = new EndingApp({
    silent: true,
    allowMalformedURL: true,
    onError(error, event) {
      const request = passageOf(event)?.request;
      if (error.unhandled && request) onDefect(error.cause ?? error, request);
    },
  });
  const pass = (request: ApiRequest, by: Handle): Passage => new Passage(app, request, by, isHiddenHeader);
  const changes = new WeakMap<EventHandler, Change>();
  /** Begins to answer an event, or the request that `change` makes of it. `next` calls the next middleware, if any. */
  const begin = (event: H3Event, change: Change | undefined, next?: () => unknown): MaybePromise<ApiAnswer> => {
    const known = passageOf(event);
    // An event without a passage comes from an app that mounts this one, or from `fetch`.
    const refused = !known && event.runtime?.node && refuseUnreadable(event.runtime.node.req);
    if (refused) return new ApiAnswer(refused);
    const own = known ?? pass(readEvent(event), handle);
    event.context[key] = own;
    if (!change) return own.enter(event, next);
    const request = change(event, own.request);
    if (!request) return new ApiAnswer(pageNotFound);
    const other = pass(request, own.handle);
    event.context[key] = other;
    return other.enter(event, next);
  };
  const first: Middleware = (event, next) => {
    const route = event.context.matchedRoute;
    return begin(event, route && changes.get(route.handler), next);
  };
  const last: Middleware = (event, next) => {
    const passage = passageOf(event);
    if (!passage) throw new Error('middleware has replaced the context of an event');
    return passage.finish(next);
  };
  for (const middleware of open) app.use(middleware);
  if (pages !== undefined) app.use(staticPages(pages));
  app.use(first).endWith(last);
  const ownMiddleware = app['~middleware'].length;
  const answer = (event: H3Event): MaybePromise<ApiResponse> => {
    const { onRequest, onResponse } = app.config;
    if (onRequest || onResponse) return thenSync(app.fetch(event.req), fromWebResponse);
    const known = settled(app, event, () => app.handler(event));
    if (app['~middleware'].length === ownMiddleware) return known;
    return thenSync(known, (one) => withAdded(one, event.res.headers));
  };
  const arrive = (request: ApiRequest, by: Handle): EventContext => {
    const context = new EventContext();
    context[key] = pass(request, by);
    return context;
  };
  return {
    app,
    handlerFor(change) {
      const handler: ApiEventHandler = async (event) => (await begin(event, change)).toResponse();
      changes.set(handler, change);
      return handler;
    },
    respond: (request, req, res) => answer(eventOf(app, arrive(request, handle), request, maxBodyBytes, req, res)),
    enter(given) {
      const request = withHeaders(given, given.headers);
      return answer(eventOf(app, arrive(request, handleInProcess), request, maxBodyBytes));
    },
  };
}

/** An app that keeps its last middleware last, even if users add more. */
class EndingApp extends H3 {
  #end: Middleware | undefined = undefined;

  /** Adds the last middleware. */
  endWith(end: Middleware): void {
    super.use(end);
    this.#end = this['~middleware'].at(-1);
  }

  override use(...added: UseParameters): this {
    return this.#addBeforeEnd(() => Reflect.apply(super.use, this, added));
  }

  override mount(...added: Parameters<H3['mount']>): this {
    return this.#addBeforeEnd(() => super.mount(...added));
  }

  /** Adds middleware before the last one. `mount` may call `use`; then only the outer call moves the last one. */
  #addBeforeEnd(add: () => void): this {
    const middleware = this['~middleware'];
    const end = middleware.at(-1) === this.#end ? middleware.pop() : undefined;
    try {
      add();
    } finally {
      if (end) middleware.push(end);
    }
    return this;
  }
}

type UseParameters = [...route: [] | [string], handler: Middleware | H3, options?: MiddlewareOptions];
