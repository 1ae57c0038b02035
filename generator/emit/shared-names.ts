/** The names that a library declares its types under in TypeScript; types whose names would be one get different ones. */
import type { SharedType } from '../model/model.js';
import { librariesOf, parseTypeName } from './shared-types.js';
import { createNameScope } from './source/name-scope.js';
import { toCamel, toTypeName, toVariable } from './source/naming.js';

/** The names of one shared type. */
export interface SharedNames {
  readonly plain: string;
  /** Of its apply form, whether it has one or not. */
  readonly apply: string;
  /** Of the constant that holds its schema. */
  readonly constant: string;
}

const known = new WeakMap<ReadonlyMap<string, SharedType>, ReadonlyMap<string, SharedNames>>();

/** The names of each shared type, by the type's name as in `meta/v1#/LabelSelector`. */
export function sharedNamesOf(types: ReadonlyMap<string, SharedType>): ReadonlyMap<string, SharedNames> {
  const before = known.get(types);
  if (before !== undefined) return before;
  const names = new Map([...librariesOf(types).values()].flatMap(namesInLibrary));
  known.set(types, names);
  return names;
}

/** Types keep their own names where they can; a type that cannot, and apply forms, take what is left. */
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
