/** Short texts that change with parts of the model, by which files are known to be as they would come out again. */
import { memoizeByObject } from '../../runtime/objects/memoize.js';
import type { Model, ResourceModel } from '../model/model.js';
import { hashOf } from '../write/hash.js';
import { structureOf, toKey } from './structures.js';

/** A hash of values that JSON can say, and of bigints. */
export const keyOf = (...parts: readonly unknown[]): string => hashOf(toKey(parts));

/** Changes with a resource: with the file that it is written in, and with the shared types that it refers to. */
export const fingerprintOf: (resource: ResourceModel) => string = memoizeByObject((resource: ResourceModel) => {
  const { source, group, names, decoding, versions } = resource;
  const types = decoding === 'typed' ? versions.map(({ schema }) => structureOf(schema).key) : [];
  return keyOf(source, group, names.plural, types);
});

/** Changes with what all resources can see: the names of shared types, and whether fields have numbers. */
export const surroundingsOf: (model: Model) => string = memoizeByObject(({ types, protobuf }: Model) =>
  keyOf([...types.keys()], protobuf !== undefined),
);
