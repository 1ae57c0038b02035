/** Versions of the API that other servers answer for, and their order among the versions of this server. */
import type { JsonObject, UserInfo } from '../contract/index.js';
import { compareVersions } from '../objects/names/names.js';
import type { Registry } from '../registry/registry.js';
import type { ApiRequest, ApiResponse } from '../request/api-request.js';
import type { OpenApiV2Document } from '../schema/openapi/index.js';

/** A version that another server answers for. */
export interface RemoteVersion {
  readonly group: string;
  readonly version: string;
  /** The resources, as in the last `APIResourceList` of the other server; empty if it has never answered. */
  readonly resources: readonly JsonObject[];
  /** Whether the other server answered the last check. */
  readonly isCurrent: boolean;
  /** The hash of its OpenAPI v3 document; absent if it has none. */
  readonly openApiV3: string | undefined;
  /** Its OpenAPI v2 document, only for this version; absent if it has none. */
  readonly openApiV2: OpenApiV2Document | undefined;
  /**
   * Sends a request of a user to the other server. `answerMs` limits the time until the answer begins, and is absent
   * for requests without an expected end. Never rejects.
   */
  answer(request: ApiRequest, user: UserInfo, answerMs?: number): Promise<ApiResponse>;
  /** Sends a request for the OpenAPI v3 document. The user needs no right for it. Never rejects. */
  answerOpenApi(request: ApiRequest): Promise<ApiResponse>;
}

/** The versions of other servers, and the priorities of all versions. */
export interface RemoteApis {
  /** The same list until something about a version changes. */
  readonly versions: readonly RemoteVersion[];
  find(group: string, version: string): RemoteVersion | undefined;
  /** Returns the highest priority that an APIService gives to a group; `undefined` if there is none. */
  groupPriority(group: string): number | undefined;
  versionPriority(group: string, version: string): number | undefined;
}

/** Returns the versions of other servers that this server does not serve itself. */
export const remoteVersions = (registry: Registry, { versions }: RemoteApis): readonly RemoteVersion[] =>
  versions.filter(({ group, version }) => !registry.hasVersion(group, version));

/** A group with its versions, the preferred one first. */
export interface GroupVersions {
  readonly group: string;
  readonly versions: readonly string[];
}

/** The priorities of a version without an APIService, such as a definition's. */
const usual = { group: 1000, version: 100 } as const;

/**
 * Adds the versions of other servers to the groups of this server, which keep their order. `isRanked` returns whether a
 * group has a fixed place.
 */
export function withRemoteGroups(
  own: readonly GroupVersions[],
  remote: readonly RemoteVersion[],
  apis: RemoteApis,
  isRanked: (group: string) => boolean,
): readonly GroupVersions[] {
  if (remote.length === 0) return own;
  const added = new Map<string, string[]>();
  for (const { group, version } of remote) added.set(group, [...(added.get(group) ?? []), version]);
  const groups = own.map(({ group, versions }) => sorted(group, versions, added.get(group), apis));
  const known = new Set(own.map(({ group }) => group));
  const priorityOf = (group: string): number =>
    apis.groupPriority(group) ?? (isRanked(group) ? Number.POSITIVE_INFINITY : usual.group);
  const others = [...added.keys()]
    .filter((group) => !known.has(group))
    .sort((a, b) => priorityOf(b) - priorityOf(a) || (a < b ? -1 : 1));
  for (const group of others) {
    const priority = priorityOf(group);
    const comesBefore = (other: string): boolean => {
      const its = priorityOf(other);
      return its < priority || (its === priority && !isRanked(other) && group < other);
    };
    const at = groups.findIndex((one) => comesBefore(one.group));
    groups.splice(at < 0 ? groups.length : at, 0, sorted(group, [], added.get(group), apis));
  }
  return groups;
}

/** Returns a group with further versions, by priority. Sorts versions with the same priority from stable to alpha. */
function sorted(
  group: string,
  own: readonly string[],
  added: readonly string[] | undefined,
  apis: RemoteApis,
): GroupVersions {
  if (!added) return { group, versions: own };
  const priorityOf = (version: string): number => apis.versionPriority(group, version) ?? usual.version;
  const versions = [...own, ...added].sort((a, b) => priorityOf(b) - priorityOf(a) || compareVersions(a, b));
  return { group, versions };
}

/** Makes the item of a version in an aggregated document from the resources of its `APIResourceList`. */
export function remoteVersionItem({ group, version, resources, isCurrent }: RemoteVersion): JsonObject {
  const kindOf = (resource: JsonObject): JsonObject => ({
    group: resource.group ?? group,
    version: resource.version ?? version,
    kind: resource.kind ?? '',
  });
  const items = resources.flatMap((resource) => {
    const { name, singularName = '', namespaced, verbs = [], shortNames, categories } = resource;
    if (String(name).includes('/')) return [];
    const below = resources.filter((one) => String(one.name).startsWith(`${String(name)}/`));
    const item: JsonObject = {
      resource: name ?? '',
      responseKind: kindOf(resource),
      scope: namespaced === true ? 'Namespaced' : 'Cluster',
      singularResource: singularName,
      verbs,
      ...(shortNames === undefined ? {} : { shortNames }),
      ...(categories === undefined ? {} : { categories }),
    };
    if (below.length === 0) return [item];
    const listed = below.map((one) => ({
      subresource: String(one.name).slice(String(name).length + 1),
      responseKind: kindOf(one),
      verbs: one.verbs ?? [],
    }));
    return [{ ...item, subresources: listed }];
  });
  return { version, resources: items, freshness: isCurrent ? 'Current' : 'Stale' };
}
