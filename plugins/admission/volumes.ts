/**
 * Plugins about volumes and claims. PersistentVolumeLabel, the first, labels new volumes with their location and binds
 * them to nodes there.
 */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  ApiObject,
  Failure,
  JsonObject,
} from '../../runtime/contract/index.js';
import { getOwn, objectAt, objectsAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { compareQuantities, parseQuantity, type Quantity } from '../../runtime/objects/scan/quantity.js';
import { handlesObjects, refuse } from './define-admission-plugin.js';

export type Labels = Readonly<Record<string, string>>;

/**
 * Finds the labels of a volume's location, such as its zone; `undefined` for an unknown volume. If it throws or
 * rejects, the volume is refused with that message.
 */
export type VolumeLabels = (volume: ApiObject) => Labels | undefined | Promise<Labels | undefined>;

export function definePersistentVolumeLabel({ rename }: Naming, find: VolumeLabels): AdmissionPlugin {
  const placed = [
    ['topology.platform.io/zone', 'topology.platform.io/region'],
    ['failure-domain.beta.platform.io/zone', 'failure-domain.beta.platform.io/region'],
  ].map((keys) => keys.map(rename));
  const zones = new Set(placed.map(([zone = '']) => zone));
  const provisioned = rename('pv.platform.io/provisioned-by');
  return {
    name: 'PersistentVolumeLabel',
    handles: handlesObjects('', 'persistentvolumes', 'CREATE'),
    async admit(attributes) {
      const { object } = attributes;
      if (!object) return undefined;
      const found = ownLabels(object, provisioned, placed) ?? (await foundLabels(attributes, object, find));
      if (!found.ok) return found.failure;
      return label(attributes, object, found.labels, zones);
    },
  };
}

type Found = { readonly ok: true; readonly labels: Labels } | { readonly ok: false; readonly failure: Failure };

/** Returns the location labels that a volume already has: a provisioned volume keeps what its provisioner has set. */
function ownLabels(
  { metadata: { annotations = {}, labels = {} } }: ApiObject,
  provisioned: string,
  placed: readonly (readonly string[])[],
): Found | undefined {
  if (!Object.hasOwn(annotations, provisioned)) return undefined;
  const keys = placed.find((pair) => pair.every((key) => Object.hasOwn(labels, key)));
  return keys && { ok: true, labels: Object.fromEntries(keys.map((key) => [key, getOwn(labels, key) ?? ''])) };
}

async function foundLabels(attributes: AdmissionAttributes, volume: ApiObject, find: VolumeLabels): Promise<Found> {
  try {
    return { ok: true, labels: (await find(volume)) ?? {} };
  } catch (error) {
    return { ok: false, failure: refuse(attributes, error instanceof Error ? error.message : String(error)) };
  }
}

/** Sets labels. They replace the labels of the volume. */
function label(
  attributes: AdmissionAttributes,
  volume: ApiObject,
  labels: Labels,
  zones: ReadonlySet<string>,
): Failure | undefined {
  const requirements: Requirement[] = [];
  for (const [key, value] of Object.entries(labels)) {
    const values = zones.has(key) ? zonesOf(value) : [value];
    if (!values) return refuse(attributes, `failed to convert label string for Zone: ${value} to a Set`);
    requirements.push({ key, operator: 'In', values });
  }
  if (requirements.length === 0) return undefined;
  volume.metadata.labels = { ...volume.metadata.labels, ...labels };
  const spec: JsonObject = objectAt(volume, 'spec') ?? {};
  requireOfNodes(spec, requirements);
  volume.spec = spec;
  return undefined;
}

/** Returns the zones of a label, sorted; `undefined` if one of them is empty. */
function zonesOf(value: string): string[] | undefined {
  const zones = value.split('__').map((zone) => zone.trim());
  return zones.includes('') ? undefined : [...new Set(zones)].sort();
}

/** A requirement on node labels. */
interface Requirement {
  readonly key: string;
  readonly operator: 'In';
  readonly values: readonly string[];
}

/** Adds requirements to all node selector terms of a volume, unless a term already mentions one of the labels. */
function requireOfNodes(spec: JsonObject, requirements: readonly Requirement[]): void {
  const affinity = objectAt(spec, 'nodeAffinity') ?? {};
  const required = objectAt(affinity, 'required') ?? {};
  const given = objectsAt(required, 'nodeSelectorTerms');
  const keys = new Set(requirements.map(({ key }) => key));
  if (given.some((term) => expressionsOf(term).some((one) => keys.has(stringAt(one, 'key'))))) return;
  // Terms are alternatives, so each of them must require the location.
  const terms = given.length > 0 ? given : [{}];
  const added = requirements.map(({ key, operator, values }): JsonObject => ({ key, operator, values: [...values] }));
  const nodeSelectorTerms = terms.map((term) => ({ ...term, matchExpressions: [...expressionsOf(term), ...added] }));
  spec.nodeAffinity = { ...affinity, required: { ...required, nodeSelectorTerms } };
}

const expressionsOf = (term: JsonObject): readonly JsonObject[] => objectsAt(term, 'matchExpressions');

// StorageObjectInUseProtection: a finalizer keeps volumes and claims while they are in use.

/** The finalizer of each resource of the core group. */
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

/** Returns the storage that a claim requests. */
function sizeOf(claim: ApiObject | undefined): Quantity | undefined {
  const requests = objectAt(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests');
  const read = parseQuantity(stringAt(requests, 'storage') || '0');
  return read.ok ? read.value : undefined;
}
