/** Chooses the holders of leases that have candidates: the candidate with the oldest emulated version leads. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  defineResource,
  isAlreadyExists,
} from '../client/index.js';
import type { Controller } from './controller.js';
import { type ControllerContext, defineController, requeueAfter } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

/** A candidate for a lease of its namespace. Its name is the identity of the holder. */
export interface Candidate extends ApiObjectLike {
  spec?: {
    leaseName?: string;
    pingTime?: string;
    renewTime?: string;
    binaryVersion?: string;
    emulationVersion?: string;
    strategy?: string;
  };
}

interface Lease extends ApiObjectLike {
  spec?: {
    holderIdentity?: string;
    preferredHolder?: string | null;
    strategy?: string;
    leaseDurationSeconds?: number;
    renewTime?: string;
  };
}

/** How long a candidate counts without a renewal, milliseconds. */
const validMs = 30 * 60_000;

/** How long a candidate may take to answer a ping, and how long its answer counts, milliseconds. */
const pingMs = 5_000;
const freshMs = 2 * pingMs;

/** How often the controller checks the holder of a lease if nothing happens, milliseconds. */
const lookMs = 5_000;

const leaseSeconds = 15;

/** The only strategy that the server implements. */
const oldestEmulation = 'OldestEmulationVersion';

/** Defines the controller. `version` is the version of candidates. A key is `namespace/name` of a lease. */
export function defineCoordinatedLeases(group: string, version: string): Controller {
  const namespaced = { group, scope: 'Namespaced', subresources: [] } as const;
  const leases = defineResource<Lease>()({ ...namespaced, version: 'v1', plural: 'leases', kind: 'Lease' } as const);
  const candidates = defineResource<Candidate>()({
    ...namespaced,
    version,
    plural: 'leasecandidates',
    kind: 'LeaseCandidate',
  } as const);

  /** Pings candidates that have been silent for a while. Returns whether an answer is due. */
  async function ping(all: readonly Candidate[], client: ClientOptions, context: ControllerContext): Promise<boolean> {
    const now = context.clock.wallMs();
    let isDue = false;
    for (const candidate of all) {
      const { spec } = candidate;
      const [pinged, renewed] = [timeOf(spec?.pingTime), timeOf(spec?.renewTime)];
      if (renewed + freshMs > now) continue;
      const isAsked = pinged > renewed;
      isDue ||= !isAsked || pinged + pingMs > now;
      if (isAsked) continue;
      const { namespace = '' } = candidate.metadata;
      const asked = { ...candidate, spec: { ...spec, pingTime: microTime(now) } };
      await createResourceClient(candidates, client)
        .in(namespace)
        .update(asked, { signal: context.signal })
        .catch(ignoreNotFound);
    }
    return isDue;
  }

  return defineController({
    name: 'leader-election-controller',
    watches: [
      watch(leases),
      watch(candidates, { keysOf: ({ metadata, spec }) => [`${metadata.namespace}/${spec?.leaseName}`] }),
    ],
    async reconcile(key, context) {
      const { client, cacheOf, clock, signal } = context;
      const [namespace = '', name = ''] = key.split('/');
      const now = clock.wallMs();
      const all = [...cacheOf(candidates).values()].filter(
        ({ metadata, spec }) =>
          metadata.namespace === namespace && spec?.leaseName === name && timeOf(spec.renewTime) + validMs > now,
      );
      if (all.length === 0) return;
      const lease = cacheOf(leases).get(key);
      if (!needsElection(lease, all, now)) return requeueAfter(lookMs);
      if (await ping(all, client, context)) return requeueAfter(pingMs);
      const there = all.filter(({ spec }) => timeOf(spec?.renewTime) + freshMs > now);
      const strategy = strategyOf(there);
      const elected = strategy === oldestEmulation ? oldestOf(there)?.metadata.name : undefined;
      if (elected === undefined) return requeueAfter(lookMs);
      const inside = createResourceClient(leases, client).in(namespace);
      const term = { holderIdentity: elected, strategy, leaseDurationSeconds: leaseSeconds, renewTime: microTime(now) };
      if (lease === undefined) {
        const made = inside.create({ metadata: { name }, spec: term }, { signal });
        // The cache gets the other lease soon, and queues the key again.
        await made.catch((error: unknown) => {
          if (!isAlreadyExists(error)) throw error;
        });
      } else {
        const { preferredHolder: _, ...spec } = lease.spec ?? {};
        // A holder that still renews its lease releases it once it sees a better candidate.
        const change = isFree(lease, now) ? term : { strategy, preferredHolder: elected };
        await inside.update({ ...lease, spec: { ...spec, ...change } }, { signal });
      }
      return requeueAfter(lookMs);
    },
  });
}

const timeOf = (time: string | undefined): number => (time === undefined ? 0 : Date.parse(time));

const microTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

/** Returns whether a lease has no holder, or a holder that has not renewed it in time. */
function isFree({ spec = {} }: Lease, now: number): boolean {
  const { holderIdentity = '', renewTime, leaseDurationSeconds = 0 } = spec;
  return holderIdentity === '' || timeOf(renewTime) + leaseDurationSeconds * 1000 < now;
}

/** Returns whether a lease needs another holder, or must name a better one. */
function needsElection(lease: Lease | undefined, candidates: readonly Candidate[], now: number): boolean {
  if (lease === undefined || isFree(lease, now)) return true;
  const best = strategyOf(candidates) === oldestEmulation ? oldestOf(candidates)?.metadata.name : undefined;
  return best !== undefined && best !== lease.spec?.holderIdentity && best !== lease.spec?.preferredHolder;
}

/** Returns the strategy of the candidates with the latest version; `undefined` if these have several. */
export function strategyOf(candidates: readonly Candidate[]): string | undefined {
  const [latest] = candidates.toSorted((a, b) => compareVersions(b.spec?.binaryVersion, a.spec?.binaryVersion));
  const said = candidates
    .filter(({ spec }) => compareVersions(spec?.binaryVersion, latest?.spec?.binaryVersion) === 0)
    .map(({ spec }) => spec?.strategy);
  return new Set(said).size === 1 ? said[0] : undefined;
}

/**
 * Returns the candidate with the oldest emulated version. Of equal ones, prefers the oldest program, and then the
 * first.
 */
export function oldestOf(candidates: readonly Candidate[]): Candidate | undefined {
  const [oldest] = candidates
    .filter(({ spec }) => isVersion(spec?.emulationVersion) && isVersion(spec?.binaryVersion))
    .toSorted(
      (a, b) =>
        compareVersions(a.spec?.emulationVersion, b.spec?.emulationVersion) ||
        compareVersions(a.spec?.binaryVersion, b.spec?.binaryVersion) ||
        timeOf(a.metadata.creationTimestamp ?? undefined) - timeOf(b.metadata.creationTimestamp ?? undefined),
    );
  return oldest;
}

const isVersion = (version = ''): boolean => /^v?\d+(?:\.\d+)*/.test(version.trim());

/** Compares versions number by number. Ignores everything after the numbers. */
function compareVersions(a = '', b = ''): number {
  const [one, other] = [a, b].map((version) => (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (one?.[at] ?? 0) - (other?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
