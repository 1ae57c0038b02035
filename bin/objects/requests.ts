/** Sends the requests of commands about objects, and reads the answers. */
import { partsOf } from '../../client/create-client.js';
import {
  type ClientOptions,
  type DiscoveredResource,
  isGone,
  isNotFound,
  parseJson,
  type TransportResponse,
  toApiError,
} from '../../client/index.js';
import { pathsOf } from '../../client/resource/paths.js';
import { isObject, textOf } from '../../runtime/objects/guards.js';
import { fieldsOf } from './printing.js';
import type { Asked } from './resources.js';
import type { Target } from './target.js';

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
  /**
   * Resolves to the answer, with its body unread. Rejects with an `ApiError` if the server refuses, or with a
   * `ConnectionError`.
   */
  readonly open: (question: Question) => Promise<TransportResponse>;
  /** The body as JSON. */
  readonly read: (question: Question) => Promise<unknown>;
}

/** Returns a function that sends requests; warnings of the server go to `onWarning`. */
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
    // The warning of a 401 repeats its message.
    const warnings = response.status === 401 ? '' : response.header('warning');
    for (const [, warning = ''] of warnings.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)) {
      onWarning(warning.replace(/\\(.)/g, '$1'));
    }
    if (response.status >= 400) throw toApiError(response.status, await response.text());
    return response;
  };
  return { open, read: async (question) => parseJson<unknown>(await (await open(question)).text()) };
}

/** Returns the path of a resource's objects in one or all namespaces, or of one object. */
export function pathOf(resource: DiscoveredResource, namespace: string | undefined, name?: string): string {
  const paths = pathsOf(resource, resource.group);
  return name === undefined ? paths.collection(namespace) : paths.object(namespace, name);
}

/** A command that reads. */
export interface Reading {
  readonly send: Sender;
  readonly target: Target;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  /** Called with the error of each missing object. */
  readonly missing: (error: unknown) => void;
}

/** The form of the answers: `accept`, and the query that goes with it. */
export interface AnswerForm {
  readonly accept: string;
  /** Whether the rows of Tables contain whole objects. */
  readonly wholeObjects?: boolean;
}

/** Objects per request. */
const chunk = '500';

/** Sends a request for each name, or for each chunk of the list. */
export async function* answersFor(
  { send, target, missing, ...selected }: Reading,
  { resource, names }: Asked,
  { accept, wholeObjects }: AnswerForm,
): AsyncGenerator<unknown> {
  const form = { includeObject: wholeObjects ? 'Object' : undefined };
  for (const name of names) {
    try {
      yield await send.read({ method: 'GET', path: pathOf(resource, target.namespace, name), accept, query: form });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      missing(error);
    }
  }
  if (names.length > 0) return;
  const path = pathOf(resource, selected.allNamespaces ? undefined : target.namespace);
  const { selector: labelSelector, fieldSelector } = selected;
  type Page = { readonly limit?: string; readonly continue?: string };
  for (let page: Page | undefined = { limit: chunk }; page !== undefined; ) {
    const { limit }: Page = page;
    try {
      const answer = await send.read({
        method: 'GET',
        path,
        query: { ...form, labelSelector, fieldSelector, ...page },
        accept,
      });
      yield answer;
      const token = textOf(fieldsOf(fieldsOf(answer).metadata).continue);
      page = token === '' ? undefined : { limit: chunk, continue: token };
    } catch (error) {
      // The history is gone: take the present state of the rest, in one piece.
      const token = isGone(error) && limit !== undefined ? error.status.metadata.continue : undefined;
      if (!token) throw error;
      page = { continue: token };
    }
  }
}

/** Returns the objects of an answer. Items of a list do not repeat the fields of the list. */
export function objectsOf(answer: unknown): readonly unknown[] {
  const { items, apiVersion, kind } = fieldsOf(answer);
  if (!Array.isArray(items)) return [answer];
  const all = { apiVersion, kind: textOf(kind).replace(/List$/, '') };
  return items.map((item: unknown) => (isObject(item) ? { ...all, ...item } : item));
}
