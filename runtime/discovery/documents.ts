/** Sends documents: discovery and failures in the format that the client accepts, and others in their only format. */
import { createHash } from 'node:crypto';
import { createNegotiator, type Negotiated, routeAccepts, type Transform } from '../codec/negotiation.js';
import type { JsonObject, Result } from '../contract/index.js';
import { otherName } from '../objects/names/naming.js';
import type { MaybePromise } from '../objects/turns.js';
import type { Registry } from '../registry/registry.js';
import { type ApiRequest, type ApiResponse, headerOf, prettyRequested, queryOf } from '../request/api-request.js';
import { encoderFor } from '../request/representation/encoders.js';
import { answerFailure } from '../request/responses.js';

/** How a document negotiates its format. `announced` checks Accept against the types of the route before. */
export type DocumentRoute = 'announced' | 'plain';

export interface Documents {
  /** Answers with a discovery document. */
  discovery(request: ApiRequest, document: JsonObject, route: DocumentRoute): ApiResponse;
  /** Answers with the aggregated form of a discovery document; `undefined` if the client does not ask for it. */
  aggregated(request: ApiRequest, document: (version: string) => JsonObject): ApiResponse | undefined;
  /** Answers with a document that exists only as indented JSON. */
  jsonOnly(request: ApiRequest, document: JsonObject): ApiResponse;
  /** Encodes an answer's document in the format that the client accepts. */
  accepted(request: ApiRequest, answer: ApiResponse, document: JsonObject): ApiResponse;
}

const json = 'application/json';

/**
 * Returns the documents of a server. `protobufType` and `discoveryGroup` are served names. The aggregated form has the
 * version `versions`.
 */
export function defineDocuments(protobufType: string, discoveryGroup: string, versions: readonly string[]): Documents {
  const types = [json, 'application/yaml', protobufType];
  const negotiatePlain = createNegotiator({ types, streams: types, allows: (_type, transform) => !transform });
  const negotiateAggregated = createNegotiator({ types, allows: (_type, transform) => isAggregated(transform) });
  const isAggregated = (transform: Transform | undefined): boolean =>
    transform?.kind === aggregatedKind && transform.group === discoveryGroup && versions.includes(transform.version);
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
      const { version } = found.value.transform;
      const answer = encoded(request, { code: 200, headers }, document(version), found.value);
      const contentType = `${answer.contentType};g=${discoveryGroup};v=${version};as=${aggregatedKind}`;
      return tagged(request, { ...answer, contentType }, hashOf(answer.body));
    },
    jsonOnly(request, document) {
      const refused = routeAccepts(headerOf(request, 'accept'), [json]);
      if (refused) return answerFailure(undefined, refused);
      return { code: 200, contentType: json, body: encoderFor(json, true).encode(document) };
    },
    accepted: (request, answer, document) =>
      encoded(request, answer, document, orIndented(negotiatePlain(headerOf(request, 'accept')))),
  };
}

const aggregatedKind = 'APIGroupDiscoveryList';

/** Returns the negotiated format. A client that accepts none of the formats gets indented JSON. */
const orIndented = (found: Result<Negotiated>): Negotiated => (found.ok ? found.value : { type: json, pretty: true });

function encoded(
  request: ApiRequest,
  answer: Pick<ApiResponse, 'code' | 'headers'>,
  document: JsonObject,
  { type, pretty }: Negotiated,
): ApiResponse & { readonly body: Uint8Array } {
  const encoder = encoderFor(type, pretty || prettyRequested(request, queryOf(request.search)));
  const { code, headers = {} } = answer;
  const body = encoder.encode(document);
  return { code, headers, contentType: encoder.contentType, body };
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

/** A document at a path outside of `/api` and `/apis`, for users who may read the path. */
export interface PathDocument {
  readonly path: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether everybody may read it, without credentials. Default: no. */
  readonly isPublic?: boolean;
  /**
   * Returns the document. `address` is the host and port of the server, empty before it listens; `host` are the host
   * and port in the client's request, possibly of a proxy.
   */
  readonly read: (address: string, host: string) => JsonObject;
}

/** A path outside of `/api` and `/apis` with its own handler, for users who may access it. */
export interface OwnPath {
  readonly path: string;
  /** The only method that it takes. Default: GET. */
  readonly method?: 'GET' | 'POST';
  readonly isUnlisted?: boolean;
  readonly answer: (request: ApiRequest) => MaybePromise<ApiResponse>;
}

/** Answers with a document that has only one format, to clients that accept it. */
export function answerPathDocument(
  request: ApiRequest,
  { contentType, headers = {}, read }: PathDocument,
  address: string,
): ApiResponse {
  const refused = routeAccepts(headerOf(request, 'accept'), [contentType]);
  if (refused) return answerFailure(undefined, refused);
  return {
    code: 200,
    contentType,
    headers,
    body: encoderFor('application/json', false).encode(read(address, hostOf(request, address))),
  };
}

/** Returns the host and port in the client's request, which are in a pseudo-header in HTTP/2. */
const hostOf = (request: ApiRequest, address: string): string =>
  headerOf(request, ':authority') || headerOf(request, 'host') || address;

export const plainText = (code: number, text: string): ApiResponse => ({
  code,
  contentType: 'text/plain; charset=utf-8',
  headers: { 'x-content-type-options': 'nosniff' },
  body: Buffer.from(text),
});

/** Returns the answer for an unknown path. */
export const textNotFound = (): ApiResponse => plainText(404, '404 page not found\n');

/**
 * Returns the answer for a group that is not served. If the group is served under its other name, a warning says so.
 */
export function groupNotFound(group: string, registry: Pick<Registry, 'hasGroup'>): ApiResponse {
  const answer = textNotFound();
  const other = otherName(group);
  if (!other || !registry.hasGroup(other.name)) return answer;
  const asked = other.naming === 'kubernetes' ? 'platform' : 'kubernetes';
  const warning = `the group ${group} is ${other.name} on this server; --naming ${asked} serves it as ${group}`;
  return { ...answer, headers: { ...answer.headers, warning: `299 - "${warning}"` } };
}
