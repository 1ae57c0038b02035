/** Makes the events of requests to servers of our own. Their Fetch requests cost nothing before somebody looks at them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { type H3, H3Event, type H3EventContext } from 'h3';
import { FastURL } from 'srvx/node';
import type { UserInfo } from '../contract/index.js';
import type { ApiRequest } from '../request/api-request.js';
import { isNodeResponse, type NodeRequest, type NodeResponse } from './node-messages.js';
import { hostOf, toWebRequest } from './web-request.js';

/** The facts about a request. It is a class, as one is made for each request. */
export class EventContext implements H3EventContext {
  [key: string]: unknown;
  [key: symbol]: unknown;
  user?: UserInfo;
}

/**
 * Makes the event of a request, with the request of Node unless its client is in the same process. `srvx` has requests
 * for this, too, but makes a literal for each: V8 keeps those until a full collection, with the whole request, and a
 * get takes a third more time.
 */
export function eventOf(
  app: H3,
  context: EventContext,
  request: ApiRequest,
  maxBodyBytes: number,
  req?: NodeRequest,
  res?: NodeResponse,
): H3Event {
  return new H3Event(new EventRequest(request, maxBodyBytes, req, res), context, app);
}

/** Has the members of a `Request`. Each member asks the request behind it. */
const LazyRequest = delegating();

function delegating(): new () => Request & { made(): Request } {
  class Delegating {
    made(): Request {
      throw new Error('no request is behind this one');
    }
  }
  const { constructor: _constructor, ...members } = Object.getOwnPropertyDescriptors(Request.prototype);
  for (const name of Object.keys(members)) {
    Object.defineProperty(Delegating.prototype, name, {
      get(this: Delegating): unknown {
        const made = this.made();
        const value: unknown = Reflect.get(made, name);
        return typeof value === 'function' ? value.bind(made) : value;
      },
    });
  }
  Object.setPrototypeOf(Delegating.prototype, Request.prototype);
  return Object.setPrototypeOf(Delegating, Request);
}

/**
 * A request as middleware and routes see it. Its body is the one that the API reads, with the same bounds of size and pace,
 * so that middleware may read it first.
 */
class EventRequest extends LazyRequest {
  context: H3EventContext | undefined = undefined;
  readonly _url: URL;
  readonly #request: ApiRequest;
  readonly #maxBodyBytes: number;
  readonly #req: NodeRequest | undefined;
  readonly #res: NodeResponse | undefined;
  #runtime: Runtime | undefined = undefined;
  #made: Request | undefined = undefined;

  constructor(request: ApiRequest, maxBodyBytes: number, req: NodeRequest | undefined, res: NodeResponse | undefined) {
    super();
    this._url = new FastURL(new UrlParts(request, req));
    this.#request = request;
    this.#maxBodyBytes = maxBodyBytes;
    this.#req = req;
    this.#res = res;
  }

  override get method(): string {
    return this.#request.method;
  }

  override get url(): string {
    return this._url.href;
  }

  get ip(): string | undefined {
    return this.#request.remoteAddress?.();
  }

  get runtime(): Runtime | undefined {
    if (this.#req) this.#runtime ??= runtimeOf(this.#req, this.#res);
    return this.#runtime;
  }

  /** Makes the request behind it; its signal aborts when the client goes before it has the whole answer. */
  override made(): Request {
    this.#made ??= toWebRequest(this.#request, this.#maxBodyBytes, this._url.href, signalOf(this.#res ?? this.#req));
    return this.#made;
  }

  /** Returns the same for h3 and `srvx`, which look for it by this name if they need a request of Node's own. */
  get _request(): Request {
    return this.made();
  }
}

/** The parts of the URL that a request asks for. */
class UrlParts {
  readonly protocol: string;
  readonly host: string;
  readonly pathname: string;
  readonly search: string;

  constructor(request: ApiRequest, req: NodeRequest | undefined) {
    const { path, search } = request;
    this.protocol = req && 'encrypted' in req.socket ? 'https:' : 'http:';
    this.host = hostOf(request);
    this.pathname = path.startsWith('/') ? path : `/${path}`;
    this.search = search === '' ? '' : `?${search}`;
  }
}

/** The messages of Node, for middleware that is written for Node. */
interface Runtime {
  readonly name: 'node';
  readonly node: {
    readonly req: IncomingMessage | Http2ServerRequest;
    readonly res?: ServerResponse | Http2ServerResponse;
  };
}

const runtimeOf = (req: NodeRequest, res: NodeResponse | undefined): Runtime => ({
  name: 'node',
  node: res && isNodeResponse(res) ? { req, res } : { req },
});

function signalOf(message: NodeRequest | NodeResponse | undefined): AbortSignal {
  const leaving = new AbortController();
  message?.once('close', () => {
    if (!('writableEnded' in message) || message.writableEnded !== true) leaving.abort();
  });
  return leaving.signal;
}
