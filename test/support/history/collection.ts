/** The collection of recorded histories: service accounts. The answer to their deletion has its revision. */
import { createHash } from 'node:crypto';
import { fetchTransport, type TransportResponse } from '../../../client/index.js';
import { readLines } from '../../../client/watch.js';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import type { Seen } from './records.js';

const path = '/api/v1/namespaces/default/serviceaccounts';

/** How long to wait for an answer, milliseconds. */
const patienceMs = 30_000;

/** A received answer. */
export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

/** Makes an object that holds a value twice, so that readers recognize half an object. */
export const toObject = (name: string, value: string, resourceVersion?: number): JsonObject => ({
  metadata: {
    name,
    annotations: { value, filling: 'x'.repeat(Math.floor(Math.random() * 2000)) },
    ...(resourceVersion === undefined ? {} : { resourceVersion: String(resourceVersion) }),
  },
  imagePullSecrets: [{ name: digestOf(value) }],
});

const digestOf = (value: string): string => createHash('sha256').update(value).digest('hex').slice(0, 32);

/** Reads an object. An incomplete object gets a value that nobody has written. */
export function toSeen(object: unknown): Seen {
  const { metadata, imagePullSecrets } = objectOf(object);
  const { name, resourceVersion, annotations } = objectOf(metadata);
  const value = String(objectOf(annotations).value);
  const [secret]: readonly unknown[] = Array.isArray(imagePullSecrets) ? imagePullSecrets : [];
  const whole = objectOf(secret).name === digestOf(value);
  return { key: String(name), revision: Number(resourceVersion), value: whole ? value : `half of ${value}` };
}

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Returns the revision of an answer that is an object or a collection. */
export const revisionOf = ({ body }: Answer): number => Number(objectOf(body.metadata).resourceVersion);

/** Sends a server a request for the collection or one of its objects. Rejects if no answer comes. */
export async function ask(url: string, method: string, name: string, body?: JsonObject): Promise<Answer> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await fetchTransport({ baseUrl: url }).send({
    method,
    path: name === '' || name.startsWith('?') ? path + name : `${path}/${name}`,
    headers: { 'content-type': type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patienceMs),
  });
  return { code: answer.status, body: objectOf(JSON.parse(await answer.text())) };
}

/** Yields the events of a watch until it ends or its connection breaks. A refusal is one event of type `ERROR`. */
export async function* watchEvents(url: string, query: string, signal: AbortSignal): AsyncGenerator<JsonObject> {
  const answer = await fetchTransport({ baseUrl: url }).send({
    method: 'GET',
    path: `${path}?watch=1&${query}`,
    headers: {},
    signal,
  });
  if (answer.status !== 200) yield await refusalIn(answer);
  else {
    for await (const lines of readLines(answer.chunks())) {
      for (const line of lines) yield objectOf(JSON.parse(line));
    }
  }
}

const refusalIn = async (answer: TransportResponse): Promise<JsonObject> => ({
  type: 'ERROR',
  object: objectOf(JSON.parse(await answer.text())),
});
