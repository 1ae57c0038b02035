/** Finds out which functions of all resources are the same, and in which file each is at home. */
import {
  type Definition,
  type Definitions,
  keyOf,
  reachable,
  referencesOf,
  referenceTo,
  reservedNames,
  withReferences,
} from '../../../runtime/schema/index.js';
import type { Model } from '../../model/model.js';
import { compare } from '../../write/order.js';
import { parseTypeName } from '../shared-types.js';
import { createNameScope } from '../source/name-scope.js';

/** Definitions by number. */
type Numbered = ReadonlyMap<number, Definition>;

/** The definitions of a file, and its imports from libraries: names by number. */
export interface FileContents {
  readonly definitions: Numbered;
  readonly imports: ReadonlyMap<string, ReadonlyMap<number, string>>;
}

/** The definitions and offers of the file of a resource. */
export interface ResourceContents extends FileContents, Definitions {}

/** The definitions and exports of the file of a library. */
export interface LibraryContents extends FileContents {
  readonly exported: ReadonlyMap<number, string>;
}

/** The contents of all files. */
export interface FunctionPool<Resource> {
  readonly resources: ReadonlyMap<Resource, ResourceContents>;
  /** In order of their names. */
  readonly libraries: ReadonlyMap<string, LibraryContents>;
}

/** A definition that a library exports. */
interface Shared {
  readonly number: number;
  readonly type: string;
  readonly name: string;
}

/**
 * Divides the functions of all resources among files. A function of a shared type is defined once, in the file of the
 * type's library. Any other function is defined in each file that needs it, so that files do not import each other more
 * than their types do.
 */
export function poolFunctions<Resource>(
  modules: ReadonlyMap<Resource, Definitions>,
  types: Model['types'],
): FunctionPool<Resource> {
  const numbers = new Map<string, number>();
  const all = new Map<number, Definition>();
  const parts = [...modules].map(([resource, module]) => [resource, renumber(module, numbers, all)] as const);
  const exported = exportedBy(all, types);
  const homes = new Map(
    [...exported].flatMap(([library, names]) => [...names.keys()].map((n) => [n, library] as const)),
  );
  const importsOf = (definitions: Numbered): FileContents['imports'] => importsIn(definitions, homes, exported);

  const resources = parts.map(([resource, { definitions, offered }]): [Resource, ResourceContents] => {
    const own = reachable(offered.keys(), (number) => (homes.has(number) ? undefined : definitions.get(number)));
    return [resource, { definitions: own, offered, imports: importsOf(own) }];
  });
  const libraries = [...exported].map(([library, names]): [string, LibraryContents] => {
    const definitions = inReadingOrder(names.keys(), (number) => {
      return (homes.get(number) ?? library) === library ? all.get(number) : undefined;
    });
    return [library, { definitions, exported: names, imports: importsOf(definitions) }];
  });
  return { resources: new Map(resources), libraries: new Map(libraries) };
}

/** Gives the definitions of a module numbers that the same definitions of all modules have. */
function renumber(
  { definitions, offered }: Definitions,
  numbers: Map<string, number>,
  all: Map<number, Definition>,
): Definitions {
  const own = new Map<number, number>();
  const renumbered = new Map<number, Definition>();
  for (const [number, definition] of definitions) {
    const changed = withReferences(definition, (to) => referenceTo(own.get(to) ?? to));
    const key = `${offered.get(number) ?? ''} ${keyOf(changed)}`;
    const common = numbers.get(key) ?? numbers.size;
    numbers.set(key, common);
    if (!all.has(common)) all.set(common, changed);
    own.set(number, common);
    renumbered.set(common, changed);
  }
  const names = [...offered].map(([number, name]) => [own.get(number) ?? number, name] as const);
  return { definitions: renumbered, offered: new Map(names) };
}

/**
 * The exports of each library, in the order of types. Several functions have the same name where a schema says more than
 * the type does; all but the first get a number.
 */
function exportedBy(all: Numbered, types: Model['types']): FileContents['imports'] {
  const shared = [...all].flatMap(([number, definition]): Shared[] => {
    const about = 'body' in definition ? definition.shared : undefined;
    return about === undefined || !types.has(about.type) ? [] : [{ ...about, number }];
  });
  shared.sort((a, b) => compare(a.type, b.type) || compare(a.name, b.name) || a.number - b.number);
  const libraries = new Map<string, { names: Map<number, string>; scope: ReturnType<typeof createNameScope> }>();
  for (const { number, type, name } of shared) {
    const { library } = parseTypeName(type);
    const known = libraries.get(library) ?? { names: new Map(), scope: createNameScope(reservedNames) };
    libraries.set(library, known);
    known.names.set(number, known.scope.choose([name]));
  }
  return new Map([...libraries].map(([library, { names }]) => [library, names]));
}

/** The imports of definitions, by library in order of their names. */
function importsIn(
  definitions: Numbered,
  homes: ReadonlyMap<number, string>,
  exported: FileContents['imports'],
): FileContents['imports'] {
  const found = new Map<string, Map<number, string>>();
  for (const number of [...definitions.values()].flatMap(referencesOf)) {
    const library = homes.get(number);
    if (library === undefined || definitions.has(number)) continue;
    const names = found.get(library) ?? new Map<number, string>();
    found.set(library, names.set(number, exported.get(library)?.get(number) ?? ''));
  }
  return new Map([...found].sort(([a], [b]) => compare(a, b)));
}

/** Definitions with what they lead to, so that they are read in their order and each is followed by its own. */
function inReadingOrder(from: Iterable<number>, definitionOf: (number: number) => Definition | undefined): Numbered {
  const found = new Map<number, Definition>();
  const roots = new Set(from);
  const visit = (number: number): void => {
    const definition = found.has(number) ? undefined : definitionOf(number);
    if (definition === undefined) return;
    found.set(number, definition);
    for (const next of referencesOf(definition)) if (!roots.has(next)) visit(next);
  };
  for (const root of roots) visit(root);
  // The first one read is printed last.
  return new Map([...found].reverse());
}
