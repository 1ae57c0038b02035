/** Answers of the API as handlers of h3 return them, so that middleware can look at them, change them and pass them on. */
import { HTTPResponse } from 'h3';
import { type ApiResponse, isStreamed, type RequestTags } from '../request/api-request.js';
import { headersOf, webBody } from './web-response.js';

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

  /** Returns the same as a `Response`, which looks at it. */
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

// Answers to bytes that are not a readable request, in plain text. The connection is closed afterwards.

/** Makes the refusal with a text that begins with its code. */
export const refusal = (text: string, headers: Readonly<Record<string, string>> = {}): ApiResponse => ({
  code: Number(text.slice(0, 3)),
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff', connection: 'close', ...headers },
  body: Buffer.from(text),
});

/** The answer if nothing is served at a path. */
export const pageNotFound: ApiResponse = {
  code: 404,
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff' },
  body: Buffer.from('404 page not found\n'),
};

/** The answer to a request on a connection that is one too many. */
export const tooManyConnections = refusal('503 Service Unavailable: too many connections, please try again later.', {
  'retry-after': '1',
});
