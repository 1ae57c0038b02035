/** Protects persistent volume claims: holds them with a finalizer, and releases deleted ones once no pod uses them. */
import { type ApiObjectLike, createResourceClient, defineResource } from '../client/index.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { watch } from './kit/watch.js';
import { settleFinalizer } from './protection-finalizer.js';

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
 * Defines the controller. `finalizer` is the finalizer that holds claims, as it is served. A key is the key of a claim.
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
