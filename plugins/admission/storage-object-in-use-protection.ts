/** StorageObjectInUseProtection: volumes and claims are held by a finalizer, so that they stay while they are in use. */
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';

/** The finalizer of each resource, in the core group. */
const finalizers: ReadonlyMap<string, string> = new Map([
  ['persistentvolumes', 'platform.io/pv-protection'],
  ['persistentvolumeclaims', 'platform.io/pvc-protection'],
]);

export function defineStorageObjectInUseProtection({ rename }: Naming): AdmissionPlugin {
  return {
    name: 'StorageObjectInUseProtection',
    handles: ({ group, names }, operation, subresource) =>
      operation === 'CREATE' && subresource === '' && group === '' && finalizers.has(names.plural),
    admit({ object, resource }) {
      const finalizer = finalizers.get(resource.names.plural);
      if (!object || finalizer === undefined) return undefined;
      const { metadata } = object;
      const served = rename(finalizer);
      const own = metadata.finalizers ?? [];
      if (!own.includes(served)) metadata.finalizers = [...own, served];
      return undefined;
    },
  };
}
