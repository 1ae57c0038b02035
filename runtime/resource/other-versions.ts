/** Handlers for versions other than the stored one. They call the stored version's handlers with converted objects. */
import type {
  Allocation,
  ApiObject,
  Handlers,
  JsonObject,
  JsonValue,
  NamedConversion,
  Rename,
  ResourceCode,
} from '../contract/index.js';
import type { VersionSource } from '../merge/index.js';
import { isObject, setOwn } from '../objects/guards.js';
import { memoizeByObject } from '../objects/memoize.js';
import type { BoundConversion, ServedResource } from './served-resource.js';
import { conversionFailure, convertBetween, fromStored, toStored } from './versions.js';

/**
 * Returns the handlers of the stored version for another version. Each call converts the object, and back if the
 * handler changes it. Leaves out `canonicalize`, because decoding calls the stored version's.
 */
export function throughStored(resource: ServedResource, handlers: Handlers): Handlers {
  const read = (object: ApiObject): ApiObject => toStored(resource, object);
  const change = (object: ApiObject, handler: (stored: ApiObject) => void): void => {
    const stored = read(object);
    handler(stored);
    replaceBy(object, fromStored(resource, stored));
  };
  const { canonicalize: _, allocation, prepareForCreate, prepareForUpdate, ...others } = handlers;
  const { prepareForDelete, prepareChecks, validate, validateCreate, validateUpdate, warn, ...more } = others;
  const { mayRemove, gracePeriod, selectableFields, columns, ...withoutObjects } = more;
  const show = memoizeByObject(read);
  return {
    ...withoutObjects,
    ...(allocation && { allocation: allocationThrough(resource, allocation) }),
    ...(prepareForCreate && {
      prepareForCreate: (object, context) => change(object, (stored) => prepareForCreate(stored, context)),
    }),
    ...(prepareForUpdate && {
      prepareForUpdate: (object, old, context) =>
        change(object, (stored) => prepareForUpdate(stored, read(old), context)),
    }),
    ...(prepareForDelete && {
      prepareForDelete: (object, context) => change(object, (stored) => prepareForDelete(stored, context)),
    }),
    ...(prepareChecks && {
      prepareChecks: (object, old, context) => prepareChecks(read(object), old && read(old), context),
    }),
    ...(validate && { validate: (object, context) => validate(read(object), context) }),
    ...(validateCreate && { validateCreate: (object, context) => validateCreate(read(object), context) }),
    ...(validateUpdate && {
      validateUpdate: (object, old, context) => validateUpdate(read(object), read(old), context),
    }),
    ...(warn && { warn: (object, old) => warn(read(object), old && read(old)) }),
    ...(mayRemove && { mayRemove: (object) => mayRemove(read(object)) }),
    ...(gracePeriod && { gracePeriod: (object, wanted) => gracePeriod(read(object), wanted) }),
    ...(selectableFields && { selectableFields: mapReaders(selectableFields, read) }),
    // A row reads each of its cells, and the object does not change in between.
    ...(columns && { columns: mapReaders(columns, show) }),
  };
}

type Reader<Rest extends unknown[], R> = (object: ApiObject, ...rest: Rest) => R;

/** Returns the same readers for objects that `show` converts to the stored version. */
function mapReaders<Rest extends unknown[], R>(
  readers: Readonly<Record<string, Reader<Rest, R> | undefined>>,
  show: (object: ApiObject) => ApiObject,
): Record<string, Reader<Rest, R>> {
  return Object.fromEntries(
    Object.entries(readers).flatMap(([name, read]) =>
      read ? [[name, (object: ApiObject, ...rest: Rest): R => read(show(object), ...rest)]] : [],
    ),
  );
}

/** Converts objects for an allocation. Does not convert objects of the stored version, as the store has them. */
function allocationThrough(resource: ServedResource, { holds, assign, ...rest }: Allocation): Allocation {
  const { apiVersion } = resource.stored;
  const read = (object: ApiObject): ApiObject =>
    object.apiVersion === apiVersion ? object : toStored(resource, object);
  return {
    ...rest,
    holds: (object) => holds(read(object)),
    async assign(object, old, claims, context) {
      const stored = toStored(resource, object);
      const failure = await assign(stored, old && read(old), claims, context);
      replaceBy(object, fromStored(resource, stored));
      return failure;
    },
  };
}

function replaceBy(object: ApiObject, next: ApiObject): void {
  for (const key of Object.keys(object)) if (next[key] === undefined) delete object[key];
  Object.assign(object, next);
}

/**
 * Joins the declared and the named conversion. The named one runs first on the way to the stored version, and last on
 * the way from it.
 */
export function bindConversion(
  { conversion }: ResourceCode,
  {
    namedConversion,
    rename = (name) => name,
  }: { readonly namedConversion?: NamedConversion; readonly rename?: Rename },
): BoundConversion | undefined {
  if (!conversion && !namedConversion) return undefined;
  return {
    toStored: (object, report, fits) => {
      namedConversion?.toStored(object, rename, report);
      conversion?.toStored(object, rename, report, fits);
    },
    fromStored: (object, report) => {
      conversion?.fromStored(object, rename, report);
      namedConversion?.fromStored(object, rename, report);
    },
    keeps: {
      own: [...(conversion?.keeps?.own ?? []), ...(namedConversion?.keeps?.own ?? [])].map(rename),
      stored: [...(conversion?.keeps?.stored ?? []), ...(namedConversion?.keeps?.stored ?? [])].map(rename),
    },
    mayFail: conversion?.mayFail === true || namedConversion?.mayFail === true,
  };
}

/** A value that nothing else in the object has. */
const mark = '\u0000field';

/**
 * Returns the path that a field such as `regarding.name` has in the stored version. Converts an object with a mark in
 * the field, and searches for the mark. A field that no step moves keeps its path.
 */
export function storedFieldOf(path: string, conversion: Pick<BoundConversion, 'toStored'> | undefined): string {
  if (!conversion) return path;
  const object = nest(path.split('.'));
  conversion.toStored(object);
  return findMark(object) ?? path;
}

function nest([key = '', ...rest]: readonly string[]): JsonObject {
  const object: JsonObject = {};
  setOwn(object, key, rest.length === 0 ? mark : nest(rest));
  return object;
}

function findMark(value: JsonValue | undefined): string | undefined {
  if (!isObject(value)) return undefined;
  for (const [key, child] of Object.entries(value)) {
    if (child === mark) return key;
    const below = findMark(child);
    if (below !== undefined) return `${key}.${below}`;
  }
  return undefined;
}

/**
 * Returns the versions of a group for field ownership. If a kind is served in another group too, writes in this group
 * drop the owners in the other group.
 */
export function versionSource(
  group: string,
  sibling: (apiVersion: string) => ServedResource | undefined,
): VersionSource {
  return {
    versionOf: (apiVersion) => {
      const resource = sibling(apiVersion);
      if (resource?.module.group !== group) return undefined;
      return { plan: resource.plan, resetFields: resource.resetFields('') };
    },
    convert: (object, from, to) => {
      const [source, target] = [sibling(from), sibling(to)];
      if (!source || !target) return { ok: true, value: object };
      const failure = source.stored.fallible.length === 0 ? undefined : conversionFailure(source, target, object);
      return failure ? { ok: false, failure } : { ok: true, value: convertBetween(source, target, object) };
    },
  };
}
