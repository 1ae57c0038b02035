/** Turns options into what a request carries: query parameters, a signal, and the body of deletes. */

import type { ObjectRequest } from '../requests.js';
import type { ApplyOptions, DeleteOptions, ListOptions, RequestOptions, WriteOptions } from './options.js';

/** Query parameters that options add to a request. */
export type OptionParts = Pick<ObjectRequest, 'parameters' | 'signal' | 'timeoutMs'>;

/** Options as query parameters, those aside that are about the request itself. */
export function optionParts({ signal, timeoutMs, ...parameters }: RequestOptions = {}): OptionParts {
  const known: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') known[name] = value;
  }
  return { parameters: known, ...requestParts({ signal, timeoutMs }) };
}

/** Options that are about the request itself. */
const requestParts = ({ signal, timeoutMs }: Undefinable<RequestOptions>): RequestOptions => ({
  ...(signal === undefined ? {} : { signal }),
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
});

type Undefinable<T> = { [K in keyof T]: T[K] | undefined };

/** Options of a write; a dry run has a word of its own in the query. */
export function writeParts({ dryRun, ...options }: WriteOptions & { readonly force?: boolean } = {}): OptionParts {
  const parts = optionParts(options);
  return dryRun ? { ...parts, parameters: { ...parts.parameters, dryRun: 'All' } } : parts;
}

/** Options of an apply; the query calls the manager `fieldManager`. */
export function applyParts({ manager, fieldManager = manager, ...options }: ApplyOptions): OptionParts {
  return writeParts({ ...options, ...(fieldManager === undefined ? {} : { fieldManager }) });
}

/** Options of a delete go into the body, which only exists where there are some. */
export function deleteParts({
  signal,
  timeoutMs,
  ...options
}: DeleteOptions = {}): RequestOptions & Pick<ObjectRequest, 'body'> {
  const body = deleteBody(options);
  return { ...(body === undefined ? {} : { body }), ...requestParts({ signal, timeoutMs }) };
}

/** Options of the delete of a collection: what selects goes into the query, what says how into the body. */
export function deleteCollectionParts(options: ListOptions & DeleteOptions = {}): OptionParts & { body?: unknown } {
  const { dryRun, gracePeriodSeconds, propagationPolicy, preconditions, ...selection } = options;
  const body = deleteBody({ dryRun, gracePeriodSeconds, propagationPolicy, preconditions });
  return { ...optionParts(selection), ...(body === undefined ? {} : { body }) };
}

type DeleteChoices = { [K in Exclude<keyof DeleteOptions, keyof RequestOptions>]?: DeleteOptions[K] | undefined };

function deleteBody({ dryRun, ...choices }: DeleteChoices): object | undefined {
  const body = { ...choices, ...(dryRun ? { dryRun: ['All'] } : {}) };
  const asked = Object.values(body).some((value) => value !== undefined);
  return asked ? { apiVersion: 'v1', kind: 'DeleteOptions', ...body } : undefined;
}
