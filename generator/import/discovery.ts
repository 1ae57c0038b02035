/**
 * Reads facts from a server's discovery that its OpenAPI documents lack: short names, categories, preferred versions.
 */
import type { JsonObject } from '../../runtime/contract/index.js';
import { get, list, type Raw, string, strings } from '../../runtime/schema/read.js';

/** Names of a resource, as definitions write them, and the preferred version of its group. */
export type DiscoveredNames = (
  group: string,
  plural: string,
) => JsonObject & { readonly singular?: string; readonly preferred?: string };

/** The answers of a server at `/apis` and, for each group version, at `/apis/<group>/<version>`. */
export interface Discovery {
  /** An APIGroupList. */
  readonly groups: Raw;
  /** APIResourceLists. */
  readonly resources: readonly Raw[];
}

/** Has no names. */
export const nothingDiscovered: DiscoveredNames = () => ({});

/** Returns the names from a server's discovery. The first group version with a resource is used. */
export function readDiscovery({ groups, resources }: Discovery): DiscoveredNames {
  const preferred = new Map(
    list(get(groups, 'groups')).map((group) => [
      string(get(group, 'name')) ?? '',
      string(get(get(group, 'preferredVersion'), 'version')),
    ]),
  );
  const names = new Map<string, JsonObject>();
  for (const each of resources) {
    const groupVersion = string(get(each, 'groupVersion')) ?? '';
    const group = groupVersion.includes('/') ? groupVersion.slice(0, groupVersion.indexOf('/')) : '';
    for (const resource of list(get(each, 'resources'))) {
      const key = `${group}/${string(get(resource, 'name')) ?? ''}`;
      if (!names.has(key)) names.set(key, namesOf(resource));
    }
  }
  return (group, plural) => {
    const version = preferred.get(group);
    return { ...names.get(`${group}/${plural}`), ...(version === undefined ? {} : { preferred: version }) };
  };
}

function namesOf(resource: Raw): JsonObject {
  const singular = string(get(resource, 'singularName'));
  const shortNames = strings(get(resource, 'shortNames'));
  const categories = strings(get(resource, 'categories'));
  return {
    ...(singular === undefined || singular === '' ? {} : { singular }),
    ...(shortNames.length === 0 ? {} : { shortNames: [...new Set(shortNames)] }),
    ...(categories.length === 0 ? {} : { categories: [...new Set(categories)] }),
  };
}
