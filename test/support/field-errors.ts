/** Errors that a strategy finds in an object, as clients read them. */
import type { ApiObject, JsonObject, KindHandlers } from '../../runtime/contract/index.js';
import { fieldErrorText } from '../../runtime/objects/field-error.js';
import { contextOf } from './handlers-suite.js';

/** An object of a kind with a name and the rest of its fields. */
export const objectOf = (kind: string, rest: JsonObject, metadata: JsonObject = {}): ApiObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'a', ...metadata },
  ...rest,
});

/** Each error as `path: message`. */
export const errorsOf = (handlers: KindHandlers, object: ApiObject, subresource = ''): readonly string[] =>
  (handlers.validate?.(object, contextOf({ subresource })) ?? []).map(fieldErrorText);

/** Errors of a change. */
export const changeErrorsOf = (handlers: KindHandlers, object: ApiObject, old: ApiObject): readonly string[] =>
  (handlers.validateUpdate?.(object, old, contextOf()) ?? []).map(fieldErrorText);
