/**
 * Which parts of an object a path may write: the object itself without its subresources' parts, or only such a part.
 */
import type { ApiObject, JsonObject, ResourceModule, Subresource } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import type { ServedResource } from '../../resource/served-resource.js';
import type { Attempt, UpdateAttempt } from '../attempt.js';

/** A resource with the code that knows its fields. */
type Typed = Pick<ServedResource, 'module' | 'schema' | 'functions'>;

/** Drops the parts of a new object that its subresources write. */
export const dropUnwritableFields = ({ write, object }: Attempt): void => dropSubresourceFields(write.resource, object);

/** Leaves the parts as they are stored that the path of an update cannot write. */
export function keepUnwritableFields(attempt: UpdateAttempt): void {
  const { write, object, old } = attempt;
  if (write.subresource) attempt.object = takeOnlySubresourceFields(write.subresource, object, old);
  else keepSubresourceFields(write.resource.module, object, old);
}

/** Drops what a create cannot say because a `status` subresource owns it; what is always present is left empty. */
export function dropSubresourceFields(resource: Typed, object: ApiObject): void {
  const status = resource.module.subresources.find((subresource) => subresource.name === 'status');
  if (status?.atCreate) return;
  for (const path of status?.writes ?? []) {
    deletePath(object, path.split('.'));
    const { 'x-kindforge-presence': presence } = resource.schema.properties?.[path] ?? {};
    if (presence === 'always') object[path] = emptyPart(resource, path);
  }
}

const emptyParts = new WeakMap<Typed, Map<string, JsonObject>>();

/** A part in which nothing is said, with the zeros that are always there. Found once for each part. */
function emptyPart(resource: Typed, path: string): JsonObject {
  const known = emptyParts.get(resource) ?? new Map<string, JsonObject>();
  emptyParts.set(resource, known);
  const part = known.get(path) ?? readEmptyPart(resource, path);
  known.set(path, part);
  return clone(part);
}

function readEmptyPart({ module, functions }: Typed, path: string): JsonObject {
  const object: ApiObject = { apiVersion: '', kind: module.names.kind, metadata: {}, [path]: {} };
  functions.normalize?.(object);
  const part = object[path];
  return isObject(part) ? part : {};
}

/** Update of the object itself: parts that subresources own stay as they are stored. */
export function keepSubresourceFields(module: ResourceModule, object: ApiObject, old: ApiObject): void {
  for (const subresource of module.subresources) {
    if (subresource.scale || subresource.shared) continue;
    for (const path of subresource.writes) copyPath(old, object, path.split('.'));
  }
}

/** Update through a subresource: everything but its own parts stays as it is stored. Returns what to store. */
export function takeOnlySubresourceFields(subresource: Subresource, object: ApiObject, old: ApiObject): ApiObject {
  const next: ApiObject = { ...old, apiVersion: object.apiVersion, metadata: { ...old.metadata } };
  for (const path of subresource.writes) copyPath(object, next, path.split('.'));
  if (subresource.writesMetadata) next.metadata = object.metadata;
  else {
    next.metadata.managedFields = object.metadata.managedFields;
    next.metadata.resourceVersion = object.metadata.resourceVersion;
  }
  return next;
}

/** Makes `to` hold what `from` holds at a path, absence included. Objects on the way are copied, never shared. */
function copyPath(from: JsonObject, to: JsonObject, path: readonly string[]): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  const source = getOwn(from, key);
  if (rest.length === 0) {
    if (source === undefined) delete to[key];
    else setOwn(to, key, source);
    return;
  }
  const known = getOwn(to, key);
  const inner: JsonObject = isObject(known) ? { ...known } : {};
  copyPath(isObject(source) ? source : {}, inner, rest);
  if (Object.keys(inner).length > 0 || source !== undefined || known !== undefined) setOwn(to, key, inner);
}

function deletePath(object: JsonObject, path: readonly string[]): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  const inner = getOwn(object, key);
  if (rest.length === 0) delete object[key];
  else if (isObject(inner)) deletePath(inner, rest);
}
