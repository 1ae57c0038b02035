/** PersistentVolumeClaimResize: a claim grows where its storage class allows that. */
import type { AdmissionContext, AdmissionPlugin, ApiObject } from '../../../runtime/contract/index.js';
import { getOwn, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { compareQuantities, parseQuantity, type Quantity } from '../../../runtime/objects/scan/quantity.js';
import { handlesObjects } from '../handled.js';
import { refuse } from '../refuse.js';

export function definePersistentVolumeClaimResize({ rename }: Naming): AdmissionPlugin {
  const group = rename('storage.platform.io');
  const classAnnotation = rename('volume.beta.platform.io/storage-class');
  const classOf = (claim: ApiObject): string =>
    getOwn(claim.metadata.annotations ?? {}, classAnnotation) ?? stringAt(objectAt(claim, 'spec'), 'storageClassName');
  const mayGrow = (claim: ApiObject, old: ApiObject, context: AdmissionContext): boolean => {
    const name = classOf(claim);
    if (name === '' || classOf(old) !== name) return false;
    return context.get(group, 'storageclasses', '', name)?.allowVolumeExpansion === true;
  };
  return {
    name: 'PersistentVolumeClaimResize',
    handles: handlesObjects('', 'persistentvolumeclaims', 'UPDATE'),
    validate(attributes, context) {
      const { object, oldObject } = attributes;
      const [size, before] = [sizeOf(object), sizeOf(oldObject)];
      if (!object || !oldObject || !size || !before || compareQuantities(size, before) <= 0) return undefined;
      if (stringAt(objectAt(oldObject, 'status'), 'phase') !== 'Bound') {
        return refuse(attributes, 'Only bound persistent volume claims can be expanded');
      }
      if (mayGrow(object, oldObject, context)) return undefined;
      const only = 'only dynamically provisioned pvc can be resized';
      return refuse(attributes, `${only} and the storageclass that provisions the pvc must support resize`);
    },
  };
}

/** The storage that a claim asks for. */
function sizeOf(claim: ApiObject | undefined): Quantity | undefined {
  const requests = objectAt(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests');
  const read = parseQuantity(stringAt(requests, 'storage') || '0');
  return read.ok ? read.value : undefined;
}
