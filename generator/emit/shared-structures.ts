/**
 * Finds common types of the versions of all kinds: types of libraries, and equal structures without a written type.
 * Each is printed once and imported.
 */
import type { Schema } from '../../runtime/contract/index.js';
import { memoizeByObject } from '../../runtime/objects/memoize.js';
import type { Model, ResourceModel, SharedType } from '../model/model.js';
import { compare } from '../write/order.js';
import { keyOf } from './emitter.js';
import { type Entry, entriesOf, libraryOfGroup, libraryOfGroups } from './layout.js';
import { sharedNamesOf } from './shared-types.js';
import { createNameScope, type NameScope, pathNames } from './source/name-scope.js';
import { joinNames, toPascal, toTypeName } from './source/naming.js';
import { countName, FIELD_KEYS, occurrencesIn, structureOf } from './structures.js';

/** A type that is printed once. */
export interface PrintedType extends SharedType {
  /** Names of the fields that have the structure, the most frequent first; absent for types of a library. */
  readonly fields?: readonly string[];
}

/** Everything that is printed once for several kinds. */
export interface SharedTypes {
  /** By name: `<library>#/<Name>`. */
  readonly types: ReadonlyMap<string, PrintedType>;
  /** The names of structures without a written type, by their keys. */
  readonly structures: ReadonlyMap<string, string>;
  /** Returns the name of the type that a schema is, if it is one. */
  readonly nameOf: (schema: Schema) => string | undefined;
}

/** Maximum number of field names in a comment. */
const MOST_FIELDS = 3;

/** A structure that several versions have. */
interface Common {
  readonly key: string;
  readonly schema: Schema;
  /** The first version that has it, and where. */
  readonly first: Entry;
  readonly path: readonly string[];
  readonly fields: Map<string, number>;
  readonly names: Map<string, number>;
  readonly groups: Set<string>;
  /** Kinds that have it. */
  readonly kinds: Set<unknown>;
  versions: number;
}

/**
 * Returns the shared types of a model: the types of its libraries, and the structures that several of its versions
 * have.
 */
export const sharedTypesOf: (model: Model) => SharedTypes = memoizeByObject((model: Model): SharedTypes => {
  const structures = nameStructures(commonStructures(model));
  const types = new Map<string, PrintedType>([...model.types, ...structures.types]);
  return {
    types,
    structures: structures.names,
    nameOf: (schema) => {
      const written = schema['x-kindforge-type'];
      if (written !== undefined && model.types.has(written)) return written;
      return structures.names.size === 0 ? undefined : structures.names.get(structureOf(schema).key);
    },
  };
});

function commonStructures(model: Model): readonly Common[] {
  const found = new Map<string, Common>();
  for (const entry of entriesOf(model)) {
    const { group, names: own } = entry.resource;
    for (const [key, { schema, fields, names, path }] of occurrencesIn(entry.version, own.kind)) {
      const common = found.get(key) ?? {
        key,
        schema,
        first: entry,
        path,
        fields: new Map<string, number>(),
        names: new Map<string, number>(),
        groups: new Set<string>(),
        kinds: new Set<unknown>(),
        versions: 0,
      };
      found.set(key, common);
      for (const [name, count] of fields) countName(common.fields, name, count);
      for (const [name, count] of names) countName(common.names, name, count);
      common.groups.add(group);
      common.kinds.add(entry.resource);
      common.versions++;
    }
  }
  return [...found.values()].filter(({ versions }) => versions > 1);
}

/**
 * Gives each structure the name that most of its fields have. If several structures want one name, the structure with
 * the most kinds gets it. The others start with the name of their kind, so that a change of one definition does not
 * rename the rest.
 */
function nameStructures(structures: readonly Common[]): {
  readonly names: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, PrintedType>;
} {
  const scopes = new Map<string, NameScope>();
  const names = new Map<string, string>();
  const types = new Map<string, PrintedType>();
  for (const each of [...structures].sort(byClaim)) {
    const library = libraryOf(each);
    const scope = scopes.get(library) ?? createNameScope();
    scopes.set(library, scope);
    const [wanted = ''] = byFrequency(each.names);
    const owner = toPascal(each.first.resource.names.kind);
    const candidates = [wanted, joinNames(owner, wanted), ...pathNames(owner, each.path)];
    const name = `${library}#/${scope.choose(candidates.map(toTypeName))}`;
    names.set(each.key, name);
    const fields = byFrequency(each.fields).slice(0, MOST_FIELDS);
    types.set(name, { name, schema: withoutField(each.schema), source: NOWHERE, fields });
  }
  return { names, types };
}

/** Returns whether a structure is a whole `spec` or `status`. It is then named after its kind. */
const isPart = ({ path }: Common): boolean => path.length === 1;

const byClaim = (a: Common, b: Common): number =>
  Number(isPart(b)) - Number(isPart(a)) || b.kinds.size - a.kinds.size || b.versions - a.versions;

const NOWHERE = { path: '', hash: '' };

function libraryOf({ groups }: Common): string {
  const [first = '', ...others] = groups;
  return others.length === 0 ? libraryOfGroup(first) : libraryOfGroups;
}

const byFrequency = (names: ReadonlyMap<string, number>): readonly string[] =>
  [...names].sort(([a, left], [b, right]) => right - left || compare(a, b)).map(([name]) => name);

function withoutField(schema: Schema): Schema {
  const { description: _description, default: _default, nullable: _nullable, ...structure } = schema;
  return structure;
}

/** Returns a text that changes with the names of a resource's shared structures. */
export function structureNamesIn(resource: ResourceModel, model: Model): string {
  const { structures, types } = sharedTypesOf(model);
  const names = sharedNamesOf(types);
  const used = resource.versions.flatMap((version) =>
    [...occurrencesIn(version, resource.names.kind).keys()].flatMap((key) => {
      const name = structures.get(key);
      return name === undefined ? [] : [[name, names.get(name)]];
    }),
  );
  return keyOf(used);
}

/** Returns the keys of a schema that belong to its field, with their values. */
export const fieldOverrides = (schema: Schema): readonly (readonly [string, unknown])[] =>
  FIELD_KEYS.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]] as const]));
