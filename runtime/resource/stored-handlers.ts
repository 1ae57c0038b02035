/** A kind's handlers for versions that are not stored as they are: they get objects of the stored version. */
import type { Allocation, ApiObject, Handlers } from '../contract/index.js';
import { memoizeByObject } from '../objects/memoize.js';
import type { ServedResource } from './served-resource.js';
import { fromStored, toStored } from './versions.js';

/**
 * The handlers of the stored version for another one. Every handler that a kind has is kept, and costs a conversion;
 * those that change the object, one there and one back. `canonicalize` is left out: decoding calls that of the stored
 * version.
 */
export function throughStored(resource: ServedResource, handlers: Handlers): Handlers {
  const read = (object: ApiObject): ApiObject => toStored(resource, object);
  const change = (object: ApiObject, handler: (stored: ApiObject) => void): void => {
    const stored = read(object);
    handler(stored);
    replaceBy(object, fromStored(resource, stored));
  };
  const { canonicalize: _, pruneLater, allocation, prepareForCreate, prepareForUpdate, ...others } = handlers;
  const { prepareForDelete, prepareChecks, validate, validateCreate, validateUpdate, warn, ...more } = others;
  const { mayRemove, gracePeriod, selectableFields, columns, ...withoutObjects } = more;
  const show = memoizeByObject(read);
  return {
    ...withoutObjects,
    ...(allocation && { allocation: allocationThrough(resource, allocation) }),
    ...(pruneLater && {
      pruneLater: (object, report) => {
        const dropped: string[] = [];
        const stored = read(object);
        pruneLater(stored, (path) => dropped.push(path));
        if (dropped.length > 0) replaceBy(object, fromStored(resource, stored));
        dropped.forEach(report);
      },
    }),
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
    // A row asks for each of its cells; the object is not changed in between.
    ...(columns && { columns: mapReaders(columns, show) }),
  };
}

type Reader<Rest extends unknown[], R> = (object: ApiObject, ...rest: Rest) => R;

/** The same readers for objects that `show` turns into those of the stored version. */
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

/** Objects of the stored version are asked as they are: those in the store are among them. */
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
