/**
 * Protects persistent volume claims and persistent volumes. Holds them with a finalizer, and releases deleted ones once no
 * pod uses the claim, and no claim is bound to the volume.
 */
import {
  type ApiObjectLike,
  createResourceClient,
  defineResource,
  ensureFinalizer,
  type FinalizerWriter,
  removeFinalizer,
} from '../client/index.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

/** The fields of a pod that show which claims it uses. */
export interface ClaimingPod extends ApiObjectLike {
  spec?: {
    nodeName?: string;
    volumes?: { name: string; persistentVolumeClaim?: { claimName: string }; ephemeral?: object }[];
  };
}

const core = { group: '', version: 'v1', scope: 'Namespaced', subresources: [] } as const;

const claims = defineResource<ApiObjectLike>()({
  ...core,
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
} as const);

const pods = defineResource<ClaimingPod>()({ ...core, plural: 'pods', kind: 'Pod' } as const);

/**
 * Defines the controller of claims. `finalizer` is the finalizer that holds claims, as it is served. A key is the key of
 * a claim.
 */
export const defineClaimProtection = (finalizer: string): Controller =>
  defineController({
    name: 'pvc-protection',
    watches: [watch(claims, { metadataOnly: true }), watch(pods, { keysOf: claimsNamedBy })],
    async reconcile(key, { client, cacheOf, signal }) {
      const claim = cacheOf(claims).get(key);
      if (claim === undefined) return;
      const { namespace = '' } = claim.metadata;
      const podsBeside = createResourceClient(pods, client).in(namespace);
      await settleFinalizer(createResourceClient(claims, client).in(namespace), claim, {
        finalizer,
        signal,
        // The cache may lack a pod that was created just now.
        isInUse: async () =>
          usesAmong(cacheOf(pods).values(), claim) || usesAmong((await podsBeside.list({ signal })).items, claim),
      });
    },
  });

function usesAmong(pods: Iterable<ClaimingPod>, claim: ApiObjectLike): boolean {
  for (const pod of pods) if (usesClaim(pod, claim)) return true;
  return false;
}

/**
 * Returns whether a pod uses a claim. A finished pod still does. A pod without a node does not: no node starts a pod
 * with a claim that is being deleted.
 */
export function usesClaim({ metadata, spec }: ClaimingPod, claim: ApiObjectLike): boolean {
  if ((spec?.nodeName ?? '') === '' || metadata.namespace !== claim.metadata.namespace) return false;
  const isMadeForPod = (claim.metadata.ownerReferences ?? []).some(
    ({ uid, controller }) => controller === true && uid === metadata.uid,
  );
  return (spec?.volumes ?? []).some(({ name, persistentVolumeClaim, ephemeral }) =>
    persistentVolumeClaim
      ? persistentVolumeClaim.claimName === claim.metadata.name
      : ephemeral !== undefined && isMadeForPod && claim.metadata.name === `${metadata.name}-${name}`,
  );
}

/** Yields the keys of the claims that a pod names or that were created for the pod. */
function* claimsNamedBy({ metadata, spec }: ClaimingPod): Generator<string> {
  const { name: pod, namespace = '' } = metadata;
  for (const { name, persistentVolumeClaim, ephemeral } of spec?.volumes ?? []) {
    const claim = persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${pod}-${name}`);
    if (claim !== undefined) yield `${namespace}/${claim}`;
  }
}

interface PersistentVolume extends ApiObjectLike {
  status?: { phase?: string };
}

const volumes = defineResource<PersistentVolume>()({
  group: '',
  version: 'v1',
  plural: 'persistentvolumes',
  kind: 'PersistentVolume',
  scope: 'Cluster',
  subresources: [],
} as const);

/**
 * Defines the controller of volumes. `finalizer` is the finalizer that holds volumes, as it is served. A key is the name of a
 * volume.
 */
export const defineVolumeProtection = (finalizer: string): Controller =>
  defineController({
    name: 'pv-protection',
    watches: [watch(volumes)],
    async reconcile(name, { client, cacheOf, signal }) {
      const volume = cacheOf(volumes).get(name);
      if (volume === undefined) return;
      const isInUse = async (): Promise<boolean> => volume.status?.phase === 'Bound';
      await settleFinalizer(createResourceClient(volumes, client), volume, { finalizer, isInUse, signal });
    },
  });

/** How an object is protected: a finalizer, which the object loses once it is deleted and out of use. */
export interface Protection {
  readonly finalizer: string;
  /** Returns whether an object that is being deleted is in use. */
  readonly isInUse: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Adds or removes the finalizer. Throws a conflict if the object has changed; the change queues it again. */
export async function settleFinalizer<T extends ApiObjectLike>(
  objects: FinalizerWriter<T>,
  object: T,
  { finalizer, isInUse, signal }: Protection,
): Promise<void> {
  if (object.metadata.deletionTimestamp === undefined)
    await ensureFinalizer(objects, object, finalizer, { signal }).catch(ignoreNotFound);
  else if (object.metadata.finalizers?.includes(finalizer) && !(await isInUse()))
    await removeFinalizer(objects, object, finalizer, { signal });
}
