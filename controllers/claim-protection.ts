/** Lets claims of storage go once no pod uses them, and holds those that are not being deleted. */
import { type ApiObjectLike, createResourceClient, defineResource } from '../client/index.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { watch } from './kit/watch.js';
import { settleFinalizer } from './protection-finalizer.js';

/** A pod, as far as its use of claims goes. */
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

/** `finalizer` is the one that holds claims, as it is served. A key is that of a claim. */
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
        // The cache may not know of a pod that came just now.
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
 * Whether a pod holds a claim, as one that has finished still does. One that has no node yet does not: no node starts a
 * pod whose claim is being deleted.
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

/** The keys of the claims that a pod names, or that were made for it. */
function* claimsNamedBy({ metadata, spec }: ClaimingPod): Generator<string> {
  const { name: pod, namespace = '' } = metadata;
  for (const { name, persistentVolumeClaim, ephemeral } of spec?.volumes ?? []) {
    const claim = persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${pod}-${name}`);
    if (claim !== undefined) yield `${namespace}/${claim}`;
  }
}
