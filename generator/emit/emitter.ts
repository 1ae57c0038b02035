/** The interface of an emitter. */

import { memoizeByObject } from '../../runtime/objects/memoize.js';
import type { Model, ResourceModel } from '../model/model.js';
import { hashOf, lazyFile, type OutputFile } from '../write/output-file.js';
import { entriesOf } from './layout.js';
import { structureOf, toKey } from './structures.js';
import { hasStatusApply } from './types/kind-types.js';

/** An emitter: one kind of output, a pure function of the model. */
export interface Emitter {
  /** Its name, as in `types`, `openapi-v3`. */
  readonly name: string;
  /** Files of one resource; called again only if that resource, a type it uses, or a dependency has changed. */
  readonly emitResource?: (resource: ResourceModel, model: Model) => readonly OutputFile[];
  /** A text that changes with every input of the files of a resource, except for the resource and its types. */
  readonly dependsOn?: (resource: ResourceModel, model: Model) => string;
  /** Files that need the whole model. */
  readonly emitModel?: (model: Model) => readonly OutputFile[];
}

// Short texts that change with parts of the model. If the texts are the same, a file is not made again.

/** Returns a hash of values that JSON can express, and of bigints. */
export const keyOf = (...parts: readonly unknown[]): string => hashOf(toKey(parts));

/**
 * Returns a text that changes with a resource: with its definition file, and with the shared types that it refers to.
 */
export const fingerprintOf: (resource: ResourceModel) => string = memoizeByObject((resource: ResourceModel) => {
  const { source, group, names, decoding, versions } = resource;
  const types = decoding === 'typed' ? versions.map(({ schema }) => structureOf(schema).key) : [];
  return keyOf(source, group, names.plural, types);
});

/**
 * Returns a text that changes with the parts that all resources see: names of shared types, and whether fields have
 * numbers.
 */
export const surroundingsOf: (model: Model) => string = memoizeByObject(({ types, protobuf }: Model) =>
  keyOf([...types.keys()], protobuf !== undefined),
);

type EmitModel = NonNullable<Emitter['emitModel']>;

/** Returns files that are only printed again if names change. */
export const ofNames =
  (emit: EmitModel): EmitModel =>
  (model) => {
    const key = keyOf(namesIn(model));
    return emit(model).map((file) => lazyFile(file.path, key, () => file.content));
  };

/** Returns a resource without the schemas, for files about all resources. */
const namesIn = (model: Model): readonly unknown[] =>
  entriesOf(model).map(({ resource, version }) => {
    const { spec, status } = version.schema.properties ?? {};
    const has = [spec !== undefined, status !== undefined, hasStatusApply(version)];
    return [resource.group, resource.names, resource.verbs, version.name, version.served, has];
  });
