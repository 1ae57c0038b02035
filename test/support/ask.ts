/** Requests with JSON in both directions. */
import type { JsonObject } from '../../runtime/contract/index.js';

export interface Answer<Body = JsonObject> {
  readonly code: number;
  /** If an answer is plain text, its body is `{ text }`. */
  readonly body: Body;
}

interface Server {
  readonly url: string;
}

/** The parts of a request that few requests have. */
export interface Sent {
  /** A text is sent as it is, and anything else as JSON. */
  readonly body?: unknown;
  /** The type of the body. Default: JSON, or a merge patch for PATCH. */
  readonly type?: string;
  /** A bearer token. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request to a server. */
export function send({ url }: Server, method: string, path: string, sent: Sent = {}): Promise<Response> {
  const { body, token, type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' } = sent;
  const headers = {
    ...(body === undefined ? {} : { 'content-type': type }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...sent.headers,
  };
  const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  return fetch(url + path, { method, headers, ...text });
}

/** Sends a request to a server and reads the answer. A PATCH is a merge patch unless `type` says otherwise. */
export async function ask<Body = JsonObject>(
  server: Server,
  method: string,
  path: string,
  body?: unknown,
  type?: string,
): Promise<Answer<Body>> {
  const answer = await send(server, method, path, { body, ...(type === undefined ? {} : { type }) });
  const text = await answer.text();
  return { code: answer.status, body: text.startsWith('{') ? JSON.parse(text) : { text } };
}

/** Returns an `ask` for a server that starts later. */
export const askLater =
  (server: () => Server) =>
  (method: string, path: string, body?: unknown, type?: string): Promise<Answer> =>
    ask(server(), method, path, body, type);
