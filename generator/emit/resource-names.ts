/** Chooses names of groups, versions and resources as properties of the client: `api.storage.v1.csiDrivers`. */

import type { Model, ResourceModel } from '../model/model.js';
import { compare } from '../write/order.js';
import { type Entry, entriesOf } from './layout.js';
import { createNameScope, type NameScope } from './source/name-scope.js';
import { toCamel, toPascal, toVariable } from './source/naming.js';

/** The property that would make an object a promise for `await`. */
const THENABLE = 'then';

/** Returns the plural with the capitals of the kind: `csidrivers` of `CSIDriver` → `csiDrivers`. */
export const resourceProperty = ({ names }: ResourceModel): string => {
  const kind = toCamel(names.kind);
  const shared = kind.length === names.kind.length ? sharedLength(kind.toLowerCase(), names.plural) : 0;
  const property = kind.slice(0, shared) + names.plural.slice(shared);
  return safe(toVariable(property.replace(/[^A-Za-z0-9]+(.?)/g, (_, next: string) => next.toUpperCase())));
};

const safe = (name: string): string => (name === THENABLE ? `${name}_` : name === '' ? '_' : name);

const sharedLength = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
};

/** Returns a version as a property, as in `v1`. Leaves out characters that identifiers cannot have. */
export const versionProperty = (version: string): string => safe(toVariable(toCamel(version)));

const firstLabel = (group: string): string => (group === '' ? 'core' : (group.split('.')[0] ?? ''));

/**
 * Returns a property for each group: its first label in camel case (`storage`, `certManager`), or all labels if two
 * groups share the first. The core group is `core`.
 */
export const groupProperties = (model: Model): ReadonlyMap<string, string> => {
  const groups = [...new Set(model.resources.map(({ group }) => group))].sort(compare);
  const shortOf = (group: string): string => safe(toVariable(toCamel(firstLabel(group))));
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(shortOf(group), (counts.get(shortOf(group)) ?? 0) + 1);
  const scope = createNameScope();
  return new Map(
    groups.map((group) => {
      const isShort = group === '' || counts.get(shortOf(group)) === 1;
      return [group, scope.choose([isShort ? shortOf(group) : safe(toVariable(toCamel(toPascal(group))))])] as const;
    }),
  );
};

/** The place of a version of a resource in the tree of all of them. */
export interface TreePlace extends Entry {
  readonly groupProperty: string;
  readonly versionProperty: string;
  readonly property: string;
  /** Its unique name: its property, with group and version in front if that is taken. */
  readonly unique: string;
}

/**
 * Returns properties for names, each once within its scope. Names can differ in characters that identifiers do not
 * have.
 */
const distinctNames = (): ((scope: string, name: string, wanted: string) => string) => {
  const scopes = new Map<string, NameScope>();
  const chosen = new Map<string, string>();
  return (within, name, wanted) => {
    const scope = scopes.get(within) ?? createNameScope();
    scopes.set(within, scope);
    const key = `${within} ${name}`;
    const property = chosen.get(key) ?? scope.choose([wanted]);
    chosen.set(key, property);
    return property;
  };
};

/** Returns the places of all versions of all resources. No unique name is one of the reserved ones. */
export const treePlaces = (model: Model, reserved: readonly string[]): readonly TreePlace[] => {
  const groups = groupProperties(model);
  const scope = createNameScope(reserved);
  const versions = distinctNames();
  const resources = distinctNames();
  return entriesOf(model).map((entry) => {
    const { group, names } = entry.resource;
    const groupProperty = groups.get(group) ?? '';
    const version = versions(group, entry.version.name, versionProperty(entry.version.name));
    const property = resources(`${group}/${entry.version.name}`, names.plural, resourceProperty(entry.resource));
    const unique = scope.choose([property, groupProperty + toPascal(version) + toPascal(property)]);
    return { ...entry, groupProperty, versionProperty: version, property, unique };
  });
};
