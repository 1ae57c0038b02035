/** Routes that users put beside the API: those of an app of h3, which is loaded only where there are any. */
import type { H3, H3EventContext } from 'h3';
import type { UserInfo } from '../contract/index.js';
import type { ApiRequest, ApiResponse } from '../verbs/api-request.js';
import { toWebRequest } from './web-request.js';
import { fromWebResponse } from './web-response.js';

declare module 'h3' {
  interface H3EventContext {
    /** The authenticated user that a request of a Kindforge server comes from. */
    user?: UserInfo;
  }
}

/** Adds routes to the app that the server asks for paths which are not its own. */
export type DefineRoutes = (app: H3) => void;

/** The routes of a server. */
export interface Routes {
  /** Resolves when routes can be asked for; rejects where defining them failed. */
  readonly ready: Promise<unknown>;
  /** The answer to an authorized request; `undefined` where no route is for it. */
  answer(request: ApiRequest, user: UserInfo): Promise<ApiResponse | undefined>;
}

/** The options of routes. */
export interface RouteParts {
  /** Largest body of a request, bytes. */
  readonly maxBodyBytes: number;
  /** Called with an error that a route throws and that is no HTTPError. */
  readonly onDefect: (error: unknown, request: ApiRequest) => void;
}

export function defineRoutes(define: DefineRoutes, { maxBodyBytes, onDefect }: RouteParts): Routes {
  const requests = new WeakMap<H3EventContext, ApiRequest>();
  const onError = (error: { unhandled: unknown; cause: unknown }, context: H3EventContext): void => {
    const request = requests.get(context);
    if (error.unhandled && request) onDefect(error.cause ?? error, request);
  };
  const ready = import('h3').then(({ H3: App }) => {
    const app = new App({ silent: true, onError: (error, { context }) => onError(error, context) });
    define(app);
    return app;
  });
  // Each request, and `listen`, wait for it and get the error.
  ready.catch(() => {});
  return {
    ready,
    async answer(request, user) {
      const app = await ready;
      const asked = toWebRequest(request, maxBodyBytes);
      if (!asked) return undefined;
      const context: H3EventContext = { user };
      requests.set(context, request);
      const response = await app.request(asked, undefined, context);
      const isMissing = response.status === 404 && !context.matchedRoute;
      return isMissing ? undefined : fromWebResponse(response);
    },
  };
}
