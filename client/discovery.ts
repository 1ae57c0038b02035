/** Requests the list of resources that a server has. */
import { type ClientOptions, partsOf } from './create-client.js';
import type { ResourceDescriptor } from './descriptor.js';
import { ApiError, isServiceUnavailable } from './errors.js';
import { requestObject } from './requests.js';
import type { ApiObjectLike } from './types.js';

/** A resource of a server, with its verbs. */
export interface DiscoveredResource extends ResourceDescriptor<ApiObjectLike> {
  readonly verbs: readonly string[];
  /** Names that people type for it, as in `po`; may be empty. */
  readonly shortNames: readonly string[];
  /** Changes when objects are stored in another version. Not all servers have it. */
  readonly storageVersionHash?: string;
}

interface GroupList {
  readonly groups: readonly {
    readonly preferredVersion: { readonly groupVersion: string };
    readonly versions: readonly { readonly groupVersion: string }[];
  }[];
}

interface ResourceList {
  readonly groupVersion: string;
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
    readonly shortNames?: readonly string[];
    readonly storageVersionHash?: string;
  }[];
}

/** Returns every version of every group of a server, in the server's order, with one request. */
export async function discoverVersions(
  options: ClientOptions,
  signal?: AbortSignal,
): Promise<{ readonly group: string; readonly version: string }[]> {
  const { groups } = await requestObject<GroupList>(partsOf(options), {
    method: 'GET',
    path: '/apis',
    ...(signal === undefined ? {} : { signal }),
  });
  return ['v1', ...groups.flatMap(versionsOf)].map(splitVersion);
}

/** Splits `apps/v1` into group and version. The core group has no name. */
export function splitVersion(groupVersion: string): { readonly group: string; readonly version: string } {
  const end = groupVersion.indexOf('/');
  return { group: groupVersion.slice(0, Math.max(end, 0)), version: groupVersion.slice(end + 1) };
}

/** The resources that a server reports, and errors. */
export interface Discovery {
  /** Every resource once: in its group's preferred version, or else in the first version that has it. */
  readonly resources: readonly DiscoveredResource[];
  /** Group versions with resources that could not be read, for example because another server is down. */
  readonly failed: readonly { readonly groupVersion: string; readonly error: unknown }[];
}

const isNotServed = (error: unknown): boolean => error instanceof ApiError && error.code === 404;

/** Reads the resources with one request per version. Throws as other requests do if the groups cannot be read. */
export async function discover(options: ClientOptions, signal?: AbortSignal): Promise<Discovery> {
  const parts = partsOf(options);
  const read = <T>(path: string): Promise<T> =>
    requestObject<T>(parts, { method: 'GET', path, ...(signal === undefined ? {} : { signal }) });
  const { groups } = await read<GroupList>('/apis');
  const versions = ['v1', ...groups.flatMap(versionsOf)];
  const lists = await Promise.allSettled(
    versions.map((version) => read<ResourceList>(version === 'v1' ? '/api/v1' : `/apis/${version}`)),
  );
  const found = new Map<string, DiscoveredResource>();
  const failed: { groupVersion: string; error: unknown }[] = [];
  for (const [i, list] of lists.entries()) {
    // A server without the core group, or without a version that it just removed, has no resources there.
    if (list.status === 'rejected' && !isNotServed(list.reason)) {
      failed.push({ groupVersion: versions[i] ?? '', error: list.reason });
    }
    for (const resource of list.status === 'fulfilled' ? toResources(list.value) : []) {
      const key = `${resource.group}/${resource.plural}`;
      if (!found.has(key)) found.set(key, resource);
    }
  }
  return { resources: [...found.values()], failed };
}

/**
 * Returns the resources of `discover`. Leaves out versions of other servers if these are not available (503). Throws as
 * other requests do if any other version cannot be read.
 */
export async function discoverResources(options: ClientOptions, signal?: AbortSignal): Promise<DiscoveredResource[]> {
  const { resources, failed } = await discover(options, signal);
  const problem = failed.find(({ error }) => !isServiceUnavailable(error));
  if (problem !== undefined) throw problem.error;
  return [...resources];
}

/** Lists the versions of a group, the preferred one first. */
function versionsOf({ preferredVersion, versions }: GroupList['groups'][number]): string[] {
  const all = [preferredVersion, ...versions].map(({ groupVersion }) => groupVersion);
  return [...new Set(all)];
}

function toResources({ groupVersion, resources }: ResourceList): DiscoveredResource[] {
  const { group, version } = splitVersion(groupVersion);
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs, shortNames = [], storageVersionHash }) => ({
      group,
      version,
      plural: name,
      kind,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      subresources: resources.flatMap((other) =>
        other.name.startsWith(`${name}/`) ? [other.name.slice(name.length + 1)] : [],
      ),
      verbs,
      shortNames,
      ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
    }));
}
