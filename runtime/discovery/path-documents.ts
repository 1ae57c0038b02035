/** Documents that are served at paths of their own, such as those by which others check the tokens of a server. */
import type { JsonObject } from '../contract/index.js';
import type { MaybePromise } from '../objects/turns.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { encoderFor } from '../request/representation/encoders.js';

/** A document at a path outside of `/api` and `/apis`, for those who may read the path. */
export interface PathDocument {
  readonly path: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The document; `address` is the host and the port that the server is reached at, empty before it listens. */
  readonly read: (address: string) => JsonObject;
}

/** A path outside of `/api` and `/apis` that answers in a way of its own, to those who may ask it. */
export interface OwnPath {
  readonly path: string;
  /** Whether the list of paths leaves it out. */
  readonly isUnlisted?: boolean;
  readonly answer: (request: ApiRequest) => MaybePromise<ApiResponse>;
}

/** The answer with a document, which has one form only. */
export const answerPathDocument = (
  { contentType, headers = {}, read }: PathDocument,
  address: string,
): ApiResponse => ({
  code: 200,
  contentType,
  headers,
  body: encoderFor('application/json', false).encode(read(address)),
});

/** A text. */
export const plainText = (code: number, text: string): ApiResponse => ({
  code,
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff' },
  body: Buffer.from(text),
});

/** The answer for a path that nothing at all is behind. */
export const textNotFound = (): ApiResponse => plainText(404, '404 page not found\n');
