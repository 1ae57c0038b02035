/** Takes one request through an app: through users' middleware to the API, or to a route of users. */
import { type H3, type H3Event, HTTPResponse, toResponse } from 'h3';
import type { Allows, UserInfo } from '../contract/index.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import {
  type ApiRequest,
  type ApiResponse,
  type Handle,
  isStreamed,
  type Passing,
  type RequestTags,
  type StreamStart,
} from '../request/api-request.js';
import { isRoutable } from './event-request.js';
import { pageNotFound } from './refusals.js';
import { fromWebResponse, headersOf, webBody } from './web-response.js';

/** Calls the next handler of h3. */
type Next = () => unknown;

/** One request in an app. The server's steps and the app's middleware call each other in turn. */
export class Passage implements Passing {
  readonly request: ApiRequest;
  readonly #app: H3;
  /** Answers the request. It calls back for users' middleware. */
  readonly handle: Handle;
  readonly #isHiddenHeader: ((name: string) => boolean) | undefined;
  #event: H3Event | undefined = undefined;
  #next: Next | undefined = undefined;
  #rest: () => MaybePromise<ApiResponse> = unset;
  /** The answer of the API, if it is a stream. */
  #stream: ApiAnswer | undefined = undefined;

  constructor(app: H3, request: ApiRequest, handle: Handle, isHiddenHeader: ((name: string) => boolean) | undefined) {
    this.#app = app;
    this.request = request;
    this.handle = handle;
    this.#isHiddenHeader = isHiddenHeader;
  }

  /** Begins. `next` calls users' middleware; without middleware, the API answers at once. */
  enter(event: H3Event, next: Next | undefined): MaybePromise<ApiAnswer> {
    this.#event = event;
    this.#next = next;
    this.request.passing = this;
    return thenSync(this.handle(this.request), (answer) => new ApiAnswer(answer, this.request.tags));
  }

  admitted(user: UserInfo, rest: () => MaybePromise<ApiResponse>, allows: Allows): MaybePromise<ApiResponse> {
    if (!this.#event) return rest();
    this.#event.context.user = user;
    this.#event.context.can = async (right) =>
      allows('path' in right ? { ...right, user } : { group: '', ...right, user });
    if (this.#isHiddenHeader) hideHeaders(this.#event, this.#isHiddenHeader);
    if (!this.#next) return rest();
    this.#rest = rest;
    return thenSync(settled(this.#app, this.#event, this.#next), (answer) =>
      this.#stream && answer !== this.#stream.answer ? inPlaceOf(this.#stream, answer) : answer,
    );
  }

  /** Continues when all of users' middleware has passed the request on. `next` calls a route. */
  finish(next: Next): MaybePromise<ApiAnswer> {
    this.#next = next;
    return thenSync(this.#rest(), (known) => {
      const answer = new ApiAnswer(known);
      if (isStreamed(known.body)) this.#stream = answer;
      return answer;
    });
  }

  routed(): MaybePromise<ApiResponse> {
    if (!this.#event || !this.#next || !isRoutable(this.request, this.#event.url.pathname)) return pageNotFound;
    return settled(this.#app, this.#event, this.#next);
  }
}

/**
 * Returns the answer of middleware, which may read the API's answer. If it does not, frees the resources of the API's
 * answer in the end.
 */
function inPlaceOf(stream: ApiAnswer, answer: ApiResponse): ApiResponse {
  const { body } = answer;
  if (!isStreamed(body)) {
    stream.release();
    return answer;
  }
  const start: StreamStart = (sink) => {
    const stop = body.stream(sink);
    return () => {
      stop();
      stream.release();
    };
  };
  return { ...answer, body: { ...body, stream: start } };
}

function unset(): never {
  throw new Error('a request must not be answered before its user is known');
}

/** The value that h3 returns without a handler. */
const notFound = Symbol.for('h3.notFound');

/** Calls handlers of h3, and makes an answer from their result or error. */
export function settled(app: H3, event: H3Event, call: Next): MaybePromise<ApiResponse> {
  const answer = (value: unknown): MaybePromise<ApiResponse> => {
    if (value instanceof ApiAnswer && value.isUntouched) return value.answer;
    if (value === notFound) return pageNotFound;
    return thenSync(toResponse(value, event, app.config), fromWebResponse);
  };
  const fail = (error: unknown): MaybePromise<ApiResponse> => answer(Promise.reject(error));
  try {
    const value = call();
    return isThenable(value) ? Promise.resolve(value).then(answer, fail) : answer(value);
  } catch (error) {
    return fail(error);
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** Removes headers that only authenticators may see. */
function hideHeaders({ req, runtime }: H3Event, isHidden: (name: string) => boolean): void {
  for (const name of [...req.headers.keys()]) if (isHidden(name)) req.headers.delete(name);
  const node = runtime?.node?.req;
  if (!node) return;
  for (const name of Object.keys(node.headers)) if (isHidden(name)) delete node.headers[name];
  const kept: string[] = [];
  for (let i = 0; i + 1 < node.rawHeaders.length; i += 2) {
    const [name = '', value = ''] = node.rawHeaders.slice(i, i + 2);
    if (!isHidden(name.toLowerCase())) kept.push(name, value);
  }
  node.rawHeaders.splice(0, node.rawHeaders.length, ...kept);
}

// The API's answers as handlers of h3 return them, so that middleware can read, change and pass them on.

/** The codes of responses without a body. */
const withoutBody = new Set([204, 205, 304]);

/**
 * An answer of the API, as an `HTTPResponse` of h3. It makes its headers and body on demand: if no middleware reads the
 * answer, it goes to Node's response unchanged. It does not call the constructor of `HTTPResponse`, which needs the
 * body at once: the stream would cost more than the rest of a get.
 */
export class ApiAnswer implements HTTPResponseParts {
  readonly answer: ApiResponse;
  readonly #tags: RequestTags | undefined;
  #headers: Headers | undefined = undefined;
  #body: BodyInit | null | undefined = undefined;
  #hasOtherBody = false;

  /** `tags` are the request's; absent if its transport writes them itself. */
  constructor(answer: ApiResponse, tags?: RequestTags) {
    this.answer = answer;
    this.#tags = tags;
  }

  get status(): number {
    return this.answer.code;
  }

  get statusText(): undefined {
    return undefined;
  }

  get headers(): Headers {
    this.#headers ??= headersOf(this.answer, this.#tags);
    // The other body has another length.
    if (this.#hasOtherBody) this.#headers.delete('content-length');
    return this.#headers;
  }

  get body(): BodyInit | null {
    if (this.#body === undefined) this.#body = webBody(this.answer.body);
    return this.#body;
  }

  set body(body: BodyInit | null) {
    this.release();
    this.#body = body;
    this.#hasOtherBody = true;
  }

  /** Returns the answer as a `Response`, and so makes the headers and the body. */
  toResponse(): Response {
    const { status, headers } = this;
    return new Response(withoutBody.has(status) ? null : this.body, { status, headers });
  }

  /** Whether middleware has changed nothing, because it has not read any part that it could change. */
  get isUntouched(): boolean {
    return this.#headers === undefined && this.#body === undefined;
  }

  /** Abandons the API's body if it is a stream that nobody has begun to read. */
  release(): void {
    if (!isStreamed(this.answer.body) || this.#hasOtherBody) return;
    const { body } = this;
    if (body instanceof ReadableStream && !body.locked) body.cancel().catch(() => {});
  }
}
Object.setPrototypeOf(ApiAnswer.prototype, HTTPResponse.prototype);

type HTTPResponseParts = Pick<HTTPResponse, 'status' | 'statusText' | 'headers' | 'body'>;
