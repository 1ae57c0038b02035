/** Sends documents in the format that the client accepts: discovery, and the statuses of failures. */

import { createHash } from 'node:crypto';
import {
  createNegotiator,
  type Negotiated,
  prettyRequested,
  routeAccepts,
  type Transform,
} from '../codec/negotiation.js';
import type { JsonObject, Result } from '../contract/index.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import { queryOf } from '../request/query.js';
import { encoderFor } from '../request/representation/encoders.js';
import { answerFailure } from '../request/responses.js';

/** How a document negotiates its format first: the routes of versions look at Accept twice. */
export type DocumentRoute = 'announced' | 'plain';

export interface Documents {
  /** Answers with a discovery document. */
  discovery(request: ApiRequest, document: JsonObject, route: DocumentRoute): ApiResponse;
  /** Answers with the aggregated form of a discovery document; `undefined` if the client does not ask for it. */
  aggregated(request: ApiRequest, document: () => JsonObject): ApiResponse | undefined;
  /** Answers with a document that only exists as indented JSON. */
  jsonOnly(request: ApiRequest, document: JsonObject): ApiResponse;
  /** Encodes an answer's document, if it has one, in the format that the client accepts. */
  accepted(request: ApiRequest, answer: ApiResponse): ApiResponse;
}

const json = 'application/json';

/** Returns the documents of a server. `protobufType` and `discoveryGroup` are served names. */
export function defineDocuments(protobufType: string, discoveryGroup: string): Documents {
  const types = [json, 'application/yaml', protobufType];
  const negotiatePlain = createNegotiator({ types, streams: types, allows: (_type, transform) => !transform });
  const negotiateAggregated = createNegotiator({ types, allows: (_type, transform) => isAggregated(transform) });
  const isAggregated = (transform: Transform | undefined): boolean =>
    transform?.kind === aggregatedKind && transform.group === discoveryGroup && transform.version === 'v2beta1';
  return {
    discovery(request, document, route) {
      const accept = headerOf(request, 'accept');
      const refused = route === 'announced' ? routeAccepts(accept, types) : undefined;
      if (refused) return answerFailure(undefined, refused);
      const found = negotiatePlain(accept);
      if (!found.ok) return answerFailure(undefined, found.failure);
      return encoded(request, { code: 200, headers: {} }, document, found.value);
    },
    aggregated(request, document) {
      const found = negotiateAggregated(headerOf(request, 'accept'));
      if (!found.ok || !found.value.transform) return undefined;
      const headers = { vary: 'Accept', 'cache-control': 'public' };
      const answer = encoded(request, { code: 200, headers }, document(), found.value);
      const contentType = `${answer.contentType};g=${discoveryGroup};v=v2beta1;as=${aggregatedKind}`;
      return tagged(request, { ...answer, contentType }, hashOf(answer.body));
    },
    jsonOnly(request, document) {
      const refused = routeAccepts(headerOf(request, 'accept'), [json]);
      if (refused) return answerFailure(undefined, refused);
      return { code: 200, contentType: json, body: encoderFor(json, true).encode(document) };
    },
    accepted(request, answer) {
      const { document } = answer;
      if (document === undefined) return answer;
      return encoded(request, answer, document, orIndented(negotiatePlain(headerOf(request, 'accept'))));
    },
  };
}

const aggregatedKind = 'APIGroupDiscoveryList';

/** A client that accepts none of the formats gets indented JSON. */
const orIndented = (found: Result<Negotiated>): Negotiated => (found.ok ? found.value : { type: json, pretty: true });

function encoded(
  request: ApiRequest,
  answer: Pick<ApiResponse, 'code' | 'headers'>,
  document: JsonObject,
  { type, pretty }: Negotiated,
): ApiResponse & { readonly body: Uint8Array } {
  const encoder = encoderFor(type, pretty || asksForIndentation(request));
  const { code, headers = {} } = answer;
  const body = encoder.encode(document);
  return { code, headers, contentType: encoder.contentType, body };
}

function asksForIndentation(request: ApiRequest): boolean {
  const query = queryOf(request.search);
  return prettyRequested(query.has('pretty') ? query.text('pretty') : undefined, headerOf(request, 'user-agent'));
}

function headerOf({ headers }: ApiRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Returns the SHA-512 of a document's bytes in upper-case hexadecimal, as in the reference. */
export const hashOf = (bytes: Uint8Array): string => createHash('sha512').update(bytes).digest('hex').toUpperCase();

/** Adds the hash to an answer as its tag. Leaves out the body if the client names this tag and no other. */
export function tagged(request: ApiRequest, answer: ApiResponse, hash: string): ApiResponse {
  const etag = `"${hash}"`;
  const headers = { ...answer.headers, etag };
  if (request.headers['if-none-match'] !== etag) return { ...answer, headers };
  return { ...answer, code: 304, headers, body: Buffer.alloc(0) };
}
