/** Aggregated discovery: every group, version and resource in one document, as newer clients ask for it. */
import type { JsonObject, KindReference } from '../contract/index.js';
import type { Registry } from '../registry/registry.js';
import type { ServedResource } from '../resource/served-resource.js';
import {
  type GroupVersions,
  groupsOf,
  inVersion,
  kindOfSubresource,
  listedVerbs,
  sortedSubresources,
} from './discovery.js';

/** The document of `/api` (the core group) or of `/apis` (all others); `group` is the discovery group's own name. */
export function aggregatedDiscovery(registry: Registry, discoveryGroup: string, core: boolean): JsonObject {
  const groups: readonly GroupVersions[] = core ? coreGroup(registry) : groupsOf(registry);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `${discoveryGroup}/v2beta1`,
    metadata: {},
    items: groups.map((group) => groupItem(registry, group)),
  };
}

function coreGroup(registry: Registry): readonly GroupVersions[] {
  const versions = new Set(
    registry.resources.filter(({ module }) => module.group === '').map(({ module }) => module.version),
  );
  return versions.size === 0 ? [] : [{ group: '', versions: [...versions] }];
}

function groupItem(registry: Registry, { group, versions }: GroupVersions): JsonObject {
  return {
    metadata: group === '' ? { creationTimestamp: null } : { name: group, creationTimestamp: null },
    versions: versions.map((version) => ({
      version,
      resources: inVersion(registry, group, version).map(resourceItem),
      freshness: 'Current',
    })),
  };
}

function resourceItem(resource: ServedResource): JsonObject {
  const { group, version, names, scope, verbs } = resource.module;
  const item: JsonObject = {
    resource: names.plural,
    responseKind: responseKind(resource, { group, version, kind: names.kind }),
    scope,
    singularResource: names.singular,
    verbs: listedVerbs(resource.module, verbs),
  };
  if (names.shortNames.length > 0) item.shortNames = [...names.shortNames];
  if (names.categories.length > 0) item.categories = [...names.categories];
  const subresources = sortedSubresources(resource).map((subresource) => ({
    subresource: subresource.name,
    responseKind: responseKind(resource, kindOfSubresource(resource.module, subresource)),
    verbs: [...subresource.verbs].sort(),
  }));
  if (subresources.length > 0) item.subresources = subresources;
  return item;
}

/** A kind that is answered. The reference leaves out the group and version of built-in kinds where they are the list's. */
function responseKind({ module }: ServedResource, { group, version, kind }: KindReference): JsonObject {
  const isOwn = module.decoding === 'typed' && group === module.group && version === module.version;
  return isOwn ? { group: '', version: '', kind } : { group, version, kind };
}
