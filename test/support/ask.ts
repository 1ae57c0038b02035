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

/** Sends a request to a server and reads the answer. A PATCH is a merge patch unless `type` says otherwise. */
export async function ask<Body = JsonObject>(
  { url }: Server,
  method: string,
  path: string,
  body?: unknown,
  type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
): Promise<Answer<Body>> {
  const sent = body === undefined ? {} : { headers: { 'content-type': type }, body: JSON.stringify(body) };
  const answer = await fetch(url + path, { method, ...sent });
  const text = await answer.text();
  return { code: answer.status, body: text.startsWith('{') ? JSON.parse(text) : { text } };
}

/** Returns an `ask` for a server that starts later. */
export const askLater =
  (server: () => Server) =>
  (method: string, path: string, body?: unknown, type?: string): Promise<Answer> =>
    ask(server(), method, path, body, type);
