/** Builds discovery documents: the groups, versions and resources that are served. */
import { createHash } from 'node:crypto';
import type { JsonObject, KindReference, ResourceModule, Subresource, Verb } from '../contract/index.js';
import { compareVersions, formatGroupVersion } from '../objects/names/names.js';
import type { Registry } from '../registry/registry.js';
import type { ResourceNames, ResourceVersions, ServedResource } from '../resource/served-resource.js';
import { type GroupVersions, type RemoteApis, remoteVersions, withRemoteGroups } from './remote-apis.js';

// The order of groups in discovery. Clients resolve a short name to the first group that has it.

/** Built-in groups in the order of the reference, without the domain of the naming. */
const ranked: readonly string[] = [
  'apiregistration',
  'apps',
  'events',
  'authentication',
  'authorization',
  'autoscaling',
  'batch',
  'certificates',
  'networking',
  'policy',
  'rbac.authorization',
  'storage',
  'admissionregistration',
  'apiextensions',
  'scheduling',
  'coordination',
  'node',
  'discovery',
  'flowcontrol',
  'internal',
  'resource',
  'storagemigration',
];

/** Compares two groups: built-in groups come first by rank, the others by name. */
export function compareGroups(a: string, b: string): number {
  return rankOf(a) - rankOf(b) || (a < b ? -1 : 1);
}

function rankOf(group: string): number {
  const rank = ranked.indexOf(group.replace(/(?:\.apiserver)?\.(?:platform|k8s)\.io$/, ''));
  return rank < 0 ? ranked.length : rank;
}

const isRanked = (group: string): boolean => rankOf(group) < ranked.length;

/**
 * Returns groups in the order of the reference, without the core group; versions from stable to alpha, newest first.
 * Groups of other servers are placed by their priorities.
 */
export function groupsOf(registry: Registry, remote?: RemoteApis): readonly GroupVersions[] {
  const own = ownGroups(registry);
  return remote ? withRemoteGroups(own, remoteVersions(registry, remote), remote, isRanked) : own;
}

function ownGroups(registry: Registry): readonly GroupVersions[] {
  const versions = new Map<string, Set<string>>();
  for (const { module } of registry.resources) {
    const known = versions.get(module.group) ?? new Set();
    versions.set(module.group, known.add(module.version));
  }
  return [...versions]
    .filter(([group]) => group !== '')
    .sort(([a], [b]) => compareGroups(a, b))
    .map(([group, known]) => ({ group, versions: [...known].sort(compareVersions) }));
}

/** Returns the document of `/api`: versions of the core group. */
export function apiVersions(registry: Registry, serverAddress: string): JsonObject {
  const versions = new Set(
    registry.resources.filter(({ module }) => module.group === '').map(({ module }) => module.version),
  );
  return {
    kind: 'APIVersions',
    versions: [...versions].sort(compareVersions),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** Returns the document of `/apis`: all named groups. */
export const apiGroupList = (registry: Registry, remote?: RemoteApis): JsonObject => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groupsOf(registry, remote).map(groupDocument),
});

/** Returns the document of `/apis/<group>`. */
export function apiGroup(registry: Registry, group: string, remote?: RemoteApis): JsonObject | undefined {
  const found = groupsOf(registry, remote).find((one) => one.group === group);
  return found && { kind: 'APIGroup', apiVersion: 'v1', ...groupDocument(found) };
}

function groupDocument({ group, versions }: GroupVersions): JsonObject {
  const listed = versions.map((version) => ({ groupVersion: formatGroupVersion(group, version), version }));
  return { name: group, versions: listed, preferredVersion: { ...listed[0] } };
}

/** Returns the document of `/api/v1` or `/apis/<group>/<version>`: the resources of a version. */
export function apiResourceList(registry: Registry, group: string, version: string): JsonObject {
  const resources = inVersion(registry, group, version).flatMap(resourceDocuments);
  const groupVersion = formatGroupVersion(group, version);
  // The core group's list has never had an apiVersion.
  return { kind: 'APIResourceList', ...(group === '' ? {} : { apiVersion: 'v1' }), groupVersion, resources };
}

/** Returns the resources of a version, sorted by plural. */
export function inVersion(registry: Registry, group: string, version: string): readonly ServedResource[] {
  return registry.resources
    .filter(({ module }) => module.group === group && module.version === version)
    .sort((a, b) => (a.module.names.plural < b.module.names.plural ? -1 : 1));
}

function resourceDocuments(resource: ResourceNames & ResourceVersions): JsonObject[] {
  const { names, scope, verbs } = resource.module;
  const namespaced = scope === 'Namespaced';
  const own: JsonObject = {
    name: names.plural,
    singularName: names.singular,
    namespaced,
    kind: names.kind,
    verbs: listedVerbs(resource.module, verbs),
  };
  if (names.shortNames.length > 0) own.shortNames = [...names.shortNames];
  if (names.categories.length > 0) own.categories = [...names.categories];
  own.storageVersionHash = storageVersionHash(resource);
  return [own, ...sortedSubresources(resource).map((subresource) => subresourceDocument(resource, subresource))];
}

/** Returns subresources sorted by name; for custom resources in the order of the definition. */
export const sortedSubresources = ({ module }: ResourceNames): readonly Subresource[] =>
  module.decoding === 'structural'
    ? module.subresources
    : [...module.subresources].sort((a, b) => (a.name < b.name ? -1 : 1));

/** The order in which the reference lists the verbs of custom resources. */
const customVerbs: readonly Verb[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];

/** Returns the verbs of a resource in the listed order. */
export const listedVerbs = ({ decoding }: ResourceModule, verbs: readonly Verb[]): Verb[] =>
  decoding === 'structural' ? customVerbs.filter((verb) => verbs.includes(verb)) : [...verbs].sort();

/** Returns the kind that a subresource takes and returns: its own, or the resource's. */
export function kindOfSubresource(module: ResourceModule, { kind, scale }: Subresource): KindReference {
  if (scale) return scaleKind;
  return kind ?? { group: module.group, version: module.version, kind: module.names.kind };
}

const scaleKind: KindReference = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

function subresourceDocument({ module }: ResourceNames, subresource: Subresource): JsonObject {
  const { group, version, kind } = kindOfSubresource(module, subresource);
  const foreign = group !== module.group || version !== module.version;
  return {
    name: `${module.names.plural}/${subresource.name}`,
    singularName: '',
    namespaced: module.scope === 'Namespaced',
    ...(foreign ? { group, version } : {}),
    kind,
    verbs: [...subresource.verbs].sort(),
  };
}

/** Enough to make a collision within one cluster unlikely. */
const bytes = 8;

/** Returns a base64 hash of the stored version, which is the same in all versions of a resource. */
function storageVersionHash({ stored: { module } }: ResourceVersions): string {
  const { group, version, names, hashedVersion = version } = module;
  const digest = createHash('sha256').update(`${group}/${hashedVersion}/${names.kind}`).digest();
  return digest.subarray(0, bytes).toString('base64');
}
