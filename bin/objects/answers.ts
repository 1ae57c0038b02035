/** Reads the objects that a command names, or all of a resource, in answers of a bounded size. */
import { isNotFound } from '../../client/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { pathOf, type Sender } from './requests.js';
import type { Asked } from './resources.js';
import type { Target } from './target.js';
import { fieldsOf, textOf } from './values.js';

/** A command that reads. */
export interface Reading {
  readonly send: Sender;
  readonly target: Target;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  /** Called with the error of each name that is not there. */
  readonly missing: (error: unknown) => void;
}

/** The form of the answers: `accept` with whatever else the query needs for it. */
export interface AnswerForm {
  readonly accept: string;
  /** Whether the rows of Tables have their whole objects. */
  readonly wholeObjects?: boolean;
}

/** Objects per request. */
const chunk = '500';

/** The answer for each name, or each chunk of the list. */
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
  let token: string | undefined;
  do {
    const query = { ...form, labelSelector, fieldSelector, limit: chunk, continue: token };
    const answer = await send.read({ method: 'GET', path, query, accept });
    yield answer;
    token = textOf(fieldsOf(fieldsOf(answer).metadata).continue) || undefined;
  } while (token !== undefined);
}

/** The objects of an answer. Items of a list leave out what the list says of all. */
export function objectsOf(answer: unknown): readonly unknown[] {
  const { items, apiVersion, kind } = fieldsOf(answer);
  if (!Array.isArray(items)) return [answer];
  const all = { apiVersion, kind: textOf(kind).replace(/List$/, '') };
  return items.map((item: unknown) => (isObject(item) ? { ...all, ...item } : item));
}
