/** Finds where two definitions of a resource differ as a whole: names, scope, verbs, and versions. */

import type { JsonValue } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import type { ResourceModel, VersionModel } from '../../model/model.js';
import { preferredVersion } from '../../model/stage.js';
import type { Difference } from '../difference.js';
import { moveRelations } from './moved-relations.js';
import { plainValue } from './plain-schema.js';

/** A difference without the name of the resource. */
export type ResourceDifference = Omit<Difference, 'resource'>;

/** The keys of a resource that are compared as values, by their names in differences. */
const keys: Readonly<Record<string, (resource: ResourceModel) => unknown>> = {
  scope: ({ scope }) => scope,
  kind: ({ names }) => names.kind,
  listKind: ({ names }) => names.listKind,
  singular: ({ names }) => names.singular,
  decoding: ({ decoding }) => decoding,
  virtual: ({ virtual }) => virtual,
  withoutMetadata: ({ withoutMetadata }) => withoutMetadata,
  nameRule: ({ nameRule }) => nameRule,
  generation: ({ generation }) => generation,
  deleteReturns: ({ deleteReturns }) => deleteReturns,
  createOnUpdate: ({ createOnUpdate }) => createOnUpdate,
  unconditionalUpdate: ({ unconditionalUpdate }) => unconditionalUpdate,
  untracked: ({ untracked }) => untracked,
  featureGate: ({ featureGate }) => featureGate,
  storedAs: ({ storedAs }) => storedAs,
  access: ({ access }) => ({ read: access?.read ?? 'view', write: access?.write ?? 'edit' }),
  // Only the server needs to know the address of the webhook.
  conversionStrategy: ({ conversionWebhook }) => (conversionWebhook === undefined ? 'None' : 'Webhook'),
};

/** Lists of names. Each name is a difference of its own. */
const lists: Readonly<Record<string, (resource: ResourceModel) => readonly string[]>> = {
  shortNames: ({ names }) => names.shortNames,
  categories: ({ names }) => names.categories,
  verbs: ({ verbs }) => verbs,
};

/** Returns the differences of two definitions of a resource. One may be absent. */
export function compareResources(
  old: ResourceModel | undefined,
  next: ResourceModel | undefined,
): readonly ResourceDifference[] {
  if (old === undefined || next === undefined) {
    const about = { path: '', keyword: 'resource' };
    return [old === undefined ? { ...about, new: next?.names.kind ?? '' } : { ...about, old: old.names.kind }];
  }
  const moved = moveRelations(old, next);
  return [
    ...Object.entries(keys).flatMap(([keyword, read]) => keyDifference(keyword, read(old), read(next))),
    ...Object.entries(lists).flatMap(([keyword, read]) => listDifferences(keyword, read(old), read(next))),
    ...relationDifferences('references', moved.references, next.references, ({ field, kind }) => `${field} → ${kind}`),
    ...relationDifferences('unique', moved.unique, next.unique, ({ fields }) => fields.join(' + ')),
    ...versionDifferences(old, next),
    ...markedVersion('storage', storedVersion(old), storedVersion(next)),
    ...markedVersion('preferred', preferredVersion(old), preferredVersion(next)),
  ];
}

/** Yields a difference of one key, if there is one. */
export function keyDifference(keyword: string, old: unknown, next: unknown, path = ''): readonly ResourceDifference[] {
  const [was, is] = [plainValue(old), plainValue(next)];
  return equal(was, is) ? [] : [{ path, keyword, ...given('old', was), ...given('new', is) }];
}

function given<K extends 'old' | 'new'>(key: K, value: JsonValue | undefined): { readonly [P in K]?: JsonValue } {
  const entry: { [P in K]?: JsonValue } = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}

/** Yields a difference for each name in only one of the lists. The path is the name. */
export function listDifferences(
  keyword: string,
  old: readonly string[],
  next: readonly string[],
): readonly ResourceDifference[] {
  const gone = old.filter((name) => !next.includes(name)).map((name) => ({ path: name, keyword, old: name }));
  const fresh = next.filter((name) => !old.includes(name)).map((name) => ({ path: name, keyword, new: name }));
  return [...gone, ...fresh];
}

/** Yields a difference for each relation that only one side has, or that has changed. */
function relationDifferences<T>(
  keyword: string,
  old: readonly T[] = [],
  next: readonly T[] = [],
  nameOf: (relation: T) => string,
): readonly ResourceDifference[] {
  const [was, is] = [old, next].map((relations) => new Map(relations.map((each) => [nameOf(each), each])));
  const names = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
  return [...names].flatMap((name) => keyDifference(keyword, was?.get(name), is?.get(name), name));
}

function versionDifferences(old: ResourceModel, next: ResourceModel): readonly ResourceDifference[] {
  const only = (these: ResourceModel, others: ResourceModel): readonly VersionModel[] =>
    these.versions.filter(({ name }) => !others.versions.some((version) => version.name === name));
  return [
    ...only(old, next).map(({ name }) => ({ version: name, path: '', keyword: 'versions', old: name })),
    ...only(next, old).map(({ name }) => ({ version: name, path: '', keyword: 'versions', new: name })),
  ];
}

function markedVersion(
  keyword: string,
  old: string | undefined,
  next: string | undefined,
): readonly ResourceDifference[] {
  if (old === undefined || next === undefined || old === next) return [];
  return [{ version: next, path: '', keyword, old, new: next }];
}

const storedVersion = ({ versions }: ResourceModel): string | undefined =>
  versions.find((version) => version.storage)?.name;
