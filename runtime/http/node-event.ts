/** Makes the events of h3 of requests that come to servers of our own: of Node's, and of those in the same process. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { type H3, H3Event, type H3EventContext } from 'h3';
import { FastURL, NodeRequest as FetchRequest } from 'srvx/node';
import type { UserInfo } from '../contract/index.js';
import type { ApiRequest } from '../verbs/api-request.js';
import { isNodeResponse, type NodeRequest, type NodeResponse } from './node-messages.js';
import { bodyOf, hostOf } from './web-request.js';

/** What is known of a request. Of a class, as one is made for each request. */
export class EventContext implements H3EventContext {
  [key: string]: unknown;
  [key: symbol]: unknown;
  user: UserInfo | undefined = undefined;
}

/** The event of a request of Node. It costs about a microsecond: headers, body and most of the URL are made when asked for. */
export function eventOf(
  app: H3,
  context: EventContext,
  request: ApiRequest,
  { req, res, maxBodyBytes }: { readonly req: NodeRequest; readonly res: NodeResponse | undefined; readonly maxBodyBytes: number },
): H3Event {
  const asked = new EventRequest(request, maxBodyBytes, req, res && isNodeResponse(res) ? res : undefined);
  const { path, search } = request;
  asked._url = new FastURL({
    protocol: 'encrypted' in req.socket ? 'https:' : 'http:',
    host: hostOf(request),
    pathname: path.startsWith('/') ? path : `/${path}`,
    search: search === '' ? '' : `?${search}`,
  });
  return new H3Event(asked, context, app);
}

/**
 * A request of the Fetch standard over one of Node. Its body is the one that the API reads, with the same bounds of size
 * and pace, so that middleware may read it first.
 */
class EventRequest extends FetchRequest {
  readonly #request: ApiRequest;
  readonly #maxBodyBytes: number;
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined;

  constructor(
    request: ApiRequest,
    maxBodyBytes: number,
    req: IncomingMessage | Http2ServerRequest,
    res: ServerResponse | Http2ServerResponse | undefined,
  ) {
    super(res ? { req, res } : { req });
    this.#request = request;
    this.#maxBodyBytes = maxBodyBytes;
  }

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.#body === undefined) this.#body = bodyOf(this.#request, this.#maxBodyBytes);
    return this.#body;
  }

  override async text(): Promise<string> {
    return new TextDecoder().decode(await this.arrayBuffer());
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}
