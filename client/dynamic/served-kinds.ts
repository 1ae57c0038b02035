/** Reads every kind in every version from a server: two requests with aggregated discovery, else one per version. */
import { isNotFound } from '../errors.js';
import { type Requester, requestObject } from '../requests.js';
import type { ServedKind, ServedKinds } from './types.js';

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind: string } | null;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly singularResource?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

interface AggregatedGroups {
  readonly kind: 'APIGroupDiscoveryList';
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    /** The preferred version first. */
    readonly versions: readonly {
      readonly version: string;
      readonly resources?: readonly AggregatedResource[];
      readonly freshness?: 'Current' | 'Stale';
    }[];
  }[];
}

interface GroupList {
  readonly kind: 'APIGroupList';
  readonly groups: readonly {
    readonly name: string;
    readonly preferredVersion?: { readonly version: string };
    readonly versions: readonly { readonly version: string }[];
  }[];
}

interface CoreVersions {
  readonly kind: 'APIVersions';
  readonly versions: readonly string[];
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly singularName?: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly isPreferred: boolean;
}

/** The accepted forms: aggregated discovery in each version, under both names of its group, else the older form. */
const forms = [
  ...['v2', 'v2beta1'].flatMap((version) =>
    ['apidiscovery.k8s.io', 'apidiscovery.platform.io'].map(
      (group) => `application/json;g=${group};v=${version};as=APIGroupDiscoveryList`,
    ),
  ),
  'application/json',
].join(',');

/** Reads the kinds. Throws as other requests do if the groups cannot be read. */
export async function readServedKinds(requester: Requester): Promise<ServedKinds> {
  const read = <T>(path: string, accept?: string): Promise<T> =>
    requestObject<T>(requester, { method: 'GET', path, ...(accept === undefined ? {} : { accept }) });
  const [core, named] = await Promise.all([
    // A server may lack the core group.
    read<AggregatedGroups | CoreVersions>('/api', forms).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    }),
    read<AggregatedGroups | GroupList>('/apis', forms),
  ]);
  const parts = [];
  if (core)
    parts.push(core.kind === 'APIGroupDiscoveryList' ? aggregated(core) : await eachVersion(coreOf(core), read));
  parts.push(named.kind === 'APIGroupDiscoveryList' ? aggregated(named) : await eachVersion(versionsOf(named), read));
  return { kinds: parts.flatMap(({ kinds }) => kinds), failed: parts.flatMap(({ failed }) => failed) };
}

function aggregated({ items }: AggregatedGroups): ServedKinds {
  const kinds: ServedKind[] = [];
  const failed: { groupVersion: string; error: unknown }[] = [];
  for (const { metadata, versions } of items) {
    const group = metadata.name ?? '';
    for (const [i, { version, resources = [], freshness }] of versions.entries()) {
      if (freshness === 'Stale') failed.push({ groupVersion: join(group, version), error: new Error(stale) });
      kinds.push(...resources.flatMap((resource) => toKinds({ group, version, isPreferred: i === 0 }, resource)));
    }
  }
  return { kinds, failed };
}

const stale = 'the server could not reach the API server of this version, so its kinds may be outdated';

/** Returns no kinds if only subresources have the name. */
function toKinds(place: GroupVersion, resource: AggregatedResource): ServedKind[] {
  if (!resource.responseKind?.kind) return [];
  return [
    {
      ...place,
      plural: resource.resource,
      kind: resource.responseKind.kind,
      scope: resource.scope,
      subresources: (resource.subresources ?? []).map(({ subresource }) => subresource),
      verbs: resource.verbs,
      shortNames: resource.shortNames ?? [],
      singular: resource.singularResource ?? '',
      categories: resource.categories ?? [],
    },
  ];
}

const coreOf = ({ versions }: CoreVersions): GroupVersion[] =>
  versions.map((version, i) => ({ group: '', version, isPreferred: i === 0 }));

/** Lists the versions of each group, the preferred one first. */
const versionsOf = ({ groups }: GroupList): GroupVersion[] =>
  groups.flatMap(({ name, preferredVersion, versions }) => {
    const preferred = preferredVersion?.version ?? versions[0]?.version ?? '';
    const all = new Set([preferred, ...versions.map(({ version }) => version)]);
    return [...all].map((version) => ({ group: name, version, isPreferred: version === preferred }));
  });

async function eachVersion(
  versions: readonly GroupVersion[],
  read: (path: string) => Promise<ResourceList>,
): Promise<ServedKinds> {
  const lists = await Promise.allSettled(
    versions.map(({ group, version }) => read(group === '' ? `/api/${version}` : `/apis/${group}/${version}`)),
  );
  const kinds: ServedKind[] = [];
  const failed: { groupVersion: string; error: unknown }[] = [];
  for (const [i, place] of versions.entries()) {
    const list = lists[i];
    if (list?.status === 'fulfilled') kinds.push(...fromList(place, list.value));
    // A version that the server has just removed has no kinds.
    else if (!isNotFound(list?.reason))
      failed.push({ groupVersion: join(place.group, place.version), error: list?.reason });
  }
  return { kinds, failed };
}

const fromList = (place: GroupVersion, { resources }: ResourceList): ServedKind[] =>
  resources
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs, shortNames = [], singularName = '', categories = [] }) => ({
      ...place,
      plural: name,
      kind,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      subresources: resources.flatMap((other) =>
        other.name.startsWith(`${name}/`) ? [other.name.slice(name.length + 1)] : [],
      ),
      verbs,
      shortNames,
      singular: singularName,
      categories,
    }));

const join = (group: string, version: string): string => (group === '' ? version : `${group}/${version}`);
