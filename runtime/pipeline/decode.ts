/** The decode stage: turns a decoded body into an object of the resource, with what the schema does not know taken out. */
import type { ApiObject, Failure, JsonObject, JsonValue, Result } from '../contract/index.js';
import { isObject, stringAt } from '../objects/guards.js';
import { badRequest } from '../objects/status.js';
import { objectMeta } from './object-meta.js';
import type { ServedResource } from './served-resource.js';

/** A decoded object and what its writer should hear: unknown fields, each as `unknown field "spec.x"`. */
export interface DecodedObject {
  readonly object: ApiObject;
  readonly unknownFields: readonly string[];
}

/**
 * Makes an object of the resource from a value, which is changed in place: checks types, drops and reports unknown
 * fields, fills in defaults, and brings it into canonical form. `apiVersion` and `kind` must have been checked.
 */
export function toObject(resource: ServedResource, value: JsonObject): Result<DecodedObject> {
  const { functions } = resource.module;
  const unknownFields: string[] = [];
  const report = (path: string): unknown => unknownFields.push(`unknown field ${JSON.stringify(path)}`);
  value.kind = resource.module.names.kind;
  value.apiVersion = resource.apiVersion;
  const metadata = objectMeta.read(value.metadata, report);
  if (!metadata.ok) return { ok: false, failure: unreadable(resource, metadata.mismatch) };
  const object: ApiObject = Object.assign(value, {
    kind: resource.module.names.kind,
    apiVersion: resource.apiVersion,
    metadata: metadata.value,
  });
  const mismatch = functions.normalize?.(object);
  if (mismatch) {
    const { found, field, wanted } = mismatch;
    const why = `json: cannot unmarshal ${found} into Go struct field ${resource.module.names.kind}.${field} of type ${wanted}`;
    return { ok: false, failure: unreadable(resource, why) };
  }
  functions.prune(object, report);
  functions.applyDefaults(object);
  resource.strategy?.canonicalize?.(object);
  return { ok: true, value: { object, unknownFields } };
}

/** A body that cannot be an object of the resource. */
export function unreadable(resource: ServedResource, why: string, kind?: string, version?: string): Failure {
  const { names, version: ownVersion } = resource.module;
  return badRequest(`${kind ?? names.kind} in version "${version ?? ownVersion}" cannot be handled as a ${names.kind}: ${why}`);
}

/** What the server knows of kinds, to tell a wrong kind from an unknown one. */
export type KnowsKind = (apiVersion: string, kind: string) => boolean;

/** Checks that a body is an object and of the resource's kind and version; empty ones mean the resource's own. */
export function checkKind(resource: ServedResource, value: JsonValue, knowsKind: KnowsKind): Result<JsonObject> {
  if (!isObject(value)) {
    const found = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
    return { ok: false, failure: unrecognized(resource, `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value`) };
  }
  for (const field of ['apiVersion', 'kind'] as const) {
    const found = value[field];
    if (found === undefined || found === null || typeof found === 'string') continue;
    const why = `couldn't get version/kind; json parse error: json: cannot unmarshal ${typeof found} into Go struct field .${field} of type string`;
    return { ok: false, failure: unrecognized(resource, why) };
  }
  const failure = kindMismatch(resource, stringAt(value, 'apiVersion'), stringAt(value, 'kind'), knowsKind);
  return failure ? { ok: false, failure } : { ok: true, value };
}

function kindMismatch(
  resource: ServedResource,
  sentVersion: string,
  sentKind: string,
  knowsKind: KnowsKind,
): Failure | undefined {
  const { names } = resource.module;
  const apiVersion = sentVersion || resource.apiVersion;
  const kind = sentKind || names.kind;
  if (apiVersion === resource.apiVersion && kind === names.kind) return undefined;
  const version = apiVersion.split('/').at(-1) ?? '';
  if (kind === names.kind && knowsKind(apiVersion, kind)) {
    return badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${resource.apiVersion})`,
    );
  }
  if (knowsKind(apiVersion, kind)) {
    const group = resource.module.group.split('.')[0] || 'core';
    return unreadable(resource, `converting (${version}.${kind}) to (${group}.${names.kind}): unknown conversion`, kind, version);
  }
  return unreadable(resource, `no kind "${kind}" is registered for version "${apiVersion}"`, kind, version);
}

const unrecognized = (resource: ServedResource, why: string): Failure =>
  badRequest(`the object provided is unrecognized (must be of type ${resource.module.names.kind}): ${why}`);
