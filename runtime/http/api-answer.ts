/** Answers of the API as handlers of h3 return them, so that middleware can look at them, change them and pass them on. */
import { HTTPResponse } from 'h3';
import type { ApiResponse, RequestTags } from '../verbs/api-request.js';
import { headersOf, webBody } from './web-response.js';

/**
 * An answer of the API. Middleware sees status, headers and body, as of any `HTTPResponse`. They are made when they are
 * asked for: an answer that nobody has looked at is written to Node's response as it is.
 */
export class ApiAnswer extends HTTPResponse {
  readonly answer: ApiResponse;
  readonly #tags: RequestTags | undefined;
  readonly #sent: ReturnType<typeof webBody>;
  #headers: Headers | undefined;

  /** `tags` are those of the request; absent if its transport writes them itself. */
  constructor(answer: ApiResponse, tags?: RequestTags) {
    const body = webBody(answer.body);
    super(body);
    this.answer = answer;
    this.#tags = tags;
    this.#sent = body;
  }

  override get status(): number {
    return this.answer.code;
  }

  override get headers(): Headers {
    this.#headers ??= headersOf(this.answer, this.#tags);
    // Another body has another length.
    if (this.body !== this.#sent) this.#headers.delete('content-length');
    return this.#headers;
  }

  /** Whether middleware has changed nothing, as it has not even seen what it could change. */
  get isUntouched(): boolean {
    return this.#headers === undefined && this.body === this.#sent;
  }

  /** Gives up a stream that nobody has begun to read. */
  release(): void {
    if (this.#sent instanceof ReadableStream && !this.#sent.locked) void this.#sent.cancel();
  }
}
