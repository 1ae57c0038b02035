/** Documents that are served at their own paths, such as the keys with which other servers verify tokens. */
import type { JsonObject } from '../contract/index.js';
import type { MaybePromise } from '../objects/turns.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { encoderFor } from '../request/representation/encoders.js';

/** A document at a path outside of `/api` and `/apis`, for users who may read the path. */
export interface PathDocument {
  readonly path: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the document. `address` is the host and port of the server, empty before it listens. */
  readonly read: (address: string) => JsonObject;
}

/** A path outside of `/api` and `/apis` with its own handler, for users who may access it. */
export interface OwnPath {
  readonly path: string;
  readonly isUnlisted?: boolean;
  readonly answer: (request: ApiRequest) => MaybePromise<ApiResponse>;
}

/** Answers with a document that has only one format. */
export const answerPathDocument = (
  { contentType, headers = {}, read }: PathDocument,
  address: string,
): ApiResponse => ({
  code: 200,
  contentType,
  headers,
  body: encoderFor('application/json', false).encode(read(address)),
});

export const plainText = (code: number, text: string): ApiResponse => ({
  code,
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff' },
  body: Buffer.from(text),
});

/** Returns the answer for an unknown path. */
export const textNotFound = (): ApiResponse => plainText(404, '404 page not found\n');
