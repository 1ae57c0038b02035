/** Decides which schema files of libraries may import which others, so that each constant exists before it is used. */
import type { Schema } from '../../runtime/contract/index.js';
import type { SharedType } from '../model/model.js';
import { keyOf } from './emitter.js';
import type { PrintedType, SharedTypes } from './shared-structures.js';
import { parseTypeName, sharedNamesOf, sourcesIn } from './shared-types.js';
import { FIELD_KEYS, structureOf } from './structures.js';

/** Returns the names of the shared types that a type's schema refers to directly, in the order of the schema. */
export const referencesIn = (
  { name: own, schema }: Pick<SharedType, 'name' | 'schema'>,
  { nameOf }: SharedTypes,
): ReadonlySet<string> => {
  const found = new Set<string>();
  const seen = new Set<Schema>();
  const visit = (node: Schema): void => {
    if (seen.has(node)) return;
    seen.add(node);
    const name = node === schema ? node['x-kindforge-type'] : nameOf(node);
    if (name !== undefined && name !== own) {
      found.add(name);
      return;
    }
    Object.values(node.properties ?? {}).forEach(visit);
    if (node.items !== undefined) visit(node.items);
    if (typeof node.additionalProperties === 'object') visit(node.additionalProperties);
  };
  visit(schema);
  return found;
};

/** The order in which schema files can run. */
export interface LibraryOrder {
  /** Returns whether one library may use the constants of another, or of itself. */
  readonly mayImport: (library: string, from: string) => boolean;
  /** The libraries that one may use, including itself. */
  readonly importsOf: (library: string) => readonly string[];
  /** The types of a library, each after the types it refers to. */
  readonly sort: (types: readonly SharedType[]) => readonly SharedType[];
}

/**
 * Orders libraries, each after the libraries it refers to. If two refer to each other, only the first may import the
 * other.
 */
export const orderLibraries = (shared: SharedTypes): LibraryOrder => {
  const { types } = shared;
  const references = new Map([...types].map(([name, type]) => [name, [...referencesIn(type, shared)].sort()]));
  const libraries = new Map<string, Set<string>>();
  for (const [name, targets] of references) {
    const { library } = parseTypeName(name);
    const known = libraries.get(library) ?? new Set();
    for (const target of targets) known.add(parseTypeName(target).library);
    libraries.set(library, known);
  }

  const allowed = new Map<string, Set<string>>();
  const open = new Set<string>();
  const visitLibrary = (library: string): void => {
    if (allowed.has(library)) return;
    const own = new Set([library]);
    allowed.set(library, own);
    open.add(library);
    for (const target of [...(libraries.get(library) ?? [])].sort()) {
      if (!open.has(target)) own.add(target);
      visitLibrary(target);
    }
    open.delete(library);
  };
  [...libraries.keys()].sort().forEach(visitLibrary);

  const sort = (members: readonly SharedType[]): readonly SharedType[] => {
    const sorted = new Set<SharedType>();
    const started = new Set<string>();
    const names = new Set(members.map(({ name }) => name));
    const visit = (name: string): void => {
      const type = types.get(name);
      if (type === undefined || !names.has(name) || started.has(name)) return;
      started.add(name);
      references.get(name)?.forEach(visit);
      sorted.add(type);
    };
    for (const { name } of members) visit(name);
    return [...sorted];
  };
  return {
    mayImport: (library, from) => allowed.get(library)?.has(from) ?? true,
    importsOf: (library) => [...(allowed.get(library) ?? [])],
    sort,
  };
};

/** Returns a text that changes with the types of a library, their files, and the names of all types they refer to. */
export function libraryKey(types: readonly PrintedType[], shared: SharedTypes): string {
  const names = sharedNamesOf(shared.types);
  const parts = types.map((type) => {
    const { name, schema, fields } = type;
    const references = [...referencesIn(type, shared)].map((reference) => [reference, names.get(reference)]);
    return [name, names.get(name), structureOf(schema).key, FIELD_KEYS.map((key) => schema[key]), fields, references];
  });
  return keyOf(sourcesIn(types), parts);
}
