/** Protects VolumeAttributesClasses: holds them with a finalizer until no claim and no volume names them. */
import { type ApiObjectLike, createResourceClient, defineResource } from '../client/index.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { watch } from './kit/watch.js';
import { settleFinalizer } from './storage-protection.js';

interface Claim extends ApiObjectLike {
  spec?: { volumeAttributesClassName?: string };
  status?: {
    currentVolumeAttributesClassName?: string;
    modifyVolumeStatus?: { targetVolumeAttributesClassName?: string };
  };
}

interface Volume extends ApiObjectLike {
  spec?: { volumeAttributesClassName?: string };
}

const core = { group: '', version: 'v1', subresources: [] } as const;

const claims = defineResource<Claim>()({
  ...core,
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  scope: 'Namespaced',
} as const);

const volumes = defineResource<Volume>()({
  ...core,
  plural: 'persistentvolumes',
  kind: 'PersistentVolume',
  scope: 'Cluster',
} as const);

export interface AttributesClassOptions {
  /** The group and version of the classes, as they are served. */
  readonly group: string;
  readonly version: string;
  readonly finalizer: string;
}

/** Defines the controller. A key is the name of a class. */
export function defineAttributesClassProtection({ group, version, finalizer }: AttributesClassOptions): Controller {
  const classes = defineResource<ApiObjectLike>()({
    group,
    version,
    plural: 'volumeattributesclasses',
    kind: 'VolumeAttributesClass',
    scope: 'Cluster',
    subresources: [],
  } as const);
  return defineController({
    name: 'volumeattributesclass-protection-controller',
    watches: [
      watch(classes, { metadataOnly: true }),
      watch(claims, { keysOf: classesOfClaim }),
      watch(volumes, { keysOf: classesOfVolume }),
    ],
    async reconcile(name, { client, cacheOf, signal }) {
      const found = cacheOf(classes).get(name);
      if (found === undefined) return;
      const isNamedIn = async (): Promise<boolean> => {
        for (const claim of cacheOf(claims).values()) if (classesOfClaim(claim).includes(name)) return true;
        for (const volume of cacheOf(volumes).values()) if (classesOfVolume(volume).includes(name)) return true;
        // The caches may lack objects that were created just now.
        const [listed, bound] = await Promise.all([
          createResourceClient(claims, client).list({ signal }),
          createResourceClient(volumes, client).list({ signal }),
        ]);
        return (
          listed.items.some((claim) => classesOfClaim(claim).includes(name)) ||
          bound.items.some((volume) => classesOfVolume(volume).includes(name))
        );
      };
      await settleFinalizer(createResourceClient(classes, client), found, { finalizer, isInUse: isNamedIn, signal });
    },
  });
}

const classesOfClaim = ({ spec, status }: Claim): readonly string[] =>
  [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].flatMap((name) => name || []);

const classesOfVolume = ({ spec }: Volume): readonly string[] =>
  spec?.volumeAttributesClassName ? [spec.volumeAttributesClassName] : [];
