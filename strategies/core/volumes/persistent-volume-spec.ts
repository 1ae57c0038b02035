/** What a persistent volume is: of its own, or written into the attachment of a volume that has no object. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { dns1123Subdomain } from '../../../runtime/objects/dns-names.js';
import { forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { formatQuantity, quantityInUnits } from '../../../runtime/objects/quantity.js';
import { checkChoice, checkText, type FieldErrors } from '../../shared/field-checks.js';
import { checkNodeSelector } from '../../shared/node-selector.js';
import { hasAt, textsAt } from '../../shared/reading.js';
import { amountsAt } from '../../shared/resource-list.js';
import { checkAccessModes } from './claim-spec.js';
import { checkSource } from './persistent-volume-sources.js';

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'] as const;
const volumeModes = ['Block', 'Filesystem'] as const;

/** The spec of the volume with a name, at a path. */
export function* checkVolumeSpec(spec: JsonObject, volumeName: string, path: string, names: Naming): FieldErrors {
  yield* checkModes(spec, path);
  yield* checkCapacity(spec, `${path}.capacity`);
  const policy = stringAt(spec, 'persistentVolumeReclaimPolicy');
  if (policy !== '') yield* checkChoice(spec, 'persistentVolumeReclaimPolicy', path, reclaimPolicies);
  yield* checkAffinity(spec, `${path}.nodeAffinity`);
  yield* checkSource(spec, volumeName, path, names);
  yield* checkRecycling(spec, policy, path);
  const storageClass = stringAt(spec, 'storageClassName');
  if (storageClass !== '') yield* checkText(`${path}.storageClassName`, storageClass, dns1123Subdomain);
  yield* checkChoice(spec, 'volumeMode', path, volumeModes);
}

const inline = 'in the context of inline volumes';

/** A spec without a volume of its own: only what a driver needs to attach it. */
export function* checkInlineVolumeSpec(spec: JsonObject, path: string, names: Naming): FieldErrors {
  if (hasAt(spec, 'claimRef')) yield forbidden(`${path}.claimRef`, `may not be specified ${inline}`);
  if (amountsAt(spec, 'capacity').size > 0) yield forbidden(`${path}.capacity`, `may not be specified ${inline}`);
  if (!hasAt(spec, 'csi')) yield required(`${path}.csi`, `has to be specified ${inline}`);
  yield* checkModes(spec, path);
  const policy = stringAt(spec, 'persistentVolumeReclaimPolicy');
  if (policy !== '' && policy !== 'Retain') {
    yield forbidden(`${path}.persistentVolumeReclaimPolicy`, `may only be Retain ${inline}`);
  }
  if (hasAt(spec, 'nodeAffinity')) yield forbidden(`${path}.nodeAffinity`, `may not be specified ${inline}`);
  yield* checkSource(spec, '', path, names);
  yield* checkRecycling(spec, policy, path);
  if (stringAt(spec, 'storageClassName') !== '') {
    yield forbidden(`${path}.storageClassName`, `may not be specified ${inline}`);
  }
  if (hasAt(spec, 'volumeMode') && stringAt(spec, 'volumeMode') !== 'Filesystem') {
    yield forbidden(`${path}.volumeMode`, `may not specify volumeMode other than Filesystem ${inline}`);
  }
}

function* checkModes(spec: JsonObject, path: string): FieldErrors {
  const modes = textsAt(spec, 'accessModes');
  if (modes.length === 0) yield required(`${path}.accessModes`);
  yield* checkAccessModes(modes, `${path}.accessModes`);
}

function* checkCapacity(spec: JsonObject, path: string): FieldErrors {
  const amounts = amountsAt(spec, 'capacity');
  if (amounts.size === 0) yield required(path);
  if (!amounts.has('storage') || amounts.size > 1) yield notSupported(path, objectAt(spec, 'capacity'), ['storage']);
  for (const [name, amount] of amounts) {
    const at = `${path}[${name}]`;
    if (amount.digits < 0n) yield invalidValue(at, quantityInUnits(amount), 'must be a valid resource quantity');
    if (amount.digits <= 0n) yield invalidValue(at, formatQuantity(amount), 'must be greater than zero');
  }
}

function* checkAffinity(spec: JsonObject, path: string): FieldErrors {
  const affinity = objectAt(spec, 'nodeAffinity');
  if (!affinity) return;
  const selector = objectAt(affinity, 'required');
  if (selector) yield* checkNodeSelector(selector, `${path}.required`);
  else yield required(`${path}.required`, 'must specify required node constraints');
}

/** Recycling deletes what is in a volume, which may not be all of a node. */
function* checkRecycling(spec: JsonObject, policy: string, path: string): FieldErrors {
  const source = objectAt(spec, 'hostPath');
  if (policy !== 'Recycle' || !source || !isRoot(stringAt(source, 'path'))) return;
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
