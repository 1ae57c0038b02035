/** Sends requests about objects and turns answers into objects or errors. */
import { ConnectionError, toApiError } from './errors.js';
import { parseJson, stringifyJson } from './json.js';
import type { Transport, TransportResponse } from './transport.js';
import type { ApiObjectLike } from './types.js';

/** Query parameters, without the `undefined` ones. */
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** One request about an object. */
export interface ObjectRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly parameters?: Parameters;
  readonly body?: unknown;
  readonly contentType?: string;
  /** The forms that the answer may have. Default: JSON of the object itself. */
  readonly accept?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Sends requests for a client. */
export interface Requester {
  readonly transport: Transport;
  /** Called with the text of each Warning header. */
  readonly onWarning?: (text: string) => void;
}

/** Sends a request and reads the object in the answer. Throws an `ApiError` or a `ConnectionError`. */
export async function requestObject<T>(requester: Requester, request: ObjectRequest): Promise<T> {
  const response = await openRequest(requester, request);
  const text = await response.text();
  try {
    return parseJson<T>(text);
  } catch (error) {
    throw new ConnectionError(`the answer to ${request.method} ${request.path} is not JSON`, error);
  }
}

/** Sends a request and leaves the body of a successful answer to the caller. Throws an `ApiError`. */
export async function openRequest(requester: Requester, request: ObjectRequest): Promise<TransportResponse> {
  const { method, path, parameters, body, contentType = 'application/json', accept = 'application/json' } = request;
  const { signal, timeoutMs } = request;
  const headers: Record<string, string> = { accept };
  if (body !== undefined) headers['content-type'] = contentType;
  const response = await requester.transport.send({
    method,
    path: path + queryOf(parameters),
    headers,
    ...(body === undefined ? {} : { body: stringifyJson(body) }),
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  for (const text of warningsOf(response.header('warning'))) requester.onWarning?.(text);
  if (response.status < 400) return response;
  throw toApiError(response.status, await response.text());
}

function queryOf(parameters: Parameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns the texts of Warning headers: `299 - "text"`, several with commas between. */
function warningsOf(header: string): string[] {
  return [...header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map((match) =>
    decodeBytes((match[1] ?? '').replace(/\\(.)/g, '$1')),
  );
}

/** Decodes UTF-8 that came as one character per byte, as headers do. */
const decodeBytes = (text: string): string =>
  new TextDecoder().decode(Uint8Array.from(text, (character) => character.charCodeAt(0)));

/** The client of a resource, in all namespaces or in one. */
export type Placeable<C extends object> = C | { in(namespace: string): C };

/** Returns the client for the namespace of an object. */
export function placed<C extends object>(client: Placeable<C>, { metadata: { namespace } }: ApiObjectLike): C {
  // A cluster-scoped resource ignores the namespace. Any other resource refuses an empty one.
  return isUnplaced(client) ? client.in(namespace ?? '') : client;
}

const isUnplaced = <C extends object>(client: Placeable<C>): client is { in(namespace: string): C } => 'in' in client;
