/** PersistentVolumeLabel: new volumes get the labels of their place, and pods that use them run there. */
import type {
  AdmissionAttributes,
  AdmissionPlugin,
  ApiObject,
  Failure,
  JsonObject,
} from '../../../runtime/contract/index.js';
import { getOwn, objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { handlesObjects } from '../handled.js';
import { refuse } from '../refuse.js';

/** Labels by their keys. */
export type Labels = Readonly<Record<string, string>>;

/**
 * Finds the labels of a volume's place, such as its zone; `undefined` for a volume that it knows nothing of. Where it
 * throws or rejects, the volume is refused with that message.
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

/** The labels of a volume that has been made for a claim are those that its maker has given it. */
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

/** Labels that are found take the place of those that the volume has. */
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

/** The zones that a label names, sorted; `undefined` where one of them is empty. */
function zonesOf(value: string): string[] | undefined {
  const zones = value.split('__').map((zone) => zone.trim());
  return zones.includes('') ? undefined : [...new Set(zones)].sort();
}

/** A demand on the labels of a node. */
interface Requirement {
  readonly key: string;
  readonly operator: 'In';
  readonly values: readonly string[];
}

/** Adds requirements to all terms of a volume's spec; none of them where a term speaks of one of their labels already. */
function requireOfNodes(spec: JsonObject, requirements: readonly Requirement[]): void {
  const affinity = objectAt(spec, 'nodeAffinity') ?? {};
  const required = objectAt(affinity, 'required') ?? {};
  const given = objectsAt(required, 'nodeSelectorTerms');
  const keys = new Set(requirements.map(({ key }) => key));
  if (given.some((term) => expressionsOf(term).some((one) => keys.has(stringAt(one, 'key'))))) return;
  // Terms stand beside each other as alternatives, and each has to hold to the place.
  const terms = given.length > 0 ? given : [{}];
  const added = requirements.map(({ key, operator, values }): JsonObject => ({ key, operator, values: [...values] }));
  const nodeSelectorTerms = terms.map((term) => ({ ...term, matchExpressions: [...expressionsOf(term), ...added] }));
  spec.nodeAffinity = { ...affinity, required: { ...required, nodeSelectorTerms } };
}

const expressionsOf = (term: JsonObject): readonly JsonObject[] => objectsAt(term, 'matchExpressions');
