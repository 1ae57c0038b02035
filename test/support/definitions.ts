/** Prepares definitions as the server does before it stores them, but without a server. */
import { schema } from '../../generated/apiextensions.platform.io/v1/customresourcedefinitions/schema.js';
import type { ApiObject, FieldError, JsonObject, KindHandlers } from '../../runtime/contract/index.js';
import { isApiObject } from '../../runtime/objects/guards.js';
import { schemaFunctions } from '../../runtime/schema/index.js';
import { contextOf } from './handlers-suite.js';

const functions = schemaFunctions(schema, { decoding: 'typed', kind: 'CustomResourceDefinition', version: 'v1' });

/** A definition as the server would store it, and its errors. */
export interface Created {
  readonly definition: ApiObject;
  readonly errors: readonly FieldError[];
}

/** Decodes a body in place, as the server does: makes it canonical, removes unknown fields and adds defaults. */
export function readDefinition(handlers: KindHandlers, body: JsonObject): ApiObject | undefined {
  if (functions.normalize?.(body) !== undefined) return undefined;
  functions.prune(body, () => {});
  if (!isApiObject(body)) return undefined;
  functions.applyDefaults(body);
  handlers.canonicalize?.(body);
  return body;
}

/** Makes a definition of a body, and changes the body. Returns `undefined` if the body cannot be read. */
export function createDefinition(handlers: KindHandlers, body: JsonObject): Created | undefined {
  const definition = readDefinition(handlers, body);
  if (definition === undefined) return undefined;
  handlers.prepareForCreate?.(definition, contextOf());
  const errors: FieldError[] = [];
  functions.validate(definition, errors);
  return { definition, errors: [...errors, ...(handlers.validateCreate?.(definition, contextOf()) ?? [])] };
}
