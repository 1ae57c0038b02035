/**
 * Protects persistent volumes: holds them with a finalizer, and releases deleted ones once no claim is bound to them.
 */
import { type ApiObjectLike, createResourceClient, defineResource } from '../client/index.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { watch } from './kit/watch.js';
import { settleFinalizer } from './protection-finalizer.js';

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
 * Defines the controller. `finalizer` is the finalizer that holds volumes, as it is served. A key is the name of a
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
