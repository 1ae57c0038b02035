/** Takes one request through an app: past the middleware of users to the API, or to a route of theirs. */
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

/** Calls what h3 has next. */
type Next = () => unknown;

/** One request in an app. The server's steps and the middleware of the app call each other by turns. */
export class Passage implements Passing {
  readonly request: ApiRequest;
  readonly #app: H3;
  /** Has the request answered; it calls back for the middleware of users. */
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

  /** Begins. `next` is the middleware of users; the API answers at once if there is none. */
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

  /** Goes on when all middleware of users has handed the request on. `next` is a route. */
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
 * Returns the answer of middleware, which may read the API's. If it does not, the resources of the API's answer are
 * freed in the end.
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

/** Calls handlers of h3, and makes an answer of what they return or throw. */
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

/** Removes headers that only authenticators may see, because a client can send them too. */
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

// Answers of the API as handlers of h3 return them, so that middleware can look at them, change them and pass them on.

/** Codes of responses that have no body. */
const withoutBody = new Set([204, 205, 304]);

/**
 * An answer of the API, which is an `HTTPResponse` of h3. Its headers and its body are made when somebody asks for them: an
 * answer that nobody has looked at is written to Node's response as it is. It does not call the constructor of
 * `HTTPResponse`, which wants the body at once: a stream would cost more than the rest of a get.
 */
export class ApiAnswer implements HTTPResponseParts {
  readonly answer: ApiResponse;
  readonly #tags: RequestTags | undefined;
  #headers: Headers | undefined = undefined;
  #body: BodyInit | null | undefined = undefined;
  #hasOtherBody = false;

  /** `tags` belong to the request; absent if its transport writes them itself. */
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
    // Another body has another length.
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

  /** Returns the same as a `Response`, which makes the headers and the body. */
  toResponse(): Response {
    const { status, headers } = this;
    return new Response(withoutBody.has(status) ? null : this.body, { status, headers });
  }

  /** True if middleware has changed nothing, as it has not even seen anything that it could change. */
  get isUntouched(): boolean {
    return this.#headers === undefined && this.#body === undefined;
  }

  /** Gives up the API's body if it is a stream that nobody has begun to read, and nobody will. */
  release(): void {
    if (!isStreamed(this.answer.body) || this.#hasOtherBody) return;
    const { body } = this;
    if (body instanceof ReadableStream && !body.locked) body.cancel().catch(() => {});
  }
}
Object.setPrototypeOf(ApiAnswer.prototype, HTTPResponse.prototype);

type HTTPResponseParts = Pick<HTTPResponse, 'status' | 'statusText' | 'headers' | 'body'>;
