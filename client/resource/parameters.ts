/** Converts options into query parameters, a signal, and the body of deletes. */

import type { ObjectRequest } from '../requests.js';
import type { ApplyOptions, DeleteOptions, ListOptions, RequestOptions, WriteOptions } from './options.js';

/** Query parameters that options add to a request. */
export type OptionParts = Pick<ObjectRequest, 'parameters' | 'signal' | 'timeoutMs'>;

/** Converts options into query parameters, except those about the request itself. */
export function optionParts({ signal, timeoutMs, ...parameters }: RequestOptions = {}): OptionParts {
  const known: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') known[name] = value;
  }
  return { parameters: known, ...requestParts({ signal, timeoutMs }) };
}

/** Returns the options about the request itself. */
export const requestParts = ({ signal, timeoutMs }: Undefinable<RequestOptions>): RequestOptions => ({
  ...(signal === undefined ? {} : { signal }),
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
});

type Undefinable<T> = { [K in keyof T]: T[K] | undefined };

/** Converts options of a write. `dryRun` has another form in the query. */
export function writeParts({ dryRun, ...options }: WriteOptions & { readonly force?: boolean } = {}): OptionParts {
  const parts = optionParts(options);
  return dryRun ? { ...parts, parameters: { ...parts.parameters, dryRun: 'All' } } : parts;
}

/** Converts options of an apply. The query calls the manager `fieldManager`. */
export function applyParts({ manager, fieldManager = manager, ...options }: ApplyOptions): OptionParts {
  return writeParts({ ...options, ...(fieldManager === undefined ? {} : { fieldManager }) });
}

/** Converts options of a delete, into a body if there are any. */
export function deleteParts({
  signal,
  timeoutMs,
  ...options
}: DeleteOptions = {}): RequestOptions & Pick<ObjectRequest, 'body'> {
  const body = deleteBody(options);
  return { ...(body === undefined ? {} : { body }), ...requestParts({ signal, timeoutMs }) };
}

/** Converts options of a delete of a collection: selectors go into the query, the others into the body. */
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
