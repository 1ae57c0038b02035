/** Shared types: their names, their libraries, and how a schema that refers to one differs from it. */
import type { Schema } from '../../runtime/contract/index.js';
import type { SharedType, SourceFile } from '../model/model.js';
import { compare } from '../write/order.js';
import { createNameScope } from './source/name-scope.js';
import { toCamel, toTypeName, toVariable } from './source/naming.js';

/** A shared type's library and own name. */
export interface TypeReference {
  readonly library: string;
  readonly name: string;
}

/** Splits the name of a shared type, as in `meta/v1#/LabelSelector`. */
export const parseTypeName = (text: string): TypeReference => {
  const cut = text.indexOf('#/');
  return { library: text.slice(0, cut), name: text.slice(cut + 2) };
};

/** Returns the shared types of each library, ordered by name. */
export const librariesOf = <T extends SharedType>(types: ReadonlyMap<string, T>): ReadonlyMap<string, readonly T[]> => {
  const libraries = new Map<string, T[]>();
  for (const type of [...types.values()].sort((a, b) => compare(a.name, b.name))) {
    const { library } = parseTypeName(type.name);
    const members = libraries.get(library);
    if (members === undefined) libraries.set(library, [type]);
    else members.push(type);
  }
  return libraries;
};

/** Returns the files of types; none for structures without a written type. */
export const sourcesIn = (types: readonly SharedType[]): readonly SourceFile[] => {
  const written = types.filter(({ source }) => source.path !== '');
  return [...new Map(written.map(({ source }) => [source.path, source])).values()];
};

const sameJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(Reflect.get(a, key), Reflect.get(b, key)));
};

/** Returns how a schema differs from the shared type that it names; `undefined` if it lacks something of the type. */
export const overridesOf = (schema: Schema, shared: Schema): readonly (readonly [string, unknown])[] | undefined => {
  if (Object.keys(shared).some((key) => !Object.hasOwn(schema, key))) return undefined;
  const differs = ([key, value]: readonly [string, unknown]): boolean =>
    key !== 'x-kindforge-type' && !sameJson(value, Reflect.get(shared, key));
  return Object.entries(schema).filter(differs);
};

// The TypeScript names under which a library declares its types. Types with equal names get different ones.

/** The names of one shared type. */
export interface SharedNames {
  readonly plain: string;
  /** The name of its apply form, even if it has none. */
  readonly apply: string;
  /** The name of the constant with its schema. */
  readonly constant: string;
}

const known = new WeakMap<ReadonlyMap<string, SharedType>, ReadonlyMap<string, SharedNames>>();

/** Returns the names of each shared type, by the type's name as in `meta/v1#/LabelSelector`. */
export function sharedNamesOf(types: ReadonlyMap<string, SharedType>): ReadonlyMap<string, SharedNames> {
  const before = known.get(types);
  if (before !== undefined) return before;
  const names = new Map([...librariesOf(types).values()].flatMap(namesInLibrary));
  known.set(types, names);
  return names;
}

/** Chooses names. Types keep their own names if possible; other types, and apply forms, take free ones. */
function namesInLibrary(types: readonly SharedType[]): readonly (readonly [string, SharedNames])[] {
  const own = types.map(({ name }) => ({ name, written: parseTypeName(name).name }));
  const scope = createNameScope(own.map(({ written }) => written).filter((name) => toTypeName(name) === name));
  const constants = createNameScope();
  const plain = own.map(({ name, written }) => {
    const wanted = toTypeName(written);
    return { name, plain: wanted === written ? wanted : scope.choose([wanted]) };
  });
  return plain.map((each) => [
    each.name,
    {
      plain: each.plain,
      apply: scope.choose([`${each.plain}ApplyConfiguration`]),
      constant: constants.choose([toVariable(toCamel(each.plain))]),
    },
  ]);
}
