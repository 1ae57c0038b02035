/** Objects of kinds, and the errors that their handlers find, as clients see them. */
import type { ApiObject, JsonObject, KindHandlers } from '../../runtime/contract/index.js';
import { fieldErrorText } from '../../runtime/objects/field-error.js';
import { contextOf } from './handlers-suite.js';

/** Makes an object of the kind with a name and these fields. */
export function objectOf(
  { resource }: KindHandlers,
  rest: JsonObject,
  metadata: ApiObject['metadata'] = {},
): ApiObject {
  const { group, version, names } = resource;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return { apiVersion, kind: names.kind, metadata: { name: 'a', ...metadata }, ...rest };
}

/** Lists each error as `field: message`. */
export const errorsOf = (handlers: KindHandlers, object: ApiObject, subresource = ''): readonly string[] =>
  (handlers.validate?.(object, contextOf({ subresource })) ?? []).map(fieldErrorText);

/** Lists the field of each error. */
export const errorFieldsOf = (handlers: KindHandlers, object: ApiObject): readonly string[] =>
  (handlers.validate?.(object, contextOf()) ?? []).map(({ field }) => field);

export const changeErrorsOf = (
  handlers: KindHandlers,
  object: ApiObject,
  old: ApiObject,
  subresource = '',
): readonly string[] => (handlers.validateUpdate?.(object, old, contextOf({ subresource })) ?? []).map(fieldErrorText);
