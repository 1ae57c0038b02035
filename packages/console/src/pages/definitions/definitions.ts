/** Joins the kinds of a server with its definitions. */
import { type DynamicApi, type DynamicObject, isForbidden, type ServedKind } from 'kindforge/client';
import { ownKinds } from '../../data/navigation.js';
import { type CustomDefinition, readCustomDefinition } from './custom-definition.js';

export interface DefinitionVersion {
  readonly name: string;
  readonly isServed: boolean;
  readonly isPreferred: boolean;
  /** Whether new objects are stored in it, and whether old ones may be; unknown for kinds without a definition. */
  readonly isStorage: boolean;
  readonly isStored: boolean;
  /** The warning to users of a deprecated version; `undefined` if it is not deprecated. */
  readonly warning?: string | undefined;
  /** Absent if the version is not served. */
  readonly served?: ServedKind | undefined;
}

export interface Definition {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly shortNames: readonly string[];
  readonly verbs: readonly string[];
  readonly versions: readonly DefinitionVersion[];
  /** The CustomResourceDefinition, if the kind has one and the user may read it. */
  readonly custom?: CustomDefinition | undefined;
}

export interface DefinitionGroup {
  readonly group: string;
  readonly definitions: readonly Definition[];
}

/** The resource of definitions. */
export const customDefinitions = 'customresourcedefinitions';

/** Lists the CustomResourceDefinitions. Resolves to `undefined` if the user may not read them. */
export async function readCustomDefinitions(
  client: DynamicApi,
  kinds: readonly ServedKind[],
): Promise<readonly CustomDefinition[] | undefined> {
  const kind = kinds.find(({ plural }) => plural === customDefinitions);
  if (!kind) return [];
  const { group, version, plural } = kind;
  try {
    const found: DynamicObject[] = [];
    for await (const object of (await client.resource({ group, version, plural })).each({ limit: 100 }))
      found.push(object);
    return found.map(readCustomDefinition);
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

/**
 * Joins the facts of discovery and definitions, by group. Groups of the user come first, the others in the order of the
 * server; kinds are sorted by name.
 */
export function definitionsOf(
  kinds: readonly ServedKind[],
  customs: readonly CustomDefinition[],
): readonly DefinitionGroup[] {
  const served = groupedBy(kinds, ({ group, plural }) => keyOf(group, plural));
  const byKey = new Map(customs.map((custom) => [keyOf(custom.group, custom.plural), custom]));
  const all = [...new Set([...served.keys(), ...byKey.keys()])].map((key) => {
    return toDefinition(served.get(key) ?? [], byKey.get(key));
  });
  const own = new Set(ownKinds(kinds).map(({ group }) => group));
  return [...groupedBy(all, ({ group }) => group)]
    .map(([group, definitions]) => ({
      group,
      definitions: definitions.toSorted((a, b) => (a.plural < b.plural ? -1 : 1)),
    }))
    .toSorted((a, b) => Number(own.has(b.group)) - Number(own.has(a.group)));
}

function groupedBy<T>(all: readonly T[], toKey: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const there = groups.get(toKey(one));
    if (there) there.push(one);
    else groups.set(toKey(one), [one]);
  }
  return groups;
}

const keyOf = (group: string, plural: string): string => `${group}/${plural}`;

function toDefinition(served: readonly ServedKind[], custom: CustomDefinition | undefined): Definition {
  const first = served.find(({ isPreferred }) => isPreferred) ?? served[0];
  const names = new Set([...served.map(({ version }) => version), ...(custom?.versions ?? []).map(({ name }) => name)]);
  return {
    group: first?.group ?? custom?.group ?? '',
    plural: first?.plural ?? custom?.plural ?? '',
    kind: first?.kind ?? custom?.kind ?? '',
    scope: first?.scope ?? custom?.scope ?? 'Namespaced',
    shortNames: first?.shortNames ?? custom?.shortNames ?? [],
    verbs: first?.verbs ?? [],
    versions: [...names].map((name) => toVersion(name, served, custom)),
    custom,
  };
}

function toVersion(
  name: string,
  kinds: readonly ServedKind[],
  custom: CustomDefinition | undefined,
): DefinitionVersion {
  const served = kinds.find(({ version }) => version === name);
  const defined = custom?.versions.find((version) => version.name === name);
  return {
    name,
    isServed: served !== undefined,
    isPreferred: served?.isPreferred ?? false,
    isStorage: defined?.isStorage ?? false,
    isStored: custom?.storedVersions.includes(name) ?? false,
    warning: defined?.warning,
    served,
  };
}

/** Keeps the definitions that contain each word in the group, a name or a version. */
export function filtered(groups: readonly DefinitionGroup[], words: string): readonly DefinitionGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ group, plural, kind, shortNames, versions }: Definition): boolean => {
    const text = [plural, kind, group || 'core', ...shortNames, ...versions.map(({ name }) => name)].join(' ');
    return wanted.every((word) => text.toLowerCase().includes(word));
  };
  return groups
    .map(({ group, definitions }) => ({ group, definitions: definitions.filter(fits) }))
    .filter(({ definitions }) => definitions.length > 0);
}
