/** Sends the requests of commands about objects, and reads what comes back. */
import { partsOf } from '../../client/create-client.js';
import {
  type ClientOptions,
  type DiscoveredResource,
  parseJson,
  type TransportResponse,
  toApiError,
} from '../../client/index.js';
import { pathsOf } from '../../client/resource/paths.js';

/** One request. */
export interface Question {
  readonly method: 'GET' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Sends requests to one server. */
export interface Sender {
  /** The answer, its body unread. Rejects with `ApiError` where the server refuses, and with `ConnectionError`. */
  readonly open: (question: Question) => Promise<TransportResponse>;
  /** The body as JSON. */
  readonly read: (question: Question) => Promise<unknown>;
}

/** Warnings of the server go to `onWarning`. */
export function senderOf(client: ClientOptions, onWarning: (text: string) => void): Sender {
  const { transport } = partsOf(client);
  const open: Sender['open'] = async ({ method, path, query = {}, accept, contentType, body, signal }) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
    const text = parameters.toString();
    const response = await transport.send({
      method,
      path: text === '' ? path : `${path}?${text}`,
      headers: {
        accept: accept ?? 'application/json',
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
    for (const [, warning = ''] of response.header('warning').matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)) {
      onWarning(warning.replace(/\\(.)/g, '$1'));
    }
    if (response.status >= 400) throw toApiError(response.status, await response.text());
    return response;
  };
  return { open, read: async (question) => parseJson<unknown>(await (await open(question)).text()) };
}

/** The path of a resource's objects in a namespace, or in all; or of one object. */
export function pathOf(resource: DiscoveredResource, namespace: string | undefined, name?: string): string {
  const paths = pathsOf(resource, resource.group);
  return name === undefined ? paths.collection(namespace) : paths.object(namespace, name);
}
