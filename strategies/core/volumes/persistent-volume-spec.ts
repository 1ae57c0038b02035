/** Rules of a persistent volume's spec: in a volume, and in the attachment of one that has no object. */
import type { PersistentVolumeSpec, VolumeNodeAffinity } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { dns1123Subdomain } from '../../../runtime/objects/names/dns-names.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { formatQuantity, quantityInUnits } from '../../../runtime/objects/scan/quantity.js';
import { checkOneOf, checkText, type FieldErrors } from '../../shared/field-checks.js';
import { checkNodeSelector } from '../../shared/node-selector.js';
import { amountsOf } from '../../shared/resource-list.js';
import { checkAccessModes } from './claim-spec.js';
import { checkSource } from './persistent-volume-sources.js';

type Spec = Draft<PersistentVolumeSpec>;

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];
const volumeModes = ['Block', 'Filesystem'];

/** The spec of the volume with a name, at a path. */
export function* checkVolumeSpec(spec: Spec, volumeName: string, path: string, names: Naming): FieldErrors {
  const { persistentVolumeReclaimPolicy: policy, nodeAffinity, storageClassName, volumeMode } = spec;
  yield* checkModes(spec, path);
  yield* checkCapacity(spec.capacity, `${path}.capacity`);
  if (policy) yield* checkOneOf(policy, `${path}.persistentVolumeReclaimPolicy`, reclaimPolicies);
  if (nodeAffinity) yield* checkAffinity(nodeAffinity, `${path}.nodeAffinity`);
  yield* checkSource(spec, volumeName, path, names);
  yield* checkRecycling(spec, path);
  if (storageClassName) yield* checkText(`${path}.storageClassName`, storageClassName, dns1123Subdomain);
  yield* checkOneOf(volumeMode, `${path}.volumeMode`, volumeModes);
}

/** A spec without a volume of its own has only what a driver needs to attach it. */
export function* checkInlineVolumeSpec(spec: Spec, path: string, names: Naming): FieldErrors {
  const context = 'in the context of inline volumes';
  const refused = (field: keyof PersistentVolumeSpec, rule = 'may not be specified') =>
    forbidden(`${path}.${field}`, `${rule} ${context}`);
  const { persistentVolumeReclaimPolicy: policy, volumeMode = 'Filesystem' } = spec;
  if (spec.claimRef) yield refused('claimRef');
  if (amountsOf(spec.capacity).size > 0) yield refused('capacity');
  if (!spec.csi) yield required(`${path}.csi`, `has to be specified ${context}`);
  yield* checkModes(spec, path);
  if (policy && policy !== 'Retain') yield refused('persistentVolumeReclaimPolicy', 'may only be Retain');
  if (spec.nodeAffinity) yield refused('nodeAffinity');
  yield* checkSource(spec, '', path, names);
  yield* checkRecycling(spec, path);
  if (spec.storageClassName) yield refused('storageClassName');
  if (volumeMode !== 'Filesystem') yield refused('volumeMode', 'may not specify volumeMode other than Filesystem');
}

/** A volume can be used in one way at least. */
function* checkModes({ accessModes = [] }: Spec, path: string): FieldErrors {
  if (accessModes.length === 0) yield required(`${path}.accessModes`);
  yield* checkAccessModes(accessModes, `${path}.accessModes`);
}

/** A volume has storage, and a capacity of nothing else. */
function* checkCapacity(capacity: Record<string, string> | undefined, path: string): FieldErrors {
  const amounts = amountsOf(capacity);
  if (amounts.size === 0) yield required(path);
  if (!amounts.has('storage') || amounts.size > 1) yield notSupported(path, capacity, ['storage']);
  for (const [name, amount] of amounts) {
    const at = `${path}[${name}]`;
    if (amount.digits < 0n) yield invalidValue(at, quantityInUnits(amount), 'must be a valid resource quantity');
    if (amount.digits <= 0n) yield invalidValue(at, formatQuantity(amount), 'must be greater than zero');
  }
}

/** A node affinity says which nodes are required. */
function* checkAffinity(affinity: Draft<VolumeNodeAffinity>, path: string): FieldErrors {
  if (affinity.required) yield* checkNodeSelector(affinity.required, `${path}.required`);
  else yield required(`${path}.required`, 'must specify required node constraints');
}

/** Recycling deletes what is in a volume, which may not be all of a node. */
function* checkRecycling({ persistentVolumeReclaimPolicy, hostPath }: Spec, path: string): FieldErrors {
  if (persistentVolumeReclaimPolicy !== 'Recycle' || !isRoot(hostPath?.path ?? '')) return;
  yield forbidden(`${path}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'");
}

/** Whether a path leads to the root, however many steps it takes. */
function isRoot(path: string): boolean {
  if (!path.startsWith('/')) return false;
  let depth = 0;
  for (const step of path.split('/')) {
    if (step === '..') depth = Math.max(0, depth - 1);
    else if (step !== '' && step !== '.') depth++;
  }
  return depth === 0;
}
