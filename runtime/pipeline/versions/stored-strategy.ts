/** A kind's strategy for versions that are not stored as they are: its hooks get objects of the stored version. */
import type { Allocation, ApiObject, Strategy } from '../../contract/index.js';
import { memoizeByObject } from '../../objects/memoize.js';
import type { ServedResource } from '../served-resource.js';
import { fromStored, toStored } from './versions.js';

/**
 * The strategy of the stored version for another one. Every hook that a strategy has is kept, and costs a conversion;
 * those that change the object, one there and one back. `canonicalize` is left out: decoding calls that of the stored
 * version.
 */
export function throughStored(resource: ServedResource, strategy: Strategy): Strategy {
  const read = (object: ApiObject): ApiObject => toStored(resource, object);
  const change = (object: ApiObject, hook: (stored: ApiObject) => void): void => {
    const stored = read(object);
    hook(stored);
    replaceBy(object, fromStored(resource, stored));
  };
  const { kind, pruneLater, allocation, prepareForCreate, prepareForUpdate, prepareForDelete, validateName } = strategy;
  const { prepareChecks, validate, validateCreate, validateUpdate, warnings } = strategy;
  const { mayRemove, gracePeriod, selectableField, cell } = strategy;
  const {
    changeOrder,
    changesFirst,
    checkedOnce,
    errorOrder,
    repeatsErrors,
    repeatsMetadataErrors,
    propagation,
    orphanWarning,
    storePreconditions,
  } = strategy;
  const show = memoizeByObject(read);
  return {
    kind,
    ...(changeOrder && { changeOrder }),
    ...(changesFirst && { changesFirst }),
    ...(checkedOnce && { checkedOnce }),
    ...(errorOrder && { errorOrder }),
    ...(repeatsErrors && { repeatsErrors }),
    ...(repeatsMetadataErrors && { repeatsMetadataErrors }),
    ...(validateName && { validateName }),
    ...(propagation && { propagation }),
    ...(orphanWarning && { orphanWarning }),
    ...(storePreconditions && { storePreconditions }),
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
    ...(warnings && { warnings: (object, old) => warnings(read(object), old && read(old)) }),
    ...(mayRemove && { mayRemove: (object) => mayRemove(read(object)) }),
    ...(gracePeriod && { gracePeriod: (object, wanted) => gracePeriod(read(object), wanted) }),
    ...(selectableField && { selectableField: (object, path) => selectableField(read(object), path) }),
    // A row asks for each of its cells; the object is not changed in between.
    ...(cell && { cell: (object, column, now) => cell(show(object), column, now) }),
  };
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
