/**
 * Limits a write to the parts of an object that its path may write: the parts of one subresource, or all other parts.
 */
import type { ApiObject, JsonObject, JsonValue, ResourceModule, Subresource } from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { Later, recursionLevels } from '../../objects/from-below.js';
import { getOwn, isArray, isObject, setOwn } from '../../objects/guards.js';
import type { ListPlace } from '../../resource/list-places.js';
import { applyDefaults, type ResourceNames, type ServedResource } from '../../resource/served-resource.js';
import { dropUnknown } from '../decode.js';
import type { Attempt, CreateAttempt, UpdateAttempt } from '../write.js';

/** A resource with the code that knows its fields. */
type Typed = Pick<ServedResource, 'module' | 'schema' | 'functions'>;

/** Drops the parts of a new object that its subresources write. */
export const dropUnwritableFields = ({ write, object }: Attempt): void => dropSubresourceFields(write.resource, object);

/** Restores from the stored object the parts that the path of an update cannot write. */
export function keepUnwritableFields(attempt: UpdateAttempt): void {
  const { write, object, old } = attempt;
  if (write.subresource) attempt.object = takeOnlySubresourceFields(write.subresource, object, old);
  else keepSubresourceFields(write.resource.module, object, old);
}

/**
 * Drops the parts that belong to a `status` subresource, because a create cannot write them. Parts that must be present
 * become empty.
 */
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

/** Returns an empty part with the zero values that must be present. Computes each part once. */
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

/** Restores the parts of subresources, in an update of the object itself. */
export function keepSubresourceFields(module: ResourceModule, object: ApiObject, old: ApiObject): void {
  for (const subresource of module.subresources) {
    if (subresource.scale || subresource.shared) continue;
    for (const path of subresource.writes) copyPath(old, object, path.split('.'));
  }
}

/** Returns the object to store for an update through a subresource: the stored object with the subresource's parts. */
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

/** Copies the value at a path, even its absence, to `to`. Copies the objects above it, so that nothing is shared. */
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

/**
 * Drops the fields of disabled gates, in place. An object that got such fields while the gate was on keeps them and may
 * change them, so disabling a gate does not break stored objects.
 */
export function dropDisabledFields({ write: { resource, services }, object, old }: Attempt): void {
  resource.functions.dropDisabled?.(object, old, services.featureEnabled);
}

export const nullEmptyLists = ({ write, object }: Attempt): void => settleEmptyLists(write.resource.emptyLists, object);

/**
 * Replaces empty lists by null, in place, as the store would return them: protobuf cannot distinguish the two. The
 * writer of an empty list still owns it, so record owners before. Only visits the paths that lead to a list.
 */
export function settleEmptyLists(place: ListPlace | undefined, value: JsonValue | undefined): void {
  if (place === undefined) return;
  if (isArray(value)) {
    for (const item of value) settleEmptyLists(place.elements, item);
  } else if (isObject(value)) {
    settleMembers(place, value);
  }
}

function settleMembers({ lists, members, elements }: ListPlace, object: JsonObject): void {
  for (const name of lists) {
    const list = getOwn(object, name);
    if (isArray(list) && list.length === 0) object[name] = null;
  }
  for (const [name, place] of members) settleEmptyLists(place, getOwn(object, name));
  if (elements) for (const key of Object.keys(object)) settleEmptyLists(elements, object[key]);
}

/**
 * Fills in defaults again. Decoding has filled them in for admission and for the owners. But plugins may have added
 * parts without defaults, and dropped parts may have a default.
 */
export function fillDefaults({ write: { resource }, object, plan }: CreateAttempt): void {
  // Decoding has removed the nulls of a created object, but an applied object may still have invalid ones.
  if (plan.verb === 'apply') keepingNulls(resource, object, () => applyDefaults(resource, object));
  else applyDefaults(resource, object);
}

/** Fills in defaults of a changed object. If plugins saw a view, they can only have changed the view. */
export function fillDefaultsOfChanges({ write: { resource }, object, plan }: UpdateAttempt): void {
  if (!plan.view) keepingNulls(resource, object, () => applyDefaults(resource, object));
}

/**
 * Runs a change that drops invalid nulls from an object, and restores the nulls without a default, in place. A decoder
 * may drop nulls of a client, but validation must find nulls that result from a merge. Leaves metadata alone. For typed
 * kinds, only runs the change, because they have no such nulls.
 */
export function keepingNulls<T>({ module }: ResourceNames, object: JsonObject, change: () => T): T {
  if (module.decoding !== 'structural') return change();
  const { metadata: _, ...parts } = object;
  if (!holdsNull(parts, 0)) return change();
  const before = clone(parts);
  const result = change();
  putBack(before, object, 0);
  return result;
}

const later = new Later();

function holdsNull(value: JsonValue | undefined, level: number): boolean {
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  if (level === recursionLevels) return !later.all(() => !holdsNull(value, 0));
  const values = Array.isArray(value) ? value : Object.values(value);
  return values.some((child) => holdsNull(child, level + 1));
}

function putBack(before: JsonValue, after: JsonValue | undefined, level: number): void {
  if (level === recursionLevels) {
    later.run(() => putBack(before, after, 0));
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [position, item] of before.entries()) putBack(item, after[position], level + 1);
  }
  if (!isObject(before) || !isObject(after)) return;
  for (const [key, value] of Object.entries(before)) {
    if (value === undefined) continue;
    const found = getOwn(after, key);
    if (value === null && found === undefined) setOwn(after, key, null);
    else if (typeof value === 'object') putBack(value, found, level + 1);
  }
}

/** Drops the unknown fields that webhooks have added to a custom resource. Validating webhooks still see them. */
export function dropAddedFields({ write, object }: Attempt): void {
  if (write.mayHoldUnknown) dropUnknown(write.resource, object);
}
